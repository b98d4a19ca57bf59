from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class Node:
    def __init__(self, net, after):
        self.net, self.after = net, after


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.l0 = nn.Linear(6, 6)
        self.l1 = nn.Linear(6, 6)
        self.l2 = nn.Linear(6, 6)
        self.l3 = nn.Linear(6, 6)
        self.l4 = nn.Linear(6, 6)
        self.l5 = nn.Linear(6, 6)
        self.l6 = nn.Linear(6, 6)
        self.l7 = nn.Linear(6, 6)
        self.l8 = nn.Linear(6, 6)
        self.l9 = nn.Linear(6, 6)
        self.head = None
        self.head = Node(self.l0, self.head)
        self.head = Node(self.l1, self.head)
        self.head = Node(self.l2, self.head)
        self.head = Node(self.l3, self.head)
        self.head = Node(self.l4, self.head)
        self.head = Node(self.l5, self.head)
        self.head = Node(self.l6, self.head)
        self.head = Node(self.l7, self.head)
        self.head = Node(self.l8, self.head)
        self.head = Node(self.l9, self.head)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        node = self.head
        while node is not None:
            x = node.net(x)
            node = node.after
        return {Columns.ACTION_DIST_INPUTS: self.pi(x)}
