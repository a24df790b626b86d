"""`int`, `float` and `bool` of staged values and tensors."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....errors import Dy2stWarning, StagedValueError
from ....ops.registry import lookup
from ...heap.markers import MISSING
from ...proxies import PYTHON_CLASS, Staged, StagedStr, StagedSum, own_index
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ...where.warn import warn_at


def _cast(python: type, dtype: str) -> Callable:
    def cast(value: Any = MISSING, /, *rest: Any, **named: Any) -> Any:
        if value is MISSING:
            return as_the_user(python, **named)
        rec = current_recorder()
        if rec is None:
            return as_the_user(python, value, *rest, **named)
        if rest or named:
            return _with_base(rec, python, value, *rest, **named)
        if isinstance(value, StagedSum):
            return rec.on_alternatives(value, cast)
        value = rec.lifted(value)
        if isinstance(value, Tensor):
            return _cast_tensor(rec, value, python, dtype)
        if isinstance(value, Staged):
            return lookup(f"py.{python.__name__}")(value)
        method = getattr(type(value), f"__{python.__name__}__", None)
        if isinstance(method, FunctionType):
            return _said(rec, method, value, python)
        index = own_index(value) if method is None else value
        return as_the_user(python, value) if index is value else cast(index)

    return cast


def _with_base(rec: Recorder, python: type, value: Any, *rest: Any, **named: Any) -> Any:
    """`int("101", 2)`: a text and a base that staging knows. Of anything but a text, Python itself says what is wrong."""
    is_text = isinstance(value, str | bytes | bytearray | StagedStr | StagedSum)
    staged = [isinstance(part, Staged | Tensor) for part in (value, *rest, *named.values())]
    if is_text and any(staged):
        raise StagedValueError(
            f"{rec.here()}: {python.__name__}(text, base) of what is known only when the Program runs; read its digits in a "
            "loop, or call it on what the function returns"
        )
    given = [0 if unknown else part for part, unknown in zip((value, *rest), staged)]
    return as_the_user(python, *given, **(dict.fromkeys(named, 0) if any(staged) else named))


def _said(rec: Recorder, method: FunctionType, value: Any, python: type) -> Any:
    """What the method of an object says: a number of this class, which only the Program may know."""
    found = rec.convert_call(method)(value)
    cls = PYTHON_CLASS.get(type(found), type(found))
    if issubclass(cls, python):
        return found
    kind = python.__name__
    of_class = f"{type(value).__name__}." if python is float else ""
    raise TypeError(f"{of_class}__{kind}__ returned non-{kind} (type {cls.__name__})")


def _cast_tensor(rec: Recorder, value: Tensor, python: type, dtype: str) -> Any:
    """A tensor of one element gives a scalar; of more, the elementwise cast that Paddle gives, with a warning.

    Where types are exact, as in `script`, it is always a scalar: of many elements, the Program raises what Python does.
    """
    shape = value.type.shape
    if rec.facts.policy.exact or not rec.facts.policy.casts_elements or (shape is not None and all(d == 1 for d in shape)):
        return lookup(f"py.{python.__name__}")(lookup("py.item")(value))
    text = f"{python.__name__}(x) of a tensor that may have many elements is taken as x.astype('{dtype}')"
    warn_at(rec.here(), text, Dy2stWarning)
    return lookup("cast")(value, dtype=dtype)


convert_int = _cast(int, "int64")
convert_float = _cast(float, "float32")


def convert_bool(value: Any = False) -> Any:
    rec = current_recorder()
    return as_the_user(bool, value) if rec is None else rec.truth(value)


def convert_numpy(value: Any) -> Any:
    """`value.numpy()` where a number is made of it at once: a tensor is left to the Program."""
    rec = current_recorder()
    if rec is not None and isinstance(value, Tensor):
        return value
    return convert_array(value)


def convert_array(value: Any) -> Any:
    """`value.numpy()`, of whatever has such a method."""
    rec = current_recorder()
    method = as_the_user(getattr, value, "numpy")
    return as_the_user(method) if rec is None else rec.convert_call(method)()


def numbers_of(value: Any) -> Any:
    """`value.numpy()` whose items are taken one by one: integers as Python's, which compute as NumPy's do; others as tensors.

    The array of a tensor without an axis, or of several, is refused: its items would be arrays.
    """
    rec = current_recorder()
    if rec is None or not isinstance(value, Tensor) or not value.is_staged or value.type.rank != 1:
        return convert_array(value)
    if value.dtype.is_integer:
        return lookup("py.tolist")(value)
    has_scalars = value.dtype.is_floating and value.dtype.numpy.kind == "f"
    return lookup("assign")(lookup("detach")(value)) if has_scalars else convert_array(value)


def number_of(value: Any, index: Any) -> Any:
    """`value.numpy()[index]`"""
    rec = current_recorder()
    is_one = isinstance(index, int | Staged) and not isinstance(index, bool)
    numbers = numbers_of(value) if is_one else convert_array(value)
    return numbers[index] if rec is None else rec.at(numbers)[index]
