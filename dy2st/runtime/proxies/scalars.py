"""Numbers and strings that are known only at run time; they do not subclass int, float or str."""

from __future__ import annotations

import operator
from numbers import Number
from typing import Any

import numpy as np

from ...errors import ConversionError, StagedValueError
from ...ir.types import BOOL, FLOAT, INT, NUMBER, STR, Type
from ...ops.lengths import comparison
from ...ops.python.strings import METHODS, PARAMETERS
from ...ops.registry import lookup
from ..tensors.tensor import Tensor
from ..where.faults import as_the_user
from .base import Staged, recorder, refuse
from .containers import not_concatenated
from .sums import StagedSum

PYTHON: dict[str, Any] = {}  # of operators on two numbers, by their names in a Program


def _binary(name: str):
    plain = name.removeprefix("py.")
    python = PYTHON[name] = getattr(operator, {"and": "and_", "or": "or_"}.get(plain, plain))

    def forward(self, other):
        if _is_operand(other):
            return _arithmetic(name, self, other)
        return self._of_each_class(lambda x: as_the_user(python, x, other)) if _is_of_another_kind(other) else NotImplemented

    def reflected(self, other):
        if _is_operand(other):
            return _arithmetic(name, other, self)
        return self._of_each_class(lambda x: as_the_user(python, other, x)) if _is_of_another_kind(other) else NotImplemented

    return forward, reflected


def _is_of_another_kind(other: Any) -> bool:
    """Whether an operand is neither a number nor what says itself what an operator gives."""
    return not isinstance(other, Tensor | StagedSum | np.ndarray | np.generic)


def _is_operand(other: Any) -> bool:
    if isinstance(other, SCALAR_OPERANDS) or (isinstance(other, np.generic) and other.dtype.kind in "biuf"):
        return True
    if isinstance(other, np.ndarray):
        raise StagedValueError(
            f"{recorder().here()}: a NumPy array beside a number that is known only when the Program runs; make it a tensor"
        )
    if isinstance(other, Number):
        raise StagedValueError(
            f"{recorder().here()}: a {type(other).__name__} beside a number that is known only when the Program runs; write it "
            "with ints and floats"
        )
    return False


def _is_compared_by(other: Any) -> bool:
    """Whether what a number is compared with says what that gives: a tensor, also one of another library."""
    return isinstance(other, Tensor | StagedSum) or recorder().facts.policy.lifted(other) is not None


def _comparable(other: Any) -> Any:
    """What a number or text is compared with for equality: one of Python's own class; None for what equals neither."""
    if isinstance(other, np.generic) and other.dtype.kind in "biufc":
        other = other.item()
    if isinstance(other, complex):
        return None if other.imag else other.real
    if isinstance(other, np.ndarray):
        raise StagedValueError(
            f"{recorder().here()}: a NumPy array is compared with a number that is known only when the Program runs; make it a "
            "tensor"
        )
    return other if _is_operand(other) else None


def as_own(x: Any) -> Any:
    """A text or number of a subclass or of NumPy's, a member of an IntEnum too, as one of Python's own class."""
    if type(x) in OWN:
        return x
    if isinstance(x, np.generic) and x.dtype.kind in "biuf":
        return x.item()
    if issubclass(type(x), str):  # whatever class it says it is of
        return str.__str__(x)  # which no method of the subclass changes
    if issubclass(type(x), int):
        return int.__pos__(x)
    return float.__pos__(x) if issubclass(type(x), float) else x


COMPARISONS = frozenset(f"py.{name}" for name in "eq ne lt le gt ge".split())


def _arithmetic(name: str, left: Any, right: Any) -> Any:
    if name in COMPARISONS and all(type(x) in (StagedInt, int) for x in (left, right)):
        known = comparison(name, *(x if type(x) is int else x._value for x in (left, right)))
        if known is not None:
            return known
    given = left, right
    left, right = as_own(left), as_own(right)
    try:
        return lookup(name)(left, right)
    except TypeError:
        if any(isinstance(x, np.generic) for x in given):
            _raise_as_numpy(name, *given)
        if _is_refused(name, left, right):
            return NotImplemented  # so that Python says which operator, and of which classes
        raise


def _raise_as_numpy(name: str, left: Any, right: Any) -> None:
    """TypeError: two operands, one of which is a scalar of NumPy's, are of classes that the operator doesn't take."""
    try:
        PYTHON[name](*(SAMPLES.get(type(x), x) for x in (left, right)))
    except TypeError as error:
        raise TypeError(str(error)) from None


