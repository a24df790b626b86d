"""Python values that are known only at run time: staged scalars, lists, dicts, sets and sums.

A proxy stands for a Value of the Program and records an operation for whatever is done with it. Staged scalars do not
subclass int or float: code that needs the number now (`range` of C, a format string, a NumPy call) must fail, at the user's
line, rather than see a made-up one.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from ..errors import ConversionError, DTypeError, StagedValueError
from ..ir.core import Value
from ..ir.types import BOOL, FLOAT, INT, NUMBER, STR, Type
from ..ops import dispatch
from ..ops.python.strings import METHODS
from ..ops.registry import lookup
from .tensor import Tensor


def recorder() -> Any:
    """The recorder that is staging now."""
    return dispatch.current_mode()


def refuse(staged: Any, use: str) -> StagedValueError:
    return StagedValueError(recorder().refusal(staged, use))


class Staged:
    """Base of all proxies: `_value` is what it stands for; its names are private, since a user's object may have any other."""

    __slots__ = ("_value", "__weakref__")
    __hash__ = object.__hash__

    def __init__(self, value: Value):
        self._value = value

    @property
    def _type(self) -> Type:
        return self._value.type

    def __repr__(self) -> str:
        if dispatch.mode_stack():
            raise refuse(self, "str(x)")
        return f"<staged {self._value.type}>"  # in a debugger, or a traceback

    def __str__(self) -> str:
        raise refuse(self, "str(x)")

    def __format__(self, spec: str) -> str:
        raise refuse(self, "a format string")

    def __bool__(self) -> bool:
        raise refuse(self, "bool(x)")

    def __index__(self) -> int:
        raise refuse(self, "a function that asks for an int")

    def __int__(self) -> int:
        raise refuse(self, "int(x)")

    def __float__(self) -> float:
        raise refuse(self, "float(x)")

    def __iter__(self) -> Any:
        raise refuse(self, "iteration")

    def __array__(self, dtype=None, copy=None) -> Any:
        raise refuse(self, "a NumPy function")


def _binary(name: str):
    def forward(self, other):
        if not isinstance(other, SCALAR_OPERANDS):
            return NotImplemented
        return _arithmetic(name, self, other)

    def reflected(self, other):
        if not isinstance(other, SCALAR_OPERANDS):
            return NotImplemented
        return _arithmetic(name, other, self)

    return forward, reflected


def _arithmetic(name: str, left: Any, right: Any) -> Any:
    try:
        return lookup(name)(left, right)
    except DTypeError:
        _as_python(name, left, right)
        raise


def _as_python(name: str, left: Any, right: Any) -> None:
    """Raise what Python raises for operands of these classes, if it does."""
    plain = name.removeprefix("py.")
    samples = (SAMPLES.get(type(x), x) for x in (left, right))
    getattr(operator, {"and": "and_", "or": "or_"}.get(plain, plain))(*samples)


class StagedScalar(Staged):
    """A staged int, float, bool, str or number; arithmetic follows Python's rules for the class it turns out to have."""

    __slots__ = ()

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

    def __eq__(self, other):
        if isinstance(other, Tensor | StagedSum):
            return NotImplemented
        return lookup("py.eq")(self, other) if isinstance(other, SCALAR_OPERANDS) else False

    def __ne__(self, other):
        if isinstance(other, Tensor | StagedSum):
            return NotImplemented
        return lookup("py.ne")(self, other) if isinstance(other, SCALAR_OPERANDS) else True

    def __hash__(self) -> int:
        raise refuse(self, "hash(x)")

    def __iter__(self):
        raise TypeError(f"'{self._type}' object is not iterable")

    def __neg__(self):
        return lookup("py.neg")(self)

    def __pos__(self):
        return lookup("py.pos")(self)

    def __abs__(self):
        return lookup("py.abs")(self)

    def __invert__(self):
        return lookup("py.invert")(self)

    def __round__(self, digits=None):
        return lookup("py.round")(self) if digits is None else lookup("py.round")(self, digits)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self


class StagedInt(StagedScalar):
    __slots__ = ()

    def __mul__(self, other):
        return _repeated(other, self) if isinstance(other, list) else super().__mul__(other)

    def __rmul__(self, other):
        return _repeated(other, self) if isinstance(other, list) else super().__rmul__(other)


def _repeated(items: list, times: StagedInt) -> Any:
    return lookup("list.repeat")(recorder().convert_call(list)(items), times)


