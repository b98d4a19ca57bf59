"""What a call used: known from the code of each module, and compared with the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch import nn
from torch._subclasses import FakeTensorMode
from torch.nn import functional

from inflint.runtime.tracing import Trace, trace, unregistered, unused_parts

from .plain_modules import OBSERVATIONS, Dqn, Everything, Ppo, Sac

if TYPE_CHECKING:
    from collections.abc import Callable


def _tensors(*names: str) -> frozenset[str]:
    return frozenset(f"{name}.{leaf}" for name in names for leaf in ("weight", "bias"))


@pytest.mark.parametrize("grad", [True, False])
def test_modules_and_their_tensors(grad: bool) -> None:
    module = Dqn()
    with torch.set_grad_enabled(grad):
        used = trace(module, lambda: module(OBSERVATIONS))
    assert used == Trace(
        frozenset({"encoder", "af", "vf"}), _tensors("encoder", "af", "vf"), hidden=()
    )
    assert used.uses("vf")
    assert not used.uses("_target_vf")


def test_functional_use_counts_and_running_the_module_does_not_matter() -> None:
    class Functional(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.head = nn.Linear(4, 2)
            self.spare = nn.Linear(4, 2)
            self.scale = nn.Parameter(torch.ones(2))
            self.register_buffer("mean", torch.zeros(4))
            self.register_buffer("unused", torch.zeros(4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = functional.linear(x - self.mean, self.head.weight.t().t(), self.head.bias)
            return y * self.scale

    module = Functional()
    used = trace(module, lambda: module(OBSERVATIONS))
    assert used.modules == frozenset()
    assert used.tensors == {"head.weight", "head.bias", "scale", "mean"}


def test_reading_a_shape_is_no_use() -> None:
    module = Ppo()
    used = trace(module, lambda: (module.value.weight.shape, module.value.bias.dtype))
    assert used == Trace(frozenset(), frozenset(), ())


def test_recurrent_and_attention_layers() -> None:
    class Recurrent(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = nn.LSTM(4, 4)
            self.gru = nn.GRU(4, 4)
            self.attention = nn.MultiheadAttention(4, 2)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            h, _ = self.lstm(x)
            return self.attention(h, h, h)[0]

    module = Recurrent()
    used = trace(module, lambda: module(OBSERVATIONS))
    assert used.uses("lstm.weight_hh_l0")
    assert used.uses("attention.in_proj_weight")
    assert used.uses("attention.out_proj.weight")
    assert not used.uses("gru")


def test_aliases_have_both_names_and_views_of_one_storage_only_their_own() -> None:
    class Shared(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.head = nn.Linear(4, 2)
            self.alias = self.head
            flat = torch.zeros(8)
            self.register_buffer("left", flat[:4])
            self.register_buffer("right", flat[4:])

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.head(x + self.left)

    module = Shared()
    used = trace(module, lambda: module(OBSERVATIONS))
    assert used.modules == {"head", "alias"}
    assert used.tensors == _tensors("head", "alias") | {"left"}


def test_modules_that_torch_does_not_register_are_found() -> None:
    class Hidden(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = [nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4))]
            self.nets = {"a": (nn.Linear(4, 4),)}
            self.weights = [nn.Parameter(torch.ones(4))]

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.nets["a"][0](self.layers[1](x)) * self.weights[0]

    module = Hidden()
    used = trace(module, lambda: module(OBSERVATIONS))
    assert set(used.hidden) == {"layers.1", "nets.a.0", "weights.0"}
    assert {path for path, _ in unregistered(module)} == {
        "layers.0",
        "layers.1",
        "nets.a.0",
        "weights.0",
    }


def test_modules_made_in_the_call_are_named_by_their_class() -> None:
    module = nn.Identity()
    used = trace(module, lambda: nn.Linear(4, 2)(OBSERVATIONS))
    assert used.hidden == ("<Linear>",)


def test_compiled_parts_run_eagerly() -> None:
    module = Dqn()
    module.encoder = torch.compile(module.encoder)
    used = trace(module, lambda: module(OBSERVATIONS))
    assert used.uses("encoder")
    assert used.uses("encoder._orig_mod.weight")


@pytest.mark.parametrize("make", [Ppo, Dqn, Everything])
def test_meta_and_fake_modules_give_the_same_trace(make: Callable[[], Any]) -> None:
    real = make()
    expected = trace(real, lambda: real(OBSERVATIONS))
    with torch.device("meta"):
        simulated = make()
        found = trace(simulated, lambda: simulated(OBSERVATIONS.to("meta")))
    assert found == expected
    with FakeTensorMode():
        fake = make()
        found = trace(fake, lambda: fake(torch.empty(3, 4)))
    assert found == expected


def test_what_the_call_raises_comes_through_and_hooks_are_gone() -> None:
    module = Ppo()

    def fail() -> None:
        module(OBSERVATIONS)
        raise RuntimeError("of the user's")

    with pytest.raises(RuntimeError, match="of the user's"):
        trace(module, fail)
    assert trace(module, lambda: None) == Trace(frozenset(), frozenset(), ())


def test_unused_parts_are_maximal_and_sized() -> None:
    module = Sac()
    used = trace(module, lambda: module(OBSERVATIONS[:, :3]))
    critic = 4 * (4 * 8 + 8) + 4 * (8 + 1)
    found = {part.path: part.size for part in unused_parts(module, used, ())}
    assert found == dict.fromkeys(("qf", "qf_twin", "target_qf", "target_qf_twin"), critic)


def test_listed_pieces_leave_the_others() -> None:
    module = Sac()
    used = trace(module, lambda: module(OBSERVATIONS[:, :3]))
    listed = ["qf.0", "qf_twin", "target_qf", "target_qf_twin"]
    assert [part.path for part in unused_parts(module, used, listed)] == ["qf.2"]


def test_counters_and_constants_are_no_parts() -> None:
    class Normed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.BatchNorm1d(4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.norm(x)

    module = Normed().eval()
    used = trace(module, lambda: module(OBSERVATIONS))
    assert "norm.num_batches_tracked" not in used.tensors
    assert list(unused_parts(module, used, ())) == []
