"""The contract: a module says which of its parts no inference call needs.

It is the one of Ray's pull request 47572, for any ``torch.nn.Module``. RLlib's class of the same
name has the same single method, so both kinds of modules are read alike.
"""

from __future__ import annotations

import abc
from collections.abc import Collection, Iterator
from dataclasses import dataclass

METHOD = "get_non_inference_attributes"
"""The contract's one method."""


class InferenceOnlyAPI(abc.ABC):
    """A module of which inference needs only a part.

    Mix it into a ``torch.nn.Module`` and name the parts that only training uses. A name may
    lead into a part by dots, as in ``"encoder.vf"``; elements of a ``ModuleList`` are named by
    their index, those of a ``ModuleDict`` by their key.
    """

    @abc.abstractmethod
    def get_non_inference_attributes(self) -> list[str]:
        """The paths of all parts that no inference call uses, such as ``["vf", "encoder.vf"]``.

        Paths that are absent or None are skipped, so a list may name target networks that only
        training makes. Order and duplicates don't matter.
        """


class ContractError(TypeError):
    """What a module declares is no list of paths.

    Attributes:
        fault: ``string``, ``none``, ``one-shot``, ``not-callable``, ``not-names`` or ``raises``.
        cause: The exception that the method raised, for ``raises``.
    """

    def __init__(self, fault: str, message: str, cause: Exception | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.cause = cause


@dataclass(frozen=True)
class Declared:
    """A module's list.

    Attributes:
        paths: In the order given, without duplicates.
        duplicates: Paths that it gives more than once.
        grows: Whether another call gives another list; then calls share one list.
    """

    paths: tuple[str, ...]
    duplicates: tuple[str, ...] = ()
    grows: bool = False


def has_list(module: object) -> bool:
    """Whether the module has the contract's method, whatever its bases."""
    return getattr(type(module), METHOD, None) is not None


def declared(module: object) -> Declared:
    """The paths that a module lists; none if it does not implement the contract.

    Raises:
        ContractError: The method is no method, raises, or returns something else than a
            collection of strings.
    """
    if not has_list(module):
        return Declared(())
    first = _call(module)
    second = _call(module)
    unique = tuple(dict.fromkeys(first))
    twice = tuple(path for path in unique if first.count(path) > 1)
    return Declared(unique, twice, grows=first != second)


def _call(module: object) -> list[str]:
    try:
        method = getattr(module, METHOD)
    except Exception as error:
        raise ContractError("raises", f"{METHOD} raises {_brief(error)}", error) from error
    if not callable(method):
        message = f"{METHOD} is a {type(method).__name__}, not a method: is it a property?"
        raise ContractError("not-callable", message)
    try:
        value = method()
    except Exception as error:
        raise ContractError("raises", f"{METHOD}() raises {_brief(error)}", error) from error
    return _names(value)


def _names(value: object) -> list[str]:
    if value is None:
        raise ContractError("none", f"{METHOD}() returns None: is its return missing?")
    if isinstance(value, str):
        letters = ", ".join(repr(c) for c in value[:3])
        message = (
            f"{METHOD}() returns the string {value!r}; whoever walks through it takes its letters"
            f" {letters} for names. Return [{value!r}]."
        )
        raise ContractError("string", message)
    if isinstance(value, Iterator):
        message = (
            f"{METHOD}() returns a {type(value).__name__}, which is empty after it was walked"
            " through once. Return a list."
        )
        raise ContractError("one-shot", message)
    if not isinstance(value, Collection):
        raise ContractError("not-names", f"{METHOD}() returns a {type(value).__name__}, no list")
    strange = next((item for item in value if not isinstance(item, str)), None)
    if strange is not None:
        kind = type(strange).__name__
        message = f"{METHOD}() has a {kind} in its list where the name of an attribute belongs"
        raise ContractError("not-names", message)
    return list(value)


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
