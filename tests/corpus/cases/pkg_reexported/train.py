# class: Reexported
# non_inference: value
# findings: INF101@"class Reexported"
"""A training script; its base comes through two `__init__` files and a renaming."""

from ray.rllib.core.columns import Columns
from torch import nn

import pkg_reexported as package


class Reexported(package.PolicyBase):
    def build_value(self, size):
        self.value = nn.Linear(size, 1)

    def compute_values(self, batch, embeddings=None):
        return self.value(batch[Columns.OBS]).squeeze(-1)


def main():
    print("pretend to train with", Reexported)


if __name__ == "__main__":
    main()