class StagedFloat(StagedScalar):
    __slots__ = ()


class StagedBool(StagedScalar):
    __slots__ = ()


class StagedStr(StagedScalar):
    __slots__ = ()
    __iter__ = Staged.__iter__

    def __len__(self):
        raise refuse(self, "len(x) in code that isn't converted")

    def __mod__(self, values):
        raise ConversionError(
            f"{recorder().here()}: '%' with a template that is known only when the Program runs; write an f-string on each path"
        )

    def __getitem__(self, index):
        if isinstance(index, slice):
            return lookup("str.slice")(self, start=index.start, stop=index.stop, step=index.step)
        return lookup("str.get")(self, as_index(index))

    def __getattr__(self, name):
        if name not in METHODS and hasattr(str, name) and not name.startswith("__"):
            raise ConversionError(
                f"{recorder().here()}: str.{name} on a string that is known only when the Program runs isn't supported; "
                "use an f-string, or another method"
            )
        if name not in METHODS:
            raise AttributeError(f"'str' object has no attribute '{name}'")
        return lambda *operands: lookup("str.method")(self, *operands, name=name)


class StagedNumber(StagedScalar):
    """A bool, int or float whose class follows the path."""

    __slots__ = ()


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


class StagedContainer(Staged):
    """A list, dict or set that is known only at run time."""

    __slots__ = ()
    stands_for: type

    def __getattr__(self, name):
        if hasattr(self.stands_for, name) and not name.startswith("__"):
            kind = self.stands_for.__name__
            raise ConversionError(
                f"{recorder().here()}: {kind}.{name} on a {kind} that is known only when the Program runs isn't supported; "
                "write it with a loop, or another method"
            )
        raise AttributeError(f"'{self.stands_for.__name__}' object has no attribute '{name}'")

    def __len__(self):
        raise refuse(self, "len(x) in code that isn't converted")

    def __iter__(self):
        raise ConversionError(
            f"{recorder().here()}: the items of this {self.stands_for.__name__} are known only when the Program runs, and "
            "f(*xs), f(**d) or code that isn't converted has to know them while staging; use a loop, an index or a method"
        )


class StagedList(StagedContainer):
    """A list whose length or contents are known only at run time; shared by reference, like a list."""

    __slots__ = ()
    stands_for = list

    def __getitem__(self, index):
        if isinstance(index, slice):
            return lookup("list.slice")(self, start=index.start, stop=index.stop, step=index.step)
        return lookup("list.get")(self, as_index(index))

    def __setitem__(self, index, value):
        rec = recorder()
        if isinstance(index, slice):
            value = rec.as_list(value)
            rec.grow(self, value, spread=True)
            lookup("list.set_slice")(self, value, start=index.start, stop=index.stop, step=index.step)
            return
        rec.grow(self, value)
        lookup("list.set")(self, as_index(index), value)

    def __delitem__(self, index):
        if isinstance(index, slice):
            lookup("list.delete_slice")(self, start=index.start, stop=index.stop, step=index.step)
            return
        lookup("list.delete")(self, as_index(index))

    def append(self, item):
        recorder().grow(self, item)
        lookup("list.append")(self, item)

    def extend(self, items):
        rec = recorder()
        items = rec.as_list(items)
        rec.grow(self, items, spread=True)
        lookup("list.extend")(self, items)

    def insert(self, index, item):
        recorder().grow(self, item)
        lookup("list.insert")(self, as_index(index), item)

    def pop(self, index=-1):
        return lookup("list.pop")(self, as_index(index))

    def remove(self, item):
        lookup("list.remove")(self, item)

    def index(self, item, *bounds):
        return lookup("list.index")(self, item, *map(as_index, bounds))

    def count(self, item):
        return lookup("list.count")(self, item)

    def reverse(self):
        lookup("list.reverse")(self)

    def sort(self, *, key=None, reverse=False):
        if key is None:
            lookup("list.sort")(self, reverse=reverse)
        else:
            rec = recorder()
            lookup("list.sort_by")(self, rec.convert_call(list)(rec.convert_call(map)(key, self)), reverse=reverse)

    def clear(self):
        lookup("list.clear")(self)

    def copy(self):
        return lookup("list.copy")(self)

    def __add__(self, other):
        return lookup("list.concat")(self, recorder().as_list(other)) if isinstance(other, list | StagedList) else NotImplemented

    def __radd__(self, other):
        return lookup("list.concat")(recorder().as_list(other), self) if isinstance(other, list) else NotImplemented

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, times):
        return lookup("list.repeat")(self, as_index(times))

    __rmul__ = __mul__

    def __imul__(self, times):
        self[:] = self * times
        return self

    def length(self):
        return lookup("list.len")(self)

    def contains(self, item):
        return lookup("list.contains")(self, item)


