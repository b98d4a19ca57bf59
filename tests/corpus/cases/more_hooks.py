# class: PreAndBackwardHooks
# non_inference: vf
# acceptable-uncertain: grad_scale
# findings: INF101@"class PreAndBackwardHooks"
# note: a backward hook never runs in inference; a pre-hook does.
"""Forward pre-hooks on an owned net, and backward hooks."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class PreAndBackwardHooks(TorchRLModule):
    def setup(self):
        size = self.observation_space.shape[0]
        self.norm = nn.LayerNorm(size)
        self.net = nn.Sequential(nn.Linear(size, 8), nn.Tanh(), nn.Linear(8, 3))
        self.vf = nn.Linear(3, 1)
        self.grad_scale = nn.Linear(3, 3)
        self.net[0].register_forward_pre_hook(self._normalise)
        self.net.register_full_backward_hook(self._scale)

    def _normalise(self, module, args):
        (x,) = args
        return (self.norm(x),)

    def _scale(self, module, grad_input, grad_output):
        return (self.grad_scale(grad_output[0]),)

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.net(batch[Columns.OBS])}

    def compute_values(self, batch, embeddings=None):
        return self.vf(self.net(batch[Columns.OBS])).squeeze(-1)
