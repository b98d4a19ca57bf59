"""Making a snapshot: judge all of a framework's modules, and keep the facts that took."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from inflint.data import Index
from inflint.engine.candidates import find_candidates
from inflint.engine.classes import find_classes
from inflint.engine.stack import with_deep_stack
from inflint.model.environment import Environment, environment_of
from inflint.model.profile import load_profile
from inflint.model.release import installed_version
from inflint.model.snapshot import load, record, shipped
from inflint.model.statements import Machine
from inflint.model.universe import Universe
from inflint.model.verdict import judge
from inflint.sources.discover import discover
from inflint.syntax.headers import Assigned, Imported

if TYPE_CHECKING:
    from inflint.model.hierarchy import Class
    from inflint.model.profile import Profile


class SnapshotError(ValueError):
    """The package is not there."""


def snapshot_of(package: str, source: Path | None, environment: Environment) -> tuple[str, bytes]:
    """The snapshot of an installed package, or of a wheel.

    Args:
        package: Its name.
        source: A wheel; None for the installed package.
        environment: Where it is installed.

    Returns:
        Its release, and the snapshot.

    Raises:
        SnapshotError: It is neither installed nor in the wheel.
    """
    if source is None:
        return _of_roots(package, environment)
    with tempfile.TemporaryDirectory() as directory:
        try:
            with zipfile.ZipFile(source) as wheel:
                names = [n for n in wheel.namelist() if n.endswith((".py", "/METADATA"))]
                wheel.extractall(directory, names)
        except (OSError, zipfile.BadZipFile) as error:
            raise SnapshotError(f"{source}: not a wheel ({error})") from None
        unpacked = environment_of(Path(directory).resolve(), "a wheel")
        return _of_roots(package, unpacked)


def index() -> bytes:
    """The index of the profile and of all snapshots; see :class:`inflint.data.Index`."""
    profile = load_profile()
    snapshots = (load(path) for path in shipped(profile.package).values())
    found = Index(
        roots=tuple(sorted({*profile.module_roots, *profile.api_names})),
        opaque=profile.opaque,
        recorded=tuple(sorted({name for s in snapshots for name in s.modules()})),
        marks=(profile.multi_spec, "module_class") if profile.multi_spec else (),
    )
    sections = ("\n".join((f"[{name}]", *lines)) for name, lines in found._asdict().items())
    return "".join(f"{section}\n" for section in sections).encode("ascii")


def _of_roots(package: str, environment: Environment) -> tuple[str, bytes]:
    version = installed_version(environment, package)
    if version is None:
        raise SnapshotError(f"{package} is not in {environment.origin}")
    root = next(r for r in environment.roots if (r / package).is_dir())
    alone = environment_of(root, environment.origin)
    profile = load_profile().at(version)
    return version, with_deep_stack(lambda: _record(package, version, root, alone, profile))


def _record(
    package: str, version: str, root: Path, environment: Environment, profile: Profile
) -> bytes:
    universe = Universe(profile, environment)
    paths = [path for path in discover([root / package]) if path.suffix == ".py"]
    found = find_candidates(paths, environment, universe.disk)
    for cls in find_classes(universe, found.classes):
        judge(universe, cls)
    own = {root.rpartition(".")[0] for root in profile.root_by_name}
    for module in sorted(own):
        _load_above(universe, root.joinpath(*module.split(".")).with_suffix(".py"))
    machine = Machine(universe, inference_only=False)
    for cls in list(universe.classes.values()):
        _complete(machine, cls)
    files = (
        (path.relative_to(root).as_posix(), file)
        for path, file in universe.files()
        if f"{file.module}.".startswith(f"{profile.recorded}.") and file.module not in own
    )
    return record(package, version, files)


def _load_above(universe: Universe, path: Path) -> None:
    """Load what a file's classes derive from and are decorated with: others may use it, too."""
    file = universe.load(path) if universe.disk.is_file(str(path)) else None
    if file is None:
        return
    for chain in file.header.walk():
        texts = (*chain[-1].bases, *chain[-1].decorators)
        for name in {text.partition("(")[0].partition(".")[0] for text in texts}:
            for binding in chain[0].bindings.get(name, ()):
                if isinstance(binding, Imported) and not binding.level:
                    universe.find(binding.module, file)


def _complete(machine: Machine, cls: Class) -> None:
    """Ask for all methods and class attributes: a subclass may reach what the class does not."""
    list(machine.methods(cls))
    for owner in cls.classes():
        for name, bindings in owner.scope.bindings.items():
            for binding in bindings:
                if isinstance(binding, Assigned):
                    owner.file.statement(binding.span, owner.name, f"{owner.name}.{name}")
