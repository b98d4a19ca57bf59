"""Which rules a file's settings ask for, and with which severities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inflint.checks.pages import UnknownRuleError, default_codes, names, resolve
from inflint.config.settings import ConfigError
from inflint.sources.globs import Globs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from inflint.checks.finding import Finding
    from inflint.config.settings import FileIgnore, Origin, Selectors, Settings


_Steps: TypeAlias = "tuple[tuple[frozenset[str], bool], ...]"


class Layer(NamedTuple):
    """What one file says: what it adds and takes away, and whether it begins anew."""

    anew: bool
    wanted: _Steps
    ignored: _Steps

    @property
    def carries(self) -> bool:
        """Whether what it ignores stays ignored, whatever the next layer selects."""
        return not self.anew and not self.wanted


@dataclass(frozen=True)
class Selection:
    """The rules of one set of settings.

    Attributes:
        layers: What they select, the outermost first.
        severities: Other severities than the usual ones, by code.
        ignores: What is not reported in some files.
    """

    layers: tuple[Layer, ...]
    severities: Mapping[str, str]
    ignores: tuple[tuple[FileIgnore, Globs, frozenset[str]], ...]

    @cached_property
    def codes(self) -> frozenset[str]:
        """The rules that are reported, file by file exceptions aside.

        Each layer changes what those below it leave. Within a layer, a more specific selector
        wins over a less specific one, and among equally specific ones ``ignore`` wins.
        """
        chosen: frozenset[str] | None = None
        carried: _Steps = ()
        for layer in self.layers:
            current = frozenset[str]() if layer.anew else chosen
            if current is None:
                current = default_codes()
            steps = [*layer.wanted, *layer.ignored, *carried]
            for codes, add in sorted(steps, key=lambda step: (-len(step[0]), not step[1])):
                current = current | codes if add else current - codes
            chosen = current
            carried = layer.ignored if layer.carries else ()
        return default_codes() if chosen is None else chosen

    def of(self, path: Path) -> frozenset[str]:
        """The codes that are reported in a file."""
        gone = [
            codes
            for ignore, globs, codes in self.ignores
            if globs.match_within(path) != ignore.other
        ]
        return self.codes.difference(*gone)

    def graded(self, finding: Finding) -> Finding:
        """The finding with the severity that the settings give its rule."""
        severity = self.severities.get(finding.code)
        return finding if severity is None else replace(finding, severity=severity)


def select(settings: Settings) -> Selection:
    """The rules that settings ask for.

    Raises:
        ConfigError: A selector matches no rule; the message says where it stands.
    """
    severities: dict[str, str] = {}
    chosen = [
        (_codes(entry.rule, f"{entry.origin}"), entry.severity) for entry in settings.severity
    ]
    for codes, severity in sorted(chosen, key=lambda pair: -len(pair[0])):
        severities.update(dict.fromkeys(codes, severity))
    return Selection(
        layers=tuple(_layer(entry) for entry in settings.selectors),
        severities=severities,
        ignores=tuple(
            (ignore, Globs([ignore.glob]), frozenset(_all(ignore.rules, ignore.origin)))
            for ignore in settings.per_file_ignores
        ),
    )


def _layer(entry: Selectors) -> Layer:
    origins = entry.origins
    wanted = (
        *_sets(entry.select or (), origins["select"], wanted=True),
        *_sets(entry.extend, origins["extend-select"], wanted=True),
    )
    ignored = tuple(_sets(entry.ignore, origins["ignore"], wanted=False))
    return Layer(entry.select is not None, wanted, ignored)


def _sets(
    texts: Iterable[str], origin: Origin, *, wanted: bool
) -> Iterable[tuple[frozenset[str], bool]]:
    return [(_codes(text, origin.at(text)), wanted) for text in texts]


def _all(texts: Iterable[str], origin: Origin) -> set[str]:
    return {code for text in texts for code in _codes(text, origin.at(text))}


def _codes(text: str, where: str) -> frozenset[str]:
    try:
        return frozenset(resolve(text))
    except UnknownRuleError as error:
        raise ConfigError(f"{where}: {error}") from None


def every_code() -> frozenset[str]:
    """The codes of all rules."""
    return frozenset(names())
