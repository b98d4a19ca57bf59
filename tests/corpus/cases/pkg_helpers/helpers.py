"""Functions that work on a module they are given."""

from torch import nn


def add_value_branch(module, width, *, twin=False):
    module.vf = nn.Linear(width, 1)
    if twin:
        module.vf2 = nn.Linear(width, 1)


def logits(module, obs):
    return module.pi(encode(module, obs))


def encode(module, obs):
    return module.encoder(obs).tanh()


def values(module, obs):
    h = encode(module, obs)
    return module.vf(h) + module.vf2(h)
