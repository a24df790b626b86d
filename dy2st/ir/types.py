"""The types of the Program: comparable, never changed, with one text form each (`docs/architecture/program.md` has the table).

What a dataclass would have written for each of them, `Type` has once: that takes a process less time to start.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any
from weakref import WeakValueDictionary

from ..config import file_limits
from ..dtypes import DTYPES
from .lexer import Tokens, quote, read_word, unquote, write_word

_MOST_AXES = 64  # NumPy's limit
Dim = int | str | None  # a known length, a named unknown, an anonymous unknown


class Type:
    """Base of every type; `str(type)` is its text in a printed Program."""

    __slots__ = ("__dict__", "__weakref__", "_hash")  # the hash of a large type is computed once: a file may use it often

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and hash(self) == hash(other) and self.__dict__ == other.__dict__)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash: int = hash((*self.__dict__.values(),))
            return self._hash

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def parts(self) -> tuple[Type, ...]:
        """The types directly inside this one."""
        return ()

    def with_parts(self, parts: Iterable[Type]) -> Type:
        """This type with others directly inside, in the order of `parts()`."""
        return self

    def holds(self, *kinds: type) -> bool:
        """Whether this type, or one inside, is of these classes."""
        return isinstance(self, kinds) or any(part.holds(*kinds) for part in self.parts())


class _Container:
    """What the types have in common that are told by the types inside alone."""

    __slots__ = ()

    def parts(self) -> tuple[Type, ...]:
        return tuple(self.__dict__.values())

    def with_parts(self, parts: Iterable[Type]) -> Any:
        return type(self)(*parts)


@dataclass(eq=False, repr=False)
class TensorType(Type):
    """An array of `dtype`. `shape` is a tuple of dims, or None where even the rank is unknown."""

    dtype: str
    shape: tuple[Dim, ...] | None = None

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.dtype}[*]"
        return f"{self.dtype}[{','.join(map(_dim_text, self.shape))}]"


@dataclass(eq=False, repr=False)
class ScalarType(Type):
    """A Python scalar: int, float, bool, str, none, or number (a bool, int or float whose class follows the path)."""

    name: str

    def __str__(self) -> str:
        return self.name


INT, FLOAT, BOOL, STR, NONE = (ScalarType(n) for n in ("int", "float", "bool", "str", "none"))
NUMBER = ScalarType("number")
NUMERIC = (BOOL, INT, FLOAT, NUMBER)


@dataclass(eq=False, repr=False)
class UnboundType(Type):
    """A name that has no value on this path."""

    def __str__(self) -> str:
        return "unbound"


@dataclass(eq=False, repr=False)
class NeverType(Type):
    """A path that doesn't arrive: the identity of join."""

    def __str__(self) -> str:
        return "never"


UNBOUND, NEVER = UnboundType(), NeverType()


@dataclass(eq=False, repr=False)
class ListType(_Container, Type):
    """A list, shared by reference."""

    elem: Type = NEVER

    def __str__(self) -> str:
        return f"list<{self.elem}>"


@dataclass(eq=False, repr=False)
class SetType(_Container, Type):
    """A set, shared by reference."""

    elem: Type = NEVER

    def __str__(self) -> str:
        return f"set<{self.elem}>"


@dataclass(eq=False, repr=False)
class DictType(_Container, Type):
    """A dict, shared by reference."""

    key: Type = NEVER
    value: Type = NEVER

    def __str__(self) -> str:
        return f"dict<{self.key}, {self.value}>"


@dataclass(eq=False, repr=False)
class RecordType(DictType):
    """A dict all keys of which staging knows (`names`), with a type for each (`types`). A Program holds the dict<K, V> alone."""

    names: tuple[Any, ...] = ()
    types: tuple[Type, ...] = ()

    def parts(self) -> tuple[Type, ...]:
        return (self.key, self.value, *self.types)

    def with_parts(self, parts: Iterable[Type]) -> Type:
        key, value, *types = parts
        return RecordType(key, value, self.names, tuple(types))

    def as_dict(self) -> DictType:
        """The type of such dicts where their keys aren't known."""
        return DictType(self.key, self.value)

    def at(self, name: Any) -> Type:
        """The type of what lies under a key; never where nothing does."""
        return next((type_ for known, type_ in zip(self.names, self.types) if known == name), NEVER)


@dataclass(eq=False, repr=False)
class TupleType(Type):
    """A tuple; with `name` and `fields`, a namedtuple of that class name."""

    elems: tuple[Type, ...] = ()
    name: str = ""
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.name:
            return f"tuple<{', '.join(map(str, self.elems))}>"
        return f"tuple {write_word(self.name)}<{', '.join(map(_field_text, self.fields, self.elems))}>"

    def parts(self) -> tuple[Type, ...]:
        return self.elems

    def with_parts(self, parts: Iterable[Type]) -> Type:
        return TupleType(tuple(parts), self.name, self.fields)