class StagedTuple(StagedContainer):
    """A tuple whose length is known only at run time."""

    __slots__ = ()
    stands_for = tuple

    def __getitem__(self, index):
        if isinstance(index, slice):
            return lookup("sequence.slice")(self, start=index.start, stop=index.stop, step=index.step)
        return lookup("sequence.get")(self, as_index(index))

    def __add__(self, other):
        if isinstance(other, tuple):
            other = lookup("sequence.from_tuple")(other)
        return lookup("sequence.concat")(self, other) if isinstance(other, StagedTuple) else NotImplemented

    def __radd__(self, other):
        return lookup("sequence.from_tuple")(other) + self if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        return lookup("sequence.repeat")(self, as_index(times))

    __rmul__ = __mul__

    def index(self, item, *bounds):
        return self.to_list().index(item, *bounds)

    def count(self, item):
        return self.to_list().count(item)

    def to_list(self):
        return lookup("sequence.to_list")(self)

    def length(self):
        return lookup("sequence.len")(self)

    def contains(self, item):
        return lookup("sequence.contains")(self, item)


class StagedDict(StagedContainer):
    """A dict whose keys or values are known only at run time; shared by reference."""

    __slots__ = ()
    stands_for = dict

    def __getitem__(self, key):
        return lookup("dict.get")(self, key)

    def __setitem__(self, key, value):
        recorder().grow_dict(self, key, value)
        lookup("dict.set")(self, key, value)

    def __delitem__(self, key):
        lookup("dict.delete")(self, key)

    def get(self, key, default=None):
        return lookup("dict.get_default")(self, key, default)

    def pop(self, key, *default):
        return lookup("dict.pop")(self, key, *default)

    def setdefault(self, key, default=None):
        recorder().grow_dict(self, key, default)
        return lookup("dict.setdefault")(self, key, default)

    def update(self, other=(), **more):
        if isinstance(other, StagedDict):
            recorder().grow(self, other, spread=True)
            lookup("dict.update")(self, other)
            other = ()
        for key, value in {**dict(other), **more}.items():
            self[key] = value

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        if not isinstance(other, dict | StagedDict):
            return NotImplemented
        merged = self.copy()
        merged.update(other)
        return merged

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        merged = recorder().heap.materialise(recorder().new(dict(other)))
        merged.update(self)
        return merged

    def popitem(self):
        return lookup("dict.popitem")(self)

    def keys(self):
        return recorder().heap.note_view(lookup("dict.keys")(self), self, "keys")

    def values(self):
        return recorder().heap.note_view(lookup("dict.values")(self), self, "values")

    def items(self):
        return recorder().heap.note_view(lookup("dict.items")(self), self, "items")

    def copy(self):
        return lookup("dict.copy")(self)

    def clear(self):
        lookup("dict.clear")(self)

    def length(self):
        return lookup("dict.len")(self)

    def contains(self, key):
        return lookup("dict.contains")(self, key)


class StagedSet(StagedContainer):
    """A set whose members are known only at run time; shared by reference."""

    __slots__ = ()
    stands_for = set

    def add(self, item):
        recorder().grow(self, item)
        lookup("set.add")(self, item)

    def update(self, *others):
        for other in map(as_set, others):
            recorder().grow(self, other, spread=True)
            lookup("set.update")(self, other)

    def __ior__(self, other):
        self.update(other)
        return self

    def discard(self, item):
        lookup("set.discard")(self, item)

    def remove(self, item):
        lookup("set.remove")(self, item)

    def copy(self):
        return lookup("set.copy")(self)

    def clear(self):
        lookup("set.clear")(self)

    def length(self):
        return lookup("set.len")(self)

    def contains(self, item):
        return lookup("set.contains")(self, item)

    def union(self, *others):
        return functools.reduce(lookup("set.union"), map(as_set, others), self.copy())

    def intersection(self, *others):
        return functools.reduce(lookup("set.intersection"), map(as_set, others), self.copy())

    def difference(self, *others):
        return functools.reduce(lookup("set.difference"), map(as_set, others), self.copy())

    def symmetric_difference(self, other):
        return lookup("set.symmetric_difference")(self, as_set(other))

    def isdisjoint(self, other):
        return lookup("set.isdisjoint")(self, as_set(other))

    def issubset(self, other):
        return lookup("container.compare")(self, as_set(other), symbol="<=")

    def issuperset(self, other):
        return lookup("container.compare")(self, as_set(other), symbol=">=")


