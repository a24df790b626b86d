"""Names that may be unbound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import ConversionError
from ....ir.types import UNBOUND, SumType
from ....ops.python.words import FREE, LOCAL
from ...heap.markers import NoValue, Unbound
from ...proxies import StagedSum
from ...recorder.recorder import current_recorder
from ...where.user_code import user_loc


def bound(value: Any, name: str, free: bool = False) -> Any:
    """The value of a name that may have none on this path; where it has none, the error of plain Python.

    That is an UnboundLocalError, or a NameError for a variable of a function around the one that reads it.
    """
    if isinstance(value, Unbound):
        raise NameError(FREE.format(name), name=name) if free else UnboundLocalError(LOCAL.format(name))
    rec = current_recorder()
    if rec is not None and may_be_unbound(value):
        rec.facts.policy.maybe_unbound(rec, value)
        return rec.on_alternatives(value, lambda x: bound(x, name, free), unbound=True)
    return value


def may_be_unbound(value: Any) -> bool:
    """Whether a name has this value on some paths, and none on others."""
    return isinstance(value, StagedSum) and isinstance(value._type, SumType) and UNBOUND in value._type.alternatives


Readers = list[tuple[str, Callable[[], Any]]]  # names, each with what reads it


def convert_locals(function: Any, own: Readers, free: Readers) -> Any:
    """`locals()` or `vars()`: a dict of the function's own names that have a value, and of those of functions around it."""
    rec = current_recorder()
    if function not in (locals, vars):
        return function() if rec is None else rec.convert_call(function)()
    found = {}
    for name, read in (*own, *((name, read) for name, read in free if name in read.__code__.co_freevars)):
        try:
            value = read()
        except NameError:
            continue  # it has no value
        if may_be_unbound(value):
            raise ConversionError(
                f"{user_loc()}: whether {name} is one of the {function.__name__}() is known only when the Program runs; give it "
                "a value before, or name the variables themselves"
            )
        if not isinstance(value, Unbound | NoValue):
            found[name] = value
    return found if rec is None else rec.new(found)
