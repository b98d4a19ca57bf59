"""From ``pkg.module:Name`` or ``path/to/file.py:Name`` to the object it names."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inflint.runtime.places import CannotVerifyError, brief, place_of

if TYPE_CHECKING:
    from collections.abc import Callable


class RefusedImportError(CannotVerifyError):
    """Importing the given file would load another one.

    Attributes:
        given: The file that the user named.
        loaded: The file that Python would load, or has loaded, under the same module name.
    """

    def __init__(self, given: Path, loaded: str, module: str) -> None:
        super().__init__(
            f"refused: importing {module!r} loads another file than the one given\n"
            f"  given:  {given}\n"
            f"  loaded: {loaded}"
        )
        self.given = given
        self.loaded = loaded


def load_target(text: str) -> Any:
    """Import what a target names. This runs the user's code.

    The current directory is importable meanwhile and afterwards, as for ``python -m``.

    Args:
        text: ``pkg.module:Name`` or ``path/to/file.py:Name``; the name may have dots. A file in
            a package is imported under its full name.

    Raises:
        CannotVerifyError: The text has another form, or the file, module or name is missing or
            raises as it is imported.
        RefusedImportError: The file's module name belongs to another file.
    """
    where, colon, name = text.rpartition(":")
    if not colon or not where or not name:
        raise CannotVerifyError(f"{text!r} is neither pkg.module:Name nor path/to/file.py:Name")
    if where.endswith(".py"):
        module = _import_file(Path(where))
    else:
        _make_importable(Path.cwd())
        module = _import(where)
    return _lookup(module, name, text)


def call_if_function(value: Any, text: str) -> Any:
    """The value itself, or what it returns if it is a function. Raises as :func:`called`."""
    return called(value, text) if inspect.isroutine(value) else value


def called(function: Callable[[], Any], text: str) -> Any:
    """What a function or class gives when it is called without arguments.

    Raises:
        CannotVerifyError: It needs arguments or raises.
    """
    try:
        return function()
    except Exception as error:
        raise CannotVerifyError(f"{text}() raises {brief(error)}", place_of(error)) from error


def _import_file(path: Path) -> Any:
    if not path.is_file():
        raise CannotVerifyError(f"{path} is no file")
    path = path.resolve()
    root, parts = path.parent, [] if path.stem == "__init__" else [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    name = ".".join(parts)
    _make_importable(root)
    loaded = _origin(name)
    if loaded is None or not Path(loaded).exists() or not path.samefile(loaded):
        raise RefusedImportError(path, loaded or "nothing", name)
    return _import(name)


def _origin(name: str) -> str | None:
    """The file that a module is or would be loaded from."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None) or "a module without a file"
    importlib.invalidate_caches()
    try:
        spec = importlib.util.find_spec(name)
    except Exception as error:
        message = f"importing the package of {name!r} raises {brief(error)}"
        raise CannotVerifyError(message, place_of(error)) from error
    return None if spec is None else spec.origin


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except Exception as error:
        message = f"importing {name!r} raises {brief(error)}"
        raise CannotVerifyError(message, place_of(error)) from error


def _make_importable(root: Path) -> None:
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))


def _lookup(module: Any, name: str, text: str) -> Any:
    value = module
    for part in name.split("."):
        if not hasattr(value, part):
            near = difflib.get_close_matches(part, dir(value), n=3)
            hint = f"; nearest: {', '.join(near)}" if near else ""
            raise CannotVerifyError(f"{text!r}: there is no {part!r}{hint}")
        value = getattr(value, part)
    return value