def _is_refused(name: str, left: Any, right: Any) -> bool:
    """Whether neither class of two operands has an answer in Python."""
    plain = name.removeprefix("py.")
    left, right = (SAMPLES.get(type(x), x) for x in (left, right))
    answers = [getattr(left, f"__{plain}__", None), getattr(right, f"__r{plain}__", None)]
    try:
        return all(ask is None or ask(other) is NotImplemented for ask, other in zip(answers, (right, left)))
    except (TypeError, ArithmeticError, ValueError):
        return False


class StagedScalar(Staged):
    """A staged int, float, bool, str or number; arithmetic follows Python's rules for the class it turns out to have."""

    __slots__ = ()
    __array_ufunc__ = None  # `np.int64(2) * n` asks the number

    __add__, __radd__ = _binary("py.add")
    __sub__, __rsub__ = _binary("py.sub")
    __mul__, __rmul__ = _binary("py.mul")
    __truediv__, __rtruediv__ = _binary("py.truediv")
    __floordiv__, __rfloordiv__ = _binary("py.floordiv")
    __mod__, __rmod__ = _binary("py.mod")
    __pow__, __rpow__ = _binary("py.pow")
    __and__, __rand__ = _binary("py.and")
    __or__, __ror__ = _binary("py.or")
    __xor__, __rxor__ = _binary("py.xor")
    __lshift__, __rlshift__ = _binary("py.lshift")
    __rshift__, __rrshift__ = _binary("py.rshift")
    __lt__, _ = _binary("py.lt")
    __le__, _ = _binary("py.le")
    __gt__, _ = _binary("py.gt")
    __ge__, _ = _binary("py.ge")

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """A function of PyTorch's that is called with such a number."""
        return recorder().facts.policy.call(func, args, kwargs or {})

    def __eq__(self, other):
        if _is_compared_by(other):
            return NotImplemented
        other = _comparable(other)
        return False if other is None else _arithmetic("py.eq", self, other)

    def __ne__(self, other):
        if _is_compared_by(other):
            return NotImplemented
        other = _comparable(other)
        return True if other is None else _arithmetic("py.ne", self, other)

    def __hash__(self) -> int:
        raise refuse(self, "hash(x)")

    def _of_each_class(self, function):
        """What is done with an operand that no number takes; NotImplemented where the class is known: Python says so itself."""
        return NotImplemented

    def __getattr__(self, name):
        plain = type(SAMPLES[type(self)]).__name__
        if hasattr(SAMPLES[type(self)], name) and not name.startswith("__"):
            raise ConversionError(
                f"{recorder().here()}: {plain}.{name} of a number that is known only when the Program runs isn't supported; "
                "write it with operators"
            )
        raise AttributeError(f"'{plain}' object has no attribute '{name}'")

    def __iter__(self):
        raise TypeError(f"{type(self).__name__!r} object is not iterable")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __neg__(self):
        return lookup("py.neg")(self)

    def __pos__(self):
        return lookup("py.pos")(self)

    def __abs__(self):
        return lookup("py.abs")(self)

    def __invert__(self):
        if isinstance(self, StagedStr | StagedFloat):
            as_the_user(operator.invert, SAMPLES[type(self)])  # which raises
        return self._of_each_class(operator.invert) if isinstance(self, StagedNumber) else lookup("py.invert")(self)

    def __round__(self, digits=None):
        return lookup("py.round")(self) if digits is None else lookup("py.round")(self, digits)

    def __divmod__(self, other):
        if _is_refused("divmod", self, other):
            return NotImplemented
        return as_the_user(operator.floordiv, self, other), as_the_user(operator.mod, self, other)

    def __rdivmod__(self, other):
        if _is_refused("divmod", other, self):
            return NotImplemented
        return as_the_user(operator.floordiv, other, self), as_the_user(operator.mod, other, self)


class StagedInt(StagedScalar):
    __slots__ = ()

    def __mul__(self, other):
        return _repeated(other, self) if isinstance(other, list) else super().__mul__(other)

    def __rmul__(self, other):
        return _repeated(other, self) if isinstance(other, list) else super().__rmul__(other)


SEQUENCES = (list, tuple, str, bytes)


def _not_repeated(items, times):
    """What Python raises for `items * times`."""
    return as_the_user(operator.mul, items, times)


