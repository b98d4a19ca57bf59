"""One RLModule for each row of the pitfall table of RLlib 2.60.0 that shows at run time.

All are small: `enc` has 4 * 8 + 8 weights (160 bytes), `pi` 8 * 2 + 2 (72), `vf` 8 + 1 (36).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, TargetNetworkAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

OBSERVATIONS = gym.spaces.Box(-1.0, 1.0, (4,), np.float32)
ACTIONS = gym.spaces.Discrete(2)

ENC, PI, VF = 160, 72, 36


class Plain(TorchRLModule, ValueFunctionAPI):
    """An encoder, a policy head and a value head; no API."""

    def setup(self) -> None:
        self.enc = nn.Linear(4, 8)
        self.pi = nn.Linear(8, 2)
        self.vf = nn.Linear(8, 1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self.pi(torch.tanh(self.enc(batch[Columns.OBS])))}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        return self.vf(torch.tanh(self.enc(batch[Columns.OBS]))).squeeze(-1)


class Right(Plain, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> Any:
        return ["vf"]


class Listed(Plain, InferenceOnlyAPI):
    """Lists the class attribute `names`."""

    names: Any = ("vf",)

    def get_non_inference_attributes(self) -> Any:
        return list(self.names)


# a, b, c: the base, the method, its name.


class ARowMethodWithoutBase(Plain):
    def get_non_inference_attributes(self) -> Any:
        return ["vf"]


class BRowBaseWithoutMethod(Plain, InferenceOnlyAPI):
    pass


class CRowMisspelledWithBase(Plain, InferenceOnlyAPI):
    def get_non_inference_attribute(self) -> Any:
        return ["vf"]


class CRowMisspelledWithoutBase(Plain):
    def get_non_inference_atributes(self) -> Any:
        return ["vf"]


class CRowMisspelledBelowAParent(Right):
    def setup(self) -> None:
        super().setup()
        self.aux = nn.Linear(8, 1)

    def get_non_inference_attibutes(self) -> Any:
        return ["vf", "aux"]


# d: what it returns.


class DRowString(Plain, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> Any:
        return "vf"


class DRowStringInParentheses(Plain, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> Any:
        return ("vf")  # fmt: skip


class DRowNothing(Plain, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> Any:
        ["vf"].append("vf")


class DRowAppend(Plain, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> Any:
        names: list[str] = []
        return names.append("vf")


class DRowGenerator(Plain, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> Any:
        yield "vf"


class DRowProperty(Plain, InferenceOnlyAPI):
    @property
    def get_non_inference_attributes(self) -> Any:
        return ["vf"]


class DRowModules(Plain, InferenceOnlyAPI):
    def get_non_inference_attributes(self) -> Any:
        return [self.vf]


class DRowMissingComma(Plain, InferenceOnlyAPI):
    def setup(self) -> None:
        super().setup()
        self.aux = nn.Linear(8, 1)

    def get_non_inference_attributes(self) -> Any:
        return ["vfaux"]


# e: listed and used.


class ERowUsed(Listed):
    names = ("pi",)


class ERowUsedInExplorationOnly(Listed):
    names = ("vf", "noise")

    def setup(self) -> None:
        super().setup()
        self.noise = nn.Linear(8, 2)

    def _forward_exploration(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        with torch.no_grad():
            h = torch.tanh(self.enc(batch[Columns.OBS]))
            return {Columns.ACTION_DIST_INPUTS: self.pi(h) + self.noise(h)}


class EOkGuardedByFlag(Right):
    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        output = super()._forward(batch)
        if not self.inference_only:
            output[Columns.VF_PREDS] = self.compute_values(batch)
        return output


class EOkGuardedByHasattr(Right):
    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        output = super()._forward(batch)
        if hasattr(self, "vf"):
            output[Columns.VF_PREDS] = self.compute_values(batch)
        return output


# f, g: nested paths.


class Two(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pol = nn.Linear(4, 8)
        self.vf = nn.Linear(4, 8)


class Nested(Listed):
    names = ("_encoder.vf", "value")

    def setup(self) -> None:
        self._encoder = Two()
        self.pi = nn.Linear(8, 2)
        self.value = nn.Linear(8, 1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self.pi(self._encoder.pol(batch[Columns.OBS]))}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        return self.value(self._encoder.vf(batch[Columns.OBS])).squeeze(-1)


class FRowNested(Nested):
    pass


class FOkNestedRemovedInSetup(Nested):
    def setup(self) -> None:
        super().setup()
        if self.inference_only:
            del self._encoder.vf


class FRowListedOnTheLearnerOnly(Nested):
    def get_non_inference_attributes(self) -> Any:
        return ["value"] if self.inference_only else ["value", "_encoder.vf"]


class GRowLeafOnRoot(Nested):
    names = ("_encoder.vf",)

    def setup(self) -> None:
        super().setup()
        del self.value
        self.vf = nn.Linear(8, 1)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        return self.vf(self._encoder.vf(batch[Columns.OBS])).squeeze(-1)


class GRowLeafOnRootUsed(GRowLeafOnRoot):
    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        output = super()._forward(batch)
        self.vf(torch.zeros(1, 8, device=self.pi.weight.device))
        return output


# h, i, j: names that are nothing, and parts that have no name in the list.


class HRowTypo(Listed):
    names = ("vff",)


class HRowSelf(Listed):
    names = ("self.vf",)


class HRowBlank(Listed):
    names = ("vf ",)


class HRowEmpty(Listed):
    names = ("",)


class IRowUnlisted(Listed):
    names = ()


class WithTarget(Listed, TargetNetworkAPI):
    def make_target_networks(self) -> None:
        self.target_enc = make_target_network(self.enc)

    def get_target_network_pairs(self) -> Any:
        return [(self.enc, self.target_enc)]

    def forward_target(self, batch: dict[str, Any]) -> Any:
        return self.target_enc(batch[Columns.OBS])


class JOkTargetListed(WithTarget):
    names = ("vf", "target_enc")


class JRowTargetUnlisted(WithTarget):
    names = ("vf",)


# k: modules that torch does not know.


class KRowPlainListUsed(Listed):
    names = ("vf",)

    def setup(self) -> None:
        super().setup()
        self.layers = [nn.Linear(8, 8)]

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        h = self.layers[0](torch.tanh(self.enc(batch[Columns.OBS])))
        return {Columns.ACTION_DIST_INPUTS: self.pi(h)}


class KRowPlainDictListed(Listed):
    names = ("vf", "critics")

    def setup(self) -> None:
        super().setup()
        self.critics = {"a": nn.Linear(8, 1)}


# l, m, n: precedence, what is listed, shared lists.


class LRowPrecedence(Plain, InferenceOnlyAPI):
    flag = False

    def setup(self) -> None:
        super().setup()
        self.aux = nn.Linear(8, 1)

    def get_non_inference_attributes(self) -> Any:
        return ["vf"] + [] if self.flag else ["aux"]


class MRowIntegerRead(Listed):
    names = ("vf", "scale")

    def setup(self) -> None:
        super().setup()
        self.scale = 2

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        output = super()._forward(batch)
        output[Columns.ACTION_DIST_INPUTS] = output[Columns.ACTION_DIST_INPUTS] * self.scale
        return output


class MRowBufferRead(MRowIntegerRead):
    def setup(self) -> None:
        super().setup()
        del self.scale
        self.register_buffer("scale", torch.full((2,), 2.0))


class MRowParameterRead(MRowIntegerRead):
    def setup(self) -> None:
        super().setup()
        del self.scale
        self.scale = nn.Parameter(torch.full((2,), 2.0))


class MOkIntegerUnread(Listed):
    names = ("vf", "horizon")

    def setup(self) -> None:
        super().setup()
        self.horizon = 5


class NRowSharedList(Plain, InferenceOnlyAPI):
    shared: list[str] = []  # noqa: RUF012

    def get_non_inference_attributes(self) -> Any:
        names = self.shared
        names += ["vf"]
        return names


class NOkFreshList(Right):
    def setup(self) -> None:
        super().setup()
        self.aux = nn.Linear(8, 1)

    def get_non_inference_attributes(self) -> Any:
        names = super().get_non_inference_attributes()
        names += ["aux"]
        return names


# o: elements of containers.


class Heads(Listed):
    names = ("heads.1",)

    def setup(self) -> None:
        self.enc = nn.Linear(4, 8)
        self.heads = nn.ModuleList([nn.Linear(8, 2), nn.Linear(8, 1)])

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self.heads[0](self.enc(batch[Columns.OBS]))}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        return self.heads[1](self.enc(batch[Columns.OBS])).squeeze(-1)


class ORowElement(Heads):
    pass


class ORowBrackets(Heads):
    names = ("heads[1]",)


class ORowDictElementAndRoot(Listed):
    names = ("md.vf",)

    def setup(self) -> None:
        super().setup()
        self.md = nn.ModuleDict({"pi": nn.Linear(8, 2), "vf": nn.Linear(8, 1)})

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        h = self.enc(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: self.pi(h) + self.md["pi"](h)}


class ORowWeight(Listed):
    names = ("vf", "aux.weight")

    def setup(self) -> None:
        super().setup()
        self.aux = nn.Linear(8, 1)


class ORowMethod(Listed):
    names = ("vf", "enc.forward")


# p, q: prefixes and aliases.


class POkPrefix(Listed):
    names = ("vf",)

    def setup(self) -> None:
        super().setup()
        self.vf_encoder = self.enc
        del self.enc

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        h = torch.tanh(self.vf_encoder(batch[Columns.OBS]))
        return {Columns.ACTION_DIST_INPUTS: self.pi(h)}


class QOkAliasListed(Listed):
    names = ("vf", "body")

    def setup(self) -> None:
        super().setup()
        self.body = self.enc


class Wrapped(Listed):
    def setup(self) -> None:
        super().setup()
        self.wrap = nn.Module()
        self.wrap.vf = self.vf


class QRowOtherPathStays(Wrapped):
    names = ("vf",)


class QRowRootFirst(Wrapped):
    names = ("vf", "wrap.vf")


class QRowNestedFirst(Wrapped):
    names = ("wrap.vf", "vf")


class QOkTied(Listed):
    names = ("vf", "tied")

    def setup(self) -> None:
        super().setup()
        self.tied = nn.Linear(4, 8)
        self.tied.weight = self.enc.weight


# r: an own get_state.


class RRowFlagIgnored(Right):
    def get_state(self, components: Any = None, *, inference_only: bool = False, **kw: Any) -> Any:
        return super().get_state(components, **kw)


class RRowFlagUnknown(Right):
    def get_state(self, components: Any = None) -> Any:
        return super().get_state(components)


# s: used by what surrounds the forward calls.


class SRowInitialState(Listed):
    names = ("vf", "memory")

    def setup(self) -> None:
        super().setup()
        self.memory = nn.Linear(8, 3)

    def get_initial_state(self) -> Any:
        return {"h": np.zeros(self.memory.out_features, np.float32)}

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {**super()._forward(batch), Columns.STATE_OUT: batch[Columns.STATE_IN]}


class SRowDistribution(Listed):
    names = ("vf", "flavour")

    def setup(self) -> None:
        super().setup()
        self.flavour = "categorical"

    def get_exploration_action_dist_cls(self) -> Any:
        assert self.flavour
        return super().get_exploration_action_dist_cls()


# u, v, w: what can't be deleted, and what is listed twice.


class URowProperty(Listed):
    names = ("vf", "value_head")

    @property
    def value_head(self) -> Any:
        return self.__dict__["_modules"].get("vf", self.pi)


class URowClassAttribute(Listed):
    names = ("vf", "level")
    level = 3


class URowRllibsOwn(Listed):
    names = ("vf", "training")


class VOkTwice(Listed):
    names = ("vf", "vf")


class WOkParentThenChild(Nested):
    names = ("value", "aux", "aux.vf")

    def setup(self) -> None:
        super().setup()
        self.aux = Two()
        self._encoder.vf = nn.Identity()


class WRowChildThenParent(WOkParentThenChild):
    names = ("value", "aux.vf", "aux")


# x, y: when a part is made.


class XRowAfterTheConstructor(Listed):
    names = ("vf", "late")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.late = nn.Linear(8, 1)


class YOkLazy(Listed):
    names = ("vf", "lazy")

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        if not hasattr(self, "lazy"):
            self.lazy = nn.Linear(8, 1)
        return self._forward(batch)


@dataclass(frozen=True)
class Row:
    """A module, and what refutes it: rule and path of each error or warning."""

    module_class: type
    refutations: frozenset[tuple[str, str]] = frozenset()


def _row(module_class: type, *refutations: tuple[str, str]) -> Row:
    return Row(module_class, frozenset(refutations))


NOT_A_LIST = ("not-a-list-of-names", "")

ROWS = [
    _row(Right),
    _row(ARowMethodWithoutBase, ("missing-api-base", "")),
    _row(BRowBaseWithoutMethod, ("missing-api-method", "")),
    _row(CRowMisspelledWithBase, ("misspelled-method", "")),
    _row(CRowMisspelledWithoutBase, ("misspelled-method", ""), ("unlisted-component", "vf")),
    _row(CRowMisspelledBelowAParent, ("misspelled-method", ""), ("unlisted-component", "aux")),
    _row(DRowString, NOT_A_LIST),
    _row(DRowStringInParentheses, NOT_A_LIST),
    _row(DRowNothing, NOT_A_LIST),
    _row(DRowAppend, NOT_A_LIST),
    _row(DRowGenerator, NOT_A_LIST),
    _row(DRowProperty, NOT_A_LIST),
    _row(DRowModules, NOT_A_LIST),
    _row(
        DRowMissingComma,
        ("unresolved-path", "vfaux"),
        ("unlisted-component", "vf"),
        ("unlisted-component", "aux"),
    ),
    _row(ERowUsed, ("listed-but-used", "pi"), ("unlisted-component", "vf")),
    _row(ERowUsedInExplorationOnly, ("listed-but-used", "noise")),
    _row(EOkGuardedByFlag),
    _row(EOkGuardedByHasattr),
    _row(FRowNested, ("nested-path", "_encoder.vf")),
    _row(FOkNestedRemovedInSetup),
    _row(FRowListedOnTheLearnerOnly, ("differing-lists", "_encoder.vf"), ("sync-fails", "")),
    _row(
        GRowLeafOnRoot,
        ("nested-path-deletes-root", "_encoder.vf"),
        ("sync-fails", ""),
        ("unlisted-component", "vf"),
    ),
    _row(
        GRowLeafOnRootUsed,
        ("nested-path-deletes-root", "_encoder.vf"),
        ("sync-fails", ""),
        ("inference-fails", ""),
    ),
    _row(HRowTypo, ("unresolved-path", "vff"), ("unlisted-component", "vf")),
    _row(HRowSelf, ("unresolved-path", "self.vf"), ("unlisted-component", "vf")),
    _row(HRowBlank, ("unresolved-path", "vf "), ("unlisted-component", "vf")),
    _row(HRowEmpty, ("unresolved-path", ""), ("unlisted-component", "vf")),
    _row(IRowUnlisted, ("unlisted-component", "vf")),
    _row(JOkTargetListed),
    _row(JRowTargetUnlisted, ("unlisted-component", "target_enc")),
    _row(KRowPlainListUsed, ("unregistered-modules", "layers.0")),
    _row(KRowPlainDictListed, ("unregistered-modules", "critics")),
    _row(LRowPrecedence, ("unlisted-component", "vf")),
    _row(MRowIntegerRead, ("listed-but-used", "scale")),
    _row(MRowBufferRead, ("listed-but-used", "scale")),
    _row(MRowParameterRead, ("listed-but-used", "scale")),
    _row(MOkIntegerUnread),
    _row(NRowSharedList, ("mutated-shared-list", "")),
    _row(NOkFreshList),
    _row(ORowElement, ("nested-path", "heads.1")),
    _row(ORowBrackets, ("unresolved-path", "heads[1]")),
    _row(
        ORowDictElementAndRoot,
        ("nested-path-deletes-root", "md.vf"),
        ("sync-fails", ""),
        ("unlisted-component", "vf"),
    ),
    _row(ORowWeight, ("nested-path", "aux.weight")),
    _row(ORowMethod, ("undeletable-attribute", "enc.forward")),
    _row(POkPrefix),
    _row(QOkAliasListed),
    _row(QRowOtherPathStays, ("unlisted-component", "wrap")),
    _row(QRowRootFirst, ("nested-path", "wrap.vf")),
    _row(QRowNestedFirst, ("nested-path-deletes-root", "wrap.vf"), ("sync-fails", "")),
    _row(QOkTied),
    _row(RRowFlagIgnored, ("get-state-drops-the-filter", "vf")),
    _row(RRowFlagUnknown, ("sync-fails", "")),
    _row(SRowInitialState, ("listed-but-used", "memory")),
    _row(SRowDistribution, ("listed-but-used", "flavour")),
    _row(URowProperty, ("undeletable-attribute", "value_head")),
    _row(URowClassAttribute, ("undeletable-attribute", "level")),
    _row(URowRllibsOwn, ("undeletable-attribute", "training"), ("listed-but-used", "training")),
    _row(VOkTwice),
    _row(WOkParentThenChild),
    _row(WRowChildThenParent, ("nested-path", "aux.vf")),
    _row(XRowAfterTheConstructor, ("built-after-removal", "late"), ("sync-fails", "")),
    _row(YOkLazy),
]
