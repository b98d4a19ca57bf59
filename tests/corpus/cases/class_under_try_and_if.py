# class: GuardedImport
# non_inference: vf
# findings: INF101@"class GuardedImport"
"""The class stands under `try:`/`else:` and `if`, as optional-dependency code does it."""

import os

try:
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
    from torch import nn
except ImportError:
    TorchRLModule = None
else:
    if os.environ.get("NO_CUSTOM_MODULES") != "1":

        class GuardedImport(TorchRLModule):
            def setup(self):
                size = self.observation_space.shape[0]
                self.encoder = nn.Linear(size, 8)
                self.pi, self.vf = nn.Linear(8, 3), nn.Linear(8, 1)

            def _forward(self, batch, **kwargs):
                h = self.encoder(batch[Columns.OBS])
                return {Columns.ACTION_DIST_INPUTS: self.pi(h)}

            def _forward_train(self, batch, **kwargs):
                h = self.encoder(batch[Columns.OBS])
                values = self.vf(h).squeeze(-1)
                return {Columns.ACTION_DIST_INPUTS: self.pi(h), Columns.VF_PREDS: values}