def as_set(value: Any) -> Any:
    """The items of a value as a set that the Program can take; a set is not copied."""
    return value if isinstance(value, StagedSet) else recorder().convert_call(set)(value)


def _between_sets(name: str):
    def forward(self, other):
        return lookup(name)(self, as_set(other)) if isinstance(other, SETS) else NotImplemented

    def reflected(self, other):
        return lookup(name)(as_set(other), self) if isinstance(other, SETS) else NotImplemented

    return forward, reflected


def _in_place(name: str):
    def change(self, other):
        left = lookup(name)(self, as_set(other))
        self.clear()
        self.update(left)
        return self

    return change


SETS = (set, frozenset, StagedSet)
for _symbol, _name in {"and": "intersection", "or": "union", "sub": "difference", "xor": "symmetric_difference"}.items():
    for _prefix, _method in zip(("", "r"), _between_sets(f"set.{_name}")):
        setattr(StagedSet, f"__{_prefix}{_symbol}__", _method)
    if _symbol != "or":
        setattr(StagedSet, f"__i{_symbol}__", _in_place(f"set.{_name}"))


def as_index(index: Any) -> Any:
    """An index that the Program can take: an int, a staged int, or a one-element integer tensor turned into one."""
    if isinstance(index, Tensor):
        return lookup("py.item")(index)
    return index if isinstance(index, Staged) else operator.index(index)


def _dispatched(name: str):
    function = getattr(operator, name)

    def method(self, *operands):
        return recorder().on_alternatives(self, lambda x: function(x, *operands))

    return method


def _reflected(name: str):
    function = getattr(operator, name)

    def method(self, operand):
        return recorder().on_alternatives(self, lambda x: function(operand, x))

    return method


def _is_method(cls: type, name: str) -> bool:
    found = getattr(cls, name, None)
    return callable(found) and not isinstance(found, type)


class SumMethod:
    """A method of a value whose kind follows the path: which one it is, is told when it is called."""

    __slots__ = ("owner", "name")

    def __init__(self, owner: StagedSum, name: str):
        self.owner, self.name = owner, name

    def __call__(self, *args, **kwargs):
        rec = recorder()
        return rec.on_alternatives(self.owner, lambda x: rec.convert_call(getattr(x, self.name))(*args, **kwargs))


class StagedSum(Staged):
    """A value whose kind follows the path: every use happens on each alternative, under a test of its tag."""

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in ("__name__", "__qualname__"):
            raise AttributeError(name)
        rec = recorder()
        classes = rec.classes_of(self)
        if any(_is_method(cls, name) for cls in classes):
            if not all(_is_method(cls, name) for cls in classes):
                rec.on_alternatives(self, lambda x: getattr(x, name) and None)  # raises where there is none
            return SumMethod(self, name)
        return rec.on_alternatives(self, lambda x: getattr(x, name))

    def __call__(self, *args, **kwargs):
        rec = recorder()
        return rec.on_alternatives(self, lambda f: rec.convert_call(f)(*args, **kwargs))

    def __getitem__(self, index):
        rec = recorder()
        return rec.on_alternatives(self, lambda x: rec.at(x)[index])

    def __setitem__(self, index, value):
        rec = recorder()
        rec.on_alternatives(self, lambda x: rec.at(x).__setitem__(index, value))

    __hash__ = object.__hash__


_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
for _name in _OPERATORS:
    _function = {"and": "and_", "or": "or_"}.get(_name, _name)
    setattr(StagedSum, f"__{_name}__", _dispatched(_function))
    setattr(StagedSum, f"__r{_name}__", _reflected(_function))
for _name in "lt le gt ge eq ne".split():
    setattr(StagedSum, f"__{_name}__", _dispatched(_name))
for _name in "neg pos abs invert".split():
    setattr(StagedSum, f"__{_name}__", _dispatched(_name))
