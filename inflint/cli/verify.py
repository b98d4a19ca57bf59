"""``inflint verify``."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inflint.cli.main import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inflint.runtime.report import Report
    from inflint.runtime.settings import Settings


class _JsonObject(click.ParamType):  # type: ignore[type-arg, unused-ignore] # by click's version
    name = "json"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        try:
            parsed = json.loads(value)
        except json.JSONDecodeError as error:
            self.fail(f"{value!r} is no JSON: {error}", param, ctx)
        if not isinstance(parsed, dict):
            self.fail(f"{value!r} is no JSON object", param, ctx)
        return parsed


@click.command("verify")
@click.argument("targets", nargs=-1, metavar="TARGET...")
@click.option("--env", metavar="ID", help="Environment that gives the spaces, as CartPole-v1.")
@click.option("--observation-space", metavar="SPACE", help="Such as 'Box(-1, 1, (4,))'.")
@click.option("--action-space", metavar="SPACE", help="Such as 'Discrete(2)'.")
@click.option("--model-config", type=_JsonObject(), help="What the module's model_config gets.")
@click.option("--seed", type=int, help="Of weights, inputs and random actions.  [default: 0]")
@click.option(
    "--num-env-runners",
    type=click.IntRange(min=1),
    help="To how many EnvRunners a weight sync goes.  [default: 1]",
)
@click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(targets: Sequence[str], output: str, **given: Any) -> None:
    """Build each TARGET, strip it, sync and run it: prove that its list is right.

    TARGET is pkg.module:Name or path/to/file.py:Name. Name is an RLModule class, an
    RLModuleSpec, a MultiRLModuleSpec, an AlgorithmConfig, or a function without arguments that
    returns one of these or an nn.Module. Without targets, those of [tool.inflint.verify] in
    pyproject.toml are verified. This runs the code that it is given.

    Exit code: 0 proven, 1 refuted, 2 something could not be run.
    """
    chosen = _choose(targets, given)
    try:
        import torch  # noqa: F401 - the extra may be missing
    except ImportError:
        fail("verify needs torch: pip install 'inflint[verify]'")
    reports: list[Report] = []
    failures: list[tuple[str, str]] = []
    for target, settings in chosen:
        for report in _verified(target, settings, failures):
            reports.append(report)
            if output == "text":
                _show(report)
    if output == "json":
        from inflint.report.verify_json import reports_json

        click.echo(reports_json(reports, failures))
    elif reports:
        from inflint.report.verify_text import summary_text

        click.echo(summary_text(reports))
    for _, reason in failures:
        click.echo(f"inflint: {reason}", err=True)
    sys.exit(2 if failures else int(not all(r.proven for r in reports)))


def _choose(targets: Sequence[str], given: dict[str, Any]) -> list[tuple[str, Settings]]:
    from inflint.config.settings import ConfigError
    from inflint.runtime.settings import load_settings

    try:
        common = load_settings(Path.cwd())
    except ConfigError as error:
        fail(str(error))
    if targets:
        known = dict(common.targets)
        return [(t, known.get(t, common).over(**given)) for t in targets]
    if not common.targets:
        fail("no TARGET is given, and [tool.inflint.verify] lists no targets")
    return [(_anchored(t, s), s.over(**given)) for t, s in common.targets]


def _anchored(target: str, settings: Settings) -> str:
    """A file target of the table, relative to the table's file."""
    where, colon, name = target.rpartition(":")
    if settings.root is None or not where.endswith(".py"):
        return target
    return f"{settings.root / where}{colon}{name}"


def _verified(target: str, settings: Settings, failures: list[tuple[str, str]]) -> Iterator[Report]:
    from inflint.runtime.places import CannotVerifyError

    try:
        with _progress(target) as progress:
            progress("importing")
            yield from _reports(target, settings, progress)
    except CannotVerifyError as error:
        failures.append((target, _reason(error)))


def _reports(target: str, settings: Settings, progress: Callable[[str], None]) -> Iterator[Report]:
    from inflint.runtime.options import Options
    from inflint.runtime.spaces import parse_space
    from inflint.runtime.subjects import subjects_of
    from inflint.runtime.verification import verify

    observation, action = settings.observation_space, settings.action_space
    options = Options(
        settings.env,
        parse_space(observation) if observation is not None else None,
        parse_space(action) if action is not None else None,
        settings.model_config,
        settings.seed,
        settings.num_env_runners,
    )
    for subject in subjects_of(target, options):
        yield verify(subject, seed=options.seed, runners=options.runners, progress=progress)


def _reason(error: Any) -> str:
    place = error.place
    if place is None:
        return str(error)
    from inflint.report.paths import shown

    return f"{error}\n  {shown(Path(place.file))}:{place.line} in {place.function}"


@contextmanager
def _progress(target: str) -> Iterator[Callable[[str], None]]:
    """Steps on one line of a terminal's standard error; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda step: None  # noqa: ARG005
        return
    try:
        yield lambda step: click.echo(f"\r\x1b[K{target}: {step} …", err=True, nl=False)
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


def _show(report: Report) -> None:
    from inflint.checks.pages import rules
    from inflint.report.verify_text import report_text

    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    for line in report_text(report, rules()):
        click.echo(line)
    click.echo()
