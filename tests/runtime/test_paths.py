"""Where paths lead, and what is said of those that lead nowhere."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from inflint.runtime.paths import UnresolvedPathError, covers, maximal, resolve

from .plain_modules import Everything


@pytest.mark.parametrize(
    ("path", "owner", "kind"),
    [
        ("vf", "", "module"),
        ("_encoder.vf", "_encoder", "module"),
        ("_encoder.vf.weight", "_encoder.vf", "parameter"),
        ("heads.1", "heads", "module"),
        ("nets.critic", "nets", "module"),
        ("nets.pi.bias", "nets.pi", "parameter"),
        ("stack.2", "stack", "module"),
        ("scales.0", "scales", "parameter"),
        ("biases.critic", "biases", "parameter"),
        ("scale", "", "parameter"),
        ("mean", "", "buffer"),
        ("level", "", "attribute"),
        ("plain", "", "attribute"),
        ("policy", "", "class attribute"),
        ("forward", "", "class attribute"),
        ("nets.keys", "nets", "class attribute"),
    ],
)
def test_owner_leaf_and_kind(path: str, owner: str, kind: str) -> None:
    module = Everything()
    found = resolve(module, path)
    assert found.owner is (module.get_submodule(owner))
    assert found.leaf == path.rsplit(".", 1)[-1]
    assert found.kind == kind
    assert found.path == found.key == path


def test_values_are_the_objects_themselves() -> None:
    module = Everything()
    assert resolve(module, "heads.1").value is module.heads[1]
    assert resolve(module, "biases.critic").value is module.biases["critic"]
    assert resolve(module, "nothing").value is None


@pytest.mark.parametrize(
    ("path", "missing", "owner", "nearest"),
    [
        ("vff", "vff", "", "vf"),
        ("_encoder.vff", "vff", "_encoder", "vf"),
        ("_encodr.vf", "_encodr", "", "_encoder"),
        ("nets.critics", "critics", "nets", "critic"),
        ("self.vf", "self", "", "vf"),
        ("vf ", "vf ", "", "vf"),
        ("heads[1]", "heads[1]", "", "heads"),
    ],
)
def test_missing_parts_are_named_with_what_is_near(
    path: str, missing: str, owner: str, nearest: str
) -> None:
    with pytest.raises(UnresolvedPathError) as caught:
        resolve(Everything(), path)
    assert caught.value.missing == missing
    assert caught.value.owner == owner
    assert nearest in caught.value.nearest
    assert repr(missing) in str(caught.value)


@pytest.mark.parametrize("path", ["heads.3", "heads.x", "scales.2", "nothing.vf", "", ".vf", "vf."])
def test_what_is_not_there(path: str) -> None:
    with pytest.raises(UnresolvedPathError):
        resolve(Everything(), path)


def test_plain_lists_are_no_modules() -> None:
    with pytest.raises(UnresolvedPathError, match=r"plain list.*nn\.ModuleList"):
        resolve(Everything(), "plain.0")


def test_through_compiled_parts() -> None:
    module = Everything()
    encoder = module._encoder
    module._encoder = torch.compile(encoder)
    found = resolve(module, "_encoder.vf")
    assert found.owner is encoder
    assert found.key == "_encoder._orig_mod.vf"
    assert f"{found.key}.weight" in module.state_dict()


def test_whole_segments() -> None:
    assert covers("vf", "vf")
    assert covers("vf", "vf.weight")
    assert not covers("vf", "vf2.weight")
    assert not covers("vf.weight", "vf")


def test_maximal_paths() -> None:
    assert maximal(["a.b", "a", "ab", "a", "c.d"]) == ["a", "ab", "c.d"]


def test_lazy_parameters_resolve() -> None:
    assert resolve(nn.LazyLinear(2), "weight").kind == "parameter"
