"""Tests of what certainly is there decide a branch, unless some code may put another thing there."""

import functools

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Base(TorchRLModule):
    def setup(self):
        self.enc = nn.Linear(6, 3)
        self.pi = nn.Linear(3, 3)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch[Columns.OBS])}

    def _logits(self, x):
        return self.enc(x)


# class: IsNone
# non_inference: pi
class IsNone(Base):
    def _logits(self, x):
        return self.pi(x) if self.enc is None else self.enc(x)


# class: IsNotNone
# non_inference: pi
class IsNotNone(Base):
    def _logits(self, x):
        x = self.enc(x)
        if getattr(self, "enc", None) is not None:
            return x
        return self.pi(x)


# class: IsModule
# non_inference: pi
class IsModule(Base):
    def _logits(self, x):
        x = self.enc(x)
        if not isinstance(self.enc, nn.Module):
            x = self.pi(x)
        return x


class Own(nn.Linear):
    pass


# class: IsOwnClass
# non_inference: pi
class IsOwnClass(Base):
    def setup(self):
        super().setup()
        self.own = Own(6, 3)

    def _logits(self, x):
        return self.own(x) + self.enc(x) if isinstance(self.own, Own) else self.pi(x)


# class: IsLinear
# non_inference:
# acceptable-uncertain: pi
class IsLinear(Base):
    def _logits(self, x):
        return self.enc(x) if isinstance(self.enc, nn.Linear) else self.pi(self.enc(x))


# class: Rebound
# non_inference:
# acceptable-uncertain: pi
# note: whoever trains it may call drop()
class Rebound(Base):
    def drop(self):
        self.enc = None

    def _logits(self, x):
        return self.pi(x[:, :3]) if self.enc is None else self.enc(x)


# class: Optional
# non_inference:
# configs: [{"wide": True}, {"wide": False}]
class Optional(Base):
    def setup(self):
        super().setup()
        self.more = nn.Linear(6, 3) if self.model_config["wide"] else None

    def _logits(self, x):
        x = self.pi(self.enc(x)) if self.more is None else self.more(x) + self.enc(x)
        return x


# class: Both
# non_inference: pi
# configs: [{"wide": True}, {"wide": False}]
class Both(Base):
    def _logits(self, x):
        if self.model_config["wide"] and not self.inference_only:
            return self.pi(self.enc(x))
        return self.enc(x)


# class: Either
# non_inference: pi
# configs: [{"wide": True}, {"wide": False}]
class Either(Base):
    def _logits(self, x):
        if self.model_config["wide"] or self.inference_only:
            return self.enc(x)
        return self.pi(self.enc(x))


# class: BothAsValue
# non_inference:
# configs: [{"wide": 0}, {"wide": 1}]
# note: what the left side gives is more than its truth
class BothAsValue(Base):
    def _logits(self, x):
        which = self.model_config["wide"] and self.inference_only
        return [self.enc, lambda y: self.pi(self.enc(y))][which](x)


# class: Deferred
# non_inference: pi
class Deferred(Base):
    def _logits(self, x):
        return functools.partial(getattr, self)("enc")(x)


# class: DeferredCall
# non_inference: pi
class DeferredCall(Base):
    def _weigh(self, first, x, *, scale):
        return first(x) * scale

    def _logits(self, x):
        return functools.partial(self._weigh, self.enc, scale=2.0)(x, scale=3.0)


# class: DeferredInALoop
# non_inference:
class DeferredInALoop(Base):
    def _logits(self, x):
        calls = []
        for name in sorted(self.model_config.get("names", ["enc", "pi"])):
            calls.append(functools.partial(getattr(self, name)))
        for call in calls:
            x = call(x)
        return x


# class: Shortest
# non_inference: nets.1
class Shortest(Base):
    def setup(self):
        self.nets = nn.ModuleList([nn.Linear(6, 3), nn.Linear(6, 3)])

    def _logits(self, x):
        return sum(net(x) for net, _ in zip(self.nets, range(1)))


# class: ShortestGrows
# non_inference:
# acceptable-uncertain: nets.1
# note: the list that ends it may be longer by then
class ShortestGrows(Shortest):
    def setup(self):
        super().setup()
        self.used = [0]

    def use(self, index):
        self.used.append(index)

    def _logits(self, x):
        return sum(net(x) for net, _ in zip(self.nets, self.used))


# class: ByName
# non_inference: pi
class ByName(Base):
    def _logits(self, x):
        return dict(self.named_children())["enc"](x)