@dataclass(eq=False, repr=False)
class SequenceType(_Container, Type):
    """A tuple (not a namedtuple) whose length is known only at run time."""

    elem: Type = NEVER

    def __str__(self) -> str:
        return f"sequence<{self.elem}>"


@dataclass(eq=False, repr=False)
class ClassType(Type):
    """An instance of the Python class `name`; `fields` are (attribute, type), in order of first store, or None: any fields."""

    name: str
    fields: tuple[tuple[str, Type], ...] | None = ()

    def __str__(self) -> str:
        if self.fields is None:
            return f"class {write_word(self.name)}"
        return f"class {write_word(self.name)}{{{', '.join(_field_text(*f) for f in self.fields)}}}"

    def parts(self) -> tuple[Type, ...]:
        return tuple(type_ for _, type_ in self.fields or ())

    def with_parts(self, parts: Iterable[Type]) -> Type:
        return self if self.fields is None else ClassType(self.name, _with_types(self.fields, parts))


@dataclass(eq=False, repr=False)
class AtomType(Type):
    """One Python object that staging knew and that has no literal: a function, a class, a module."""

    text: str

    def __str__(self) -> str:
        return f"atom<{quote(self.text)}>"


@dataclass(eq=False, repr=False)
class FunctionType(Type):
    """A function that takes such arguments."""

    params: tuple[Type, ...] = ()
    result: Type = NEVER

    def __str__(self) -> str:
        return f"function<({', '.join(map(str, self.params))}) -> {self.result}>"

    def parts(self) -> tuple[Type, ...]:
        return (*self.params, self.result)

    def with_parts(self, parts: Iterable[Type]) -> Type:
        *params, result = parts
        return FunctionType(tuple(params), result)


@dataclass(eq=False, repr=False)
class CellType(_Container, Type):
    """A mutable variable."""

    elem: Type = NEVER

    def __str__(self) -> str:
        return f"cell<{self.elem}>"


@dataclass(unsafe_hash=True)
class ExceptionKind:
    """One kind of exception: its class, and what its arguments (None: not known) and attributes are."""

    name: str
    args: tuple[Type, ...] | None = None
    fields: tuple[tuple[str, Type], ...] = ()

    def __str__(self) -> str:
        args = "" if self.args is None else f"({', '.join(map(str, self.args))})"
        fields = f"{{{', '.join(_field_text(*f) for f in self.fields)}}}" if self.fields else ""
        return write_word(self.name) + args + fields

    def parts(self) -> tuple[Type, ...]:
        return (*(self.args or ()), *(type_ for _, type_ in self.fields))

    def with_parts(self, parts: Iterator[Type]) -> ExceptionKind:
        args = None if self.args is None else tuple(islice(parts, len(self.args)))
        return ExceptionKind(self.name, args, _with_types(self.fields, parts))


@dataclass(eq=False, repr=False)
class ExceptionType(Type):
    """An exception of one of some kinds."""

    kinds: tuple[ExceptionKind, ...]

    def __str__(self) -> str:
        return f"exception<{' | '.join(map(str, self.kinds))}>"

    def parts(self) -> tuple[Type, ...]:
        return tuple(part for kind in self.kinds for part in kind.parts())

    def with_parts(self, parts: Iterable[Type]) -> Type:
        rest = iter(parts)
        return ExceptionType(tuple(kind.with_parts(rest) for kind in self.kinds))


@dataclass(eq=False, repr=False)
class SumType(Type):
    """A value whose kind follows the path: two or more alternatives, no sum or never, told apart by their native form."""

    alternatives: tuple[Type, ...]

    def __str__(self) -> str:
        return f"sum<{' | '.join(map(str, self.alternatives))}>"

    def parts(self) -> tuple[Type, ...]:
        return self.alternatives

    def with_parts(self, parts: Iterable[Type]) -> Type:
        return SumType(tuple(parts))


def _dim_text(dim: Dim) -> str:
    return "?" if dim is None else write_word(dim) if isinstance(dim, str) else str(dim)


def _with_types(fields: tuple[tuple[str, Type], ...], types: Iterable[Type]) -> tuple[tuple[str, Type], ...]:
    return tuple((name, type_) for (name, _), type_ in zip(fields, types))


def _field_text(name: str, type_: Type) -> str:
    return f"{write_word(name)}: {type_}"


# --- text to type ---------------------------------------------------------------------------------------------------

_NAMED = {str(t): t for t in (INT, FLOAT, BOOL, STR, NONE, NUMBER, UNBOUND, NEVER)}


_MADE: WeakValueDictionary[Type, Type] = WeakValueDictionary()  # what was read: equal types are one object


def parse_type(text: str) -> Type:
    """The type whose text is `text`; ValueError in words otherwise."""
    return _remembered(text) if len(text) < _LONG else _parsed(text)


_LONG = 1000  # characters: texts from here on aren't remembered, so that a file can't fill the memory with them


