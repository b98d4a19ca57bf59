"""SAC on images with continuous actions takes 31 GB if it is built; it is not built."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.ray

SCRIPT = """
    import json
    import resource

    import gymnasium as gym
    import numpy as np
    from ray.rllib.algorithms.sac import SACConfig

    from inflint.runtime import Options, subjects_of, verify

    image = gym.spaces.Box(-1.0, 1.0, (84, 84, 4), np.float32)
    action = gym.spaces.Box(-1.0, 1.0, (2,), np.float32)
    [subject] = subjects_of(SACConfig(), Options(observation_space=image, action_space=action))
    report = verify(subject)
    print(json.dumps({
        "kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "simulated": report.simulated,
        "proven": report.proven,
        "full": report.savings.full,
        "sent": report.savings.sent,
        "listed": {p.path: [p.size, p.removed, p.used] for p in report.listed},
        "calls": [[c.name, c.ran, c.equal] for c in report.calls],
    }))
"""

LATENT = 11 * 11 * 256
"""RLlib's convolutions leave 11 x 11 pixels of 256 channels, and no smaller layer follows."""


def linear(inputs: int, outputs: int) -> int:
    return 4 * (inputs * outputs + outputs)


@pytest.fixture(scope="module")
def result() -> dict[str, object]:
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_sized_and_traced_in_little_memory(result: dict[str, int]) -> None:
    assert result["kilobytes"] < 2 * 1024 * 1024


def test_every_critic_is_listed_removed_and_unused(result: dict[str, dict[str, object]]) -> None:
    critics = ("qf", "target_qf", "qf_twin", "target_qf_twin")
    listed = result["listed"]
    assert set(listed) == {*critics, *(f"{name}_encoder" for name in critics)}
    for name in critics:
        assert listed[name] == [linear(LATENT, 1) + 4, True, False]
        assert listed[f"{name}_encoder"] == [7_870_947_520, True, False]


def test_bytes_add_up_and_all_calls_ran(result: dict[str, object]) -> None:
    assert result["simulated"]
    assert result["proven"]
    assert result["full"] == 31_488_796_660
    assert result["sent"] == 4_510_932
    assert result["full"] == 4_510_932 + 4 * (7_870_947_520 + linear(LATENT, 1) + 4)
    assert ["forward_exploration", True, True] in result["calls"]  # type: ignore[operator]
