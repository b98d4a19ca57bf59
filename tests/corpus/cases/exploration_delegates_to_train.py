# class: DelegatesToTrain
# non_inference: aux
# findings: INF202@"\"vf\""
"""`_forward_exploration` goes through `_forward_train`, so the listed value head is read."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class DelegatesToTrain(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        super().setup()
        self.net = nn.Linear(self.observation_space.shape[0], 8)
        self.pi = nn.Linear(8, self.action_space.n)
        self.vf = nn.Linear(8, 1)
        self.aux = nn.Linear(8, 4)

    def _forward_inference(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.net(batch[Columns.OBS]))}

    def _forward_exploration(self, batch, **kwargs):
        return self._forward_train(batch)

    def _forward_train(self, batch, **kwargs):
        h = self.net(batch[Columns.OBS])
        return {
            Columns.ACTION_DIST_INPUTS: self.pi(h),
            Columns.VF_PREDS: self.vf(h).squeeze(-1),
        }

    def auxiliary_loss(self, batch):
        return self.aux(self.net(batch[Columns.OBS])).pow(2).mean()

    def get_non_inference_attributes(self):
        names = ["vf"]
        names.append("aux")
        return names
