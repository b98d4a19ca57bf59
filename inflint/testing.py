"""For users' own test suites: one assertion that a module's list is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inflint.runtime.report import Report


def assert_inference_only(
    target: Any,
    *,
    env: str | None = None,
    observation_space: Any = None,
    action_space: Any = None,
    model_config: Mapping[str, Any] | None = None,
    seed: int = 0,
    num_env_runners: int = 1,
) -> tuple[Report, ...]:
    """Build, strip, sync and run what a target means, and fail unless all of it is proven.

    Args:
        target: What ``inflint verify`` takes, as text or as the object itself: an RLModule
            class, a spec, an ``AlgorithmConfig``, an ``nn.Module`` with ``example_input_array``,
            a pair of a module and its inputs, or a function that returns one of these.
        env: ID of an environment that gives the spaces.
        observation_space: A ``gymnasium.Space``; goes before ``env``.
        action_space: A ``gymnasium.Space``.
        model_config: Goes before the target's own, key by key.
        seed: Of weights, inputs and random actions.
        num_env_runners: To how many EnvRunners a weight sync goes; for the figures alone.

    Returns:
        One report for each module.

    Raises:
        AssertionError: A module is refuted. The message is the report.
        CannotVerifyError: A module can't be built or run, and its list is not to blame.
    """
    __tracebackhide__ = True
    from inflint.checks.pages import rules
    from inflint.report.verify_text import report_text
    from inflint.runtime.options import Options
    from inflint.runtime.subjects import subjects_of
    from inflint.runtime.verification import verify

    options = Options(env, observation_space, action_space, model_config, seed, num_env_runners)
    reports = tuple(
        verify(subject, seed=seed, runners=num_env_runners)
        for subject in subjects_of(target, options)
    )
    refuted = [report for report in reports if not report.proven]
    if refuted:
        import click

        text = "\n\n".join("\n".join(report_text(report, rules())) for report in refuted)
        raise AssertionError(f"not inference-only:\n{click.unstyle(text)}")
    return reports
