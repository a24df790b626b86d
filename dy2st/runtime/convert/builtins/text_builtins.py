"""Built-ins that spell one value as another, `hex(n)`, `ord(c)`, `ascii(v)`; and those that take only what staging knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import ConversionError
from ....ops.registry import lookup
from ...proxies import StagedSum, as_index, own_index, recorder
from ...recorder.made_anew import IMMUTABLE
from ...recorder.recorder import Recorder, current_recorder
from ...recorder.unfit_operands import number_method
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ..iteration.gathering import gathered
from ..operations.item_sources import Iteration
from ..operations.structures import is_run_time, is_staged_in


def spelling(function: Callable) -> Callable:
    """`hex`, `oct`, `bin`, `chr` or `ord`."""

    def spell(value: Any) -> Any:
        value = value if function is ord else own_index(value)
        if not is_run_time(value):
            return as_the_user(function, value)
        if isinstance(value, Tensor) and function is ord:
            as_the_user(ord, value)  # which raises
        if isinstance(value, StagedSum):
            return recorder().on_alternatives(value, spell)
        number = as_index(value) if isinstance(value, Tensor) else value
        return lookup("py.spell")(number, name=function.__name__)

    return spell


def _number(rec: Recorder, function: Callable, value: Any) -> Any:
    """What an object of the user's says that it is, to what asks it for a number."""
    if function not in (complex, bytes, bytearray):
        return value
    method = number_method("math.call", {"name": "sqrt" if function is complex else "gcd"}, value)
    return value if method is None else rec.convert_call(method)()


def known_only(function: Callable, instead: str) -> Callable:
    """A built-in that has no counterpart in a Program: of Python values it is the built-in itself."""

    def call(*args: Any, **kwargs: Any) -> Any:
        rec = current_recorder()
        if rec is not None:
            args = tuple([_number(rec, function, a) for a in args])
            args = tuple(rec.heap.resolve(gathered(rec, a) if isinstance(a, Iteration) else a) for a in args)
        if rec is not None and any(map(is_staged_in, (*args, *kwargs.values()))):
            raise ConversionError(
                f"{rec.here()}: {function.__name__}(...) of a value that is known only when the Program runs isn't converted; "
                f"{instead}"
            )
        made = as_the_user(function, *args, **kwargs)
        return made if rec is None or isinstance(made, IMMUTABLE) else rec.new(made)

    return call