def _parsed(text: str) -> Type:
    try:
        tokens = Tokens(text)
        result = read_type(tokens)
        if tokens.peek() or tokens.comment:
            raise ValueError(f"{tokens.peek() or 'a comment'} is left over")
    except ValueError as error:
        raise ValueError(f"not a type: {text[:200]!r} ({error})") from None
    return result


_remembered = lru_cache(maxsize=4096)(_parsed)


def read_type(tokens: Tokens) -> Type:
    """Take one type from a line of Program text."""
    tokens.depth += 1
    if tokens.depth > file_limits.depth:  # a hostile file must not exhaust the interpreter's stack
        raise ValueError(f"a type nested deeper than {file_limits.depth} (dy2st.config.file_limits.depth)")
    word = tokens.take()
    if word in _READERS:
        result = _READERS[word](tokens)
    elif word in _NAMED and tokens.peek() != "[":
        result = _NAMED[word]
    else:
        result = _read_tensor(tokens, word)
    tokens.depth -= 1
    return _MADE.setdefault(result, result)


def _inner(tokens: Tokens, count: int | None = None, between: str = ",") -> tuple[Type, ...]:
    """`<T, U, ...>`, of `count` types where that is given."""
    tokens.take("<")
    types = tuple(tokens.many(lambda: read_type(tokens), ">", between))
    if count is not None and len(types) != count:
        raise ValueError(f"{len(types)} types in <...>, expected {count}")
    return types


def _read_field(tokens: Tokens) -> tuple[str, Type]:
    name = read_word(tokens.take())
    tokens.take(":")
    return name, read_type(tokens)


def _read_tuple(tokens: Tokens) -> Type:
    if tokens.peek() == "<":
        return TupleType(_inner(tokens))
    name = read_word(tokens.take())
    tokens.take("<")
    fields = tokens.many(lambda: _read_field(tokens), ">")
    return TupleType(tuple(t for _, t in fields), name, tuple(f for f, _ in fields))


def _read_class(tokens: Tokens) -> Type:
    name = read_word(tokens.take())
    if tokens.peek() != "{":
        return ClassType(name, None)
    tokens.take("{")
    return ClassType(name, tuple(tokens.many(lambda: _read_field(tokens), "}")))


def _read_atom(tokens: Tokens) -> Type:
    tokens.take("<")
    text = unquote(tokens.take())
    tokens.take(">")
    return AtomType(text)


def _read_exception(tokens: Tokens) -> Type:
    tokens.take("<")
    return ExceptionType(tuple(tokens.many(lambda: _read_kind(tokens), ">", "|")))


def _read_kind(tokens: Tokens) -> ExceptionKind:
    name = read_word(tokens.take())
    args = tuple(tokens.many(lambda: read_type(tokens), ")")) if tokens.skip("(") else None
    return ExceptionKind(name, args, tuple(tokens.many(lambda: _read_field(tokens), "}")) if tokens.skip("{") else ())


def _read_function(tokens: Tokens) -> Type:
    tokens.take("<"), tokens.take("(")
    params = tokens.many(lambda: read_type(tokens), ")")
    tokens.take("->")
    result = read_type(tokens)
    tokens.take(">")
    return FunctionType(tuple(params), result)


def _read_tensor(tokens: Tokens, dtype: str) -> Type:
    if dtype not in DTYPES:
        raise ValueError(f"no type or dtype is called {dtype}")
    tokens.take("[")
    if tokens.skip("*"):
        tokens.take("]")
        return TensorType(dtype, None)
    return _of_sane_size(TensorType(dtype, tuple(tokens.many(lambda: _read_dim(tokens.take()), "]"))))


def _of_sane_size(type_: TensorType) -> TensorType:
    """The type, unless its known lengths alone come to more than a file may ask for."""
    shape = type_.shape or ()
    elements = math.prod(dim for dim in shape if isinstance(dim, int) and dim)
    if len(shape) > _MOST_AXES or elements > file_limits.elements:
        most = f"{_MOST_AXES} axes and {file_limits.elements} elements (dy2st.config.file_limits.elements)"
        raise ValueError(f"{str(type_)[:200]} is larger than a tensor may be: {most}")
    return type_


def _read_dim(token: str) -> Dim:
    if token == "?":
        return None
    return int(token) if token.isdecimal() and len(token) < 20 else read_word(token)


_READERS: dict[str, Callable[[Tokens], Type]] = {
    "list": lambda tokens: ListType(*_inner(tokens, 1)),
    "set": lambda tokens: SetType(*_inner(tokens, 1)),
    "cell": lambda tokens: CellType(*_inner(tokens, 1)),
    "dict": lambda tokens: DictType(*_inner(tokens, 2)),
    "sum": lambda tokens: SumType(_inner(tokens, between="|")),
    "sequence": lambda tokens: SequenceType(*_inner(tokens, 1)),
    "tuple": _read_tuple,
    "class": _read_class,
    "atom": _read_atom,
    "function": _read_function,
    "exception": _read_exception,
}
