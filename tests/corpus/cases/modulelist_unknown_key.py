# class: TaskHeads
# non_inference: task_values
# configs: [{"task": 0}, {"task": 1}, {"task": -1}]
# findings: INF101@"class TaskHeads"
"""An index that only the run knows needs every element."""

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class TaskHeads(TorchRLModule):
    def setup(self):
        self.task = self.model_config.get("task", 0)
        self.body = nn.Linear(self.observation_space.shape[0], 8)
        self.task_heads = nn.ModuleList(
            nn.Linear(8, self.action_space.n) for _ in range(2)
        )
        self.by_name = nn.ModuleDict({"0": nn.Linear(8, 8), "1": nn.Linear(8, 8)})
        self.task_values = nn.ModuleDict({"0": nn.Linear(8, 1), "1": nn.Linear(8, 1)})

    def _forward(self, batch, **kwargs):
        h = self.by_name[str(self.task % 2)](self.body(batch[Columns.OBS]))
        return {Columns.ACTION_DIST_INPUTS: self.task_heads[self.task](h)}

    def compute_values(self, batch, embeddings=None):
        h = self.body(batch[Columns.OBS])
        return self.task_values[str(self.task % 2)](h).squeeze(-1)
