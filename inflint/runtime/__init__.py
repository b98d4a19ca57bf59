"""The runtime half: the inference-only contract for torch modules, and its proof by running.

Needs torch (the extra ``inflint[verify]``); Ray is needed for RLlib's own targets alone. Names
are imported when they are asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inflint.runtime.contract import ContractError, InferenceOnlyAPI
    from inflint.runtime.options import Options
    from inflint.runtime.paths import Resolved, UnresolvedPathError, resolve
    from inflint.runtime.places import CannotVerifyError
    from inflint.runtime.report import Report
    from inflint.runtime.state import (
        IncompleteStateError,
        ShapeMismatchError,
        inference_state,
        load_inference_state,
    )
    from inflint.runtime.strip import (
        NotRemovableError,
        Removed,
        Stripped,
        strip_for_inference,
    )
    from inflint.runtime.subject import torch_subject
    from inflint.runtime.subjects import subjects_of
    from inflint.runtime.tracing import Trace, trace
    from inflint.runtime.verification import verify

_HOMES = {
    "CannotVerifyError": "places",
    "ContractError": "contract",
    "IncompleteStateError": "state",
    "InferenceOnlyAPI": "contract",
    "NotRemovableError": "strip",
    "Options": "options",
    "Removed": "strip",
    "Report": "report",
    "Resolved": "paths",
    "ShapeMismatchError": "state",
    "Stripped": "strip",
    "Trace": "tracing",
    "UnresolvedPathError": "paths",
    "inference_state": "state",
    "load_inference_state": "state",
    "resolve": "paths",
    "strip_for_inference": "strip",
    "subjects_of": "subjects",
    "torch_subject": "subject",
    "trace": "tracing",
    "verify": "verification",
}

__all__ = [
    "CannotVerifyError",
    "ContractError",
    "IncompleteStateError",
    "InferenceOnlyAPI",
    "NotRemovableError",
    "Options",
    "Removed",
    "Report",
    "Resolved",
    "ShapeMismatchError",
    "Stripped",
    "Trace",
    "UnresolvedPathError",
    "inference_state",
    "load_inference_state",
    "resolve",
    "strip_for_inference",
    "subjects_of",
    "torch_subject",
    "trace",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