def _repeated(items: list, times: StagedInt) -> Any:
    return lookup("list.repeat")(recorder().convert_call(list)(items), times)


class StagedFloat(StagedScalar):
    __slots__ = ()

    def __rmul__(self, other):
        return _not_repeated(other, 1.5) if isinstance(other, SEQUENCES) else super().__rmul__(other)


class StagedBool(StagedScalar):
    __slots__ = ()


class StagedStr(StagedScalar):
    __slots__ = ()
    __iter__ = Staged.__iter__

    def __add__(self, other):
        found = super().__add__(other)
        return not_concatenated(str, other) if found is NotImplemented else found

    def __rmul__(self, other):
        return _not_repeated(other, "") if isinstance(other, SEQUENCES) else super().__rmul__(other)

    def __len__(self):
        raise refuse(self, "len(x) in code that isn't converted")

    def __index__(self):
        raise TypeError("'str' object cannot be interpreted as an integer")

    def __mod__(self, values):
        raise ConversionError(
            f"{recorder().here()}: '%' with a template that is known only when the Program runs; write an f-string on each path"
        )

    def __getitem__(self, index):
        if isinstance(index, slice):
            return lookup("str.slice")(self, start=index.start, stop=index.stop, step=index.step)
        return lookup("str.get")(self, index)

    def join(self, parts):
        return lookup("str.join")(self, recorder().as_list(parts))

    def __getattr__(self, name):
        if name not in METHODS and hasattr(str, name) and not name.startswith("__"):
            raise ConversionError(
                f"{recorder().here()}: str.{name} on a string that is known only when the Program runs isn't supported; "
                "use an f-string, or another method"
            )
        if name not in METHODS:
            raise AttributeError(f"'str' object has no attribute '{name}'")

        def method(*operands, **named):
            return lookup("str.method")(self, *map(as_own, by_position(name, operands, named)), name=name)

        return method


def by_position(name: str, operands: tuple, named: dict[str, Any]) -> tuple:
    """The arguments of a method of a text in their order. TypeError: what Python raises for those that it doesn't take."""
    if not named:
        return operands
    parameters = PARAMETERS.get(name, ())
    given = dict(zip((parameter for parameter, _ in parameters), operands))
    if len(operands) > len(parameters) or given.keys() & named.keys() or not named.keys() <= dict(parameters).keys():
        as_the_user(getattr("", name), *("" for _ in operands), **dict.fromkeys(named, ""))  # which raises
    return tuple((given | named).get(parameter, default) for parameter, default in parameters)


class StagedNumber(StagedScalar):
    """A bool, int or float whose class follows the path: what no number takes is done with each, so that Python names it."""

    __slots__ = ()

    def _of_each_class(self, function):
        return recorder().on_kinds(self, function)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._of_each_class(lambda x: as_the_user(getattr, x, name))

    def __matmul__(self, other):
        return self._of_each_class(lambda x: as_the_user(operator.matmul, x, other))

    def __rmatmul__(self, other):
        return self._of_each_class(lambda x: as_the_user(operator.matmul, other, x))

    def __iter__(self):
        return self._of_each_class(lambda x: as_the_user(iter, x))

    def __getitem__(self, index):
        return self._of_each_class(lambda x: as_the_user(operator.getitem, PYTHON_CLASS[type(x)](), 0))

    def __setitem__(self, index, item):
        self._of_each_class(lambda x: as_the_user(operator.setitem, PYTHON_CLASS[type(x)](), 0, item))

    def __delitem__(self, index):
        self._of_each_class(lambda x: as_the_user(operator.delitem, PYTHON_CLASS[type(x)](), 0))


OWN = (bool, int, float, str)
SCALAR_OPERANDS = (bool, int, float, str, StagedScalar)
SCALAR_PROXIES: dict[Type, type[StagedScalar]] = {
    INT: StagedInt,
    FLOAT: StagedFloat,
    BOOL: StagedBool,
    STR: StagedStr,
    NUMBER: StagedNumber,
}
SAMPLES: dict[type, Any] = {StagedInt: 1, StagedFloat: 1.0, StagedBool: True, StagedStr: "", StagedNumber: 1}
PYTHON_CLASS: dict[type, type] = {StagedInt: int, StagedFloat: float, StagedBool: bool, StagedStr: str}
for _proxy, _python in PYTHON_CLASS.items():
    _proxy.__name__ = _proxy.__qualname__ = _python.__name__  # what Python itself says of a proxy names what it stands for
