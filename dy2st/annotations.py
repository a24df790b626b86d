"""Annotations of functions and classes, read without an error where a name is known to type checkers only.

From Python 3.14 on, annotations are evaluated when they are first read. A name that is imported under `if TYPE_CHECKING:` then
raises NameError. Here such a name is a ForwardRef, and a copy of a function takes over the code of its annotations, unevaluated.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

DEFERRED = sys.version_info >= (3, 14)
COPIED = ("__module__", "__qualname__", "__doc__", "__type_params__")  # Python 3.12 and later have the last one


def annotations_of(owner: Any) -> dict[str, Any]:
    """The annotations of a function, or of a class without its bases, by name."""
    if DEFERRED:
        import annotationlib  # type: ignore[import-not-found, unused-ignore]  # new in Python 3.14

        return annotationlib.get_annotations(owner, format=annotationlib.Format.FORWARDREF)
    return inspect.get_annotations(owner)


def signature_of(function: Callable, follow_wrapped: bool = True) -> inspect.Signature:
    """What a callable takes, as `inspect.signature` has it."""
    if DEFERRED:
        import annotationlib  # type: ignore[import-not-found, unused-ignore]

        options: Any = {"annotation_format": annotationlib.Format.FORWARDREF}
        return inspect.signature(function, follow_wrapped=follow_wrapped, **options)
    return inspect.signature(function, follow_wrapped=follow_wrapped)


def signature_text(function: Callable) -> str:
    """The signature of a callable for people: annotations with an unknown name as they are written."""
    try:
        return str(inspect.signature(function))
    except (NameError, AttributeError):
        if not DEFERRED:
            raise
        import annotationlib  # type: ignore[import-not-found, unused-ignore]

        options: Any = {"annotation_format": annotationlib.Format.STRING}
        return inspect.signature(function, **options).format(quote_annotation_strings=False)  # type: ignore[attr-defined, unused-ignore]


def copy_description(made: FunctionType, function: FunctionType) -> None:
    """Give a copy of a function its name, its docstring and its annotations."""
    for name in COPIED:
        if hasattr(function, name):
            setattr(made, name, getattr(function, name))
    evaluated_by: Any = getattr(function, "__annotate__", None)
    if evaluated_by is None:  # before Python 3.14, or where somebody has stored annotations
        made.__annotations__ = function.__annotations__
    else:
        made.__annotate__ = evaluated_by  # type: ignore[attr-defined, unused-ignore]


def evaluates_annotations(code: CodeType) -> bool:
    """Whether code is what Python 3.14 and later call to evaluate annotations."""
    return DEFERRED and code.co_name == "__annotate__"
