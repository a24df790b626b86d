"""Python numbers that follow a tensor's shape: ints and floats that remember how they came about.

They become Exprs only when a recorded call uses them; everywhere else they are the numbers met when tracing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import TraceWarning
from ..runtime.tensors.call_hook import current_observer, restart_staged
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.user_code import user_loc
from ..runtime.where.warn import warn_at
from .functions import ARITHMETIC, axis_length


def warn_frozen(what: str) -> None:
    """Say that the graph will not follow a value, where a tracer is looking."""
    if current_observer() is not None:
        text = f"{what} follows the inputs, but is a Python value from here on: the graph keeps it as it is now"
        warn_at(user_loc(), text, TraceWarning)


class Traced:
    """The number `function(*operands)`, which was `value` when it was traced.

    No subclass of int or float, whose own `1.0 / n` would never ask; `isinstance` takes it for what it stands for.
    """

    def __init__(self, value: Any, function: Callable, operands: tuple):
        self.value, self.function, self.operands = value, function, operands

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # type: ignore[override]
        return type(self.value)

    def __int__(self) -> int:
        warn_frozen("int(a length)")
        return int(self.value)

    def __float__(self) -> float:
        warn_frozen("float(a length)")
        return float(self.value)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        warn_frozen("a length in a NumPy function")
        return np.asarray(self.value, dtype)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other  # type: ignore[operator]

    def __hash__(self) -> int:
        return hash(self.value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.value, name)

    def __deepcopy__(self, memo: dict) -> Any:
        return self.value


class TracedInt(Traced):
    """An int that follows a tensor's shape."""

    def __index__(self) -> int:
        warn_frozen("a length")
        return self.value


def plain(value: Any) -> Any:
    """The number itself."""
    return value.value if isinstance(value, Traced) else value


def traced_number(value: Any, function: Callable, operands: tuple) -> Any:
    """`value`, which is `function(*operands)`."""
    if type(value) is int:
        return TracedInt(value, function, operands)
    return Traced(value, function, operands) if type(value) is float else value


def traced_shape(lengths: list[int], x: Any) -> list[Any]:
    """The shape of x, each length of which follows x."""
    return [traced_number(length, axis_length, (x, axis)) for axis, length in enumerate(lengths)]


def _recorded(name: str, reflected: bool) -> Callable:
    function = getattr(operator, name)

    def compute(*given: Any) -> Any:
        operands = given[::-1] if reflected else given
        if not all(isinstance(x, int | float) for x in operands):
            return NotImplemented
        value = function(*map(plain, operands))
        return value if current_observer() is None else traced_number(value, function, operands)

    return compute


def _as_value(name: str) -> Callable:
    return lambda self, *others: getattr(self.value, name)(*map(plain, others))


def _as_condition(name: str) -> Callable:
    def compare(self: Traced, *others: Any) -> Any:
        if any(map(_follows_first_axis, (self, *others))):
            restart_staged()  # which is of any length
        return getattr(self.value, name)(*map(plain, others))

    return compare


def _follows_first_axis(number: Any) -> bool:
    if not isinstance(number, Traced):
        return False
    own = number.function is axis_length and number.operands[1] == 0
    return own or any(map(_follows_first_axis, number.operands))


_CONDITIONS = "eq ne lt le gt ge bool"
_PLAIN = "repr str format round trunc floor ceil abs and or xor lshift rshift rand ror rxor"
for _name in ARITHMETIC:
    setattr(Traced, f"__{_name}__", _recorded(_name, reflected=False))
    if _name != "neg":
        setattr(Traced, f"__r{_name}__", _recorded(_name, reflected=True))
for _name in _CONDITIONS.split():
    setattr(Traced, f"__{_name}__", _as_condition(f"__{_name}__"))
for _name in _PLAIN.split():
    setattr(Traced, f"__{_name}__", _as_value(f"__{_name}__"))


class TracedTensor(Tensor):
    """A tensor that a tracer knows: its lengths remember where they are from. Otherwise a Tensor like any other."""

    __slots__ = ()

    def _array(self, use: str) -> Any:
        warn_frozen(use)
        return super()._array(use)

    @property
    def shape(self) -> list:
        lengths = Tensor.shape.fget(self)  # type: ignore[attr-defined]
        return lengths if current_observer() is None else traced_shape(lengths, self)

    @property
    def size(self) -> Any:
        product: Any = 1
        for length in self.shape:
            product = product * length
        return product
