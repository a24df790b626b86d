"""Literals of the Program's text form: attributes, and Python state in native form.

    None  True  -3  0x1f...  2.5  nan  inf  -inf  "text"  [1, 2]  (1,)  {"k": 1}  $2             attributes and state
    set(1, 2)  record P(x: 1, y: 2)  object A{x: 1}  atom("f")  unbound  cell(1)                 state only
    array(float32[2], [1.0, 2.0])  array(float32[1000], "base64 of the bytes, little-endian")    state only

State is shared by reference: an object that occurs again is written as `&1 [...]` the first time and `*1` from then on.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..config import file_limits
from .core import Ref, in_brackets
from .lexer import Tokens, quote, read_word, unquote, write_word
from .native import SHARED, UNBOUND, Atom, Cell, Instance, Record, parts
from .shape import size
from .types import TensorType, read_type

_DECIMAL = 1 << 128  # larger ints are written in hexadecimal: Python limits decimal conversions, and their time is quadratic
_INLINE = 64  # arrays of at most as many elements are written number by number
_WORDS = {"None": None, "True": True, "False": False, "nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def write_literal(value: Any) -> str:
    """The text of an attribute; TypeError names what has none."""
    return _Writer(value, shared=False).write(value)


def write_state(values: dict[str, Any]) -> dict[str, str]:
    """The texts of Python state, objects shared among the values included."""
    writer = _Writer(list(values.values()), shared=True)
    return {name: writer.write(value) for name, value in values.items()}


def write_scalar(value: int | float | str | bool | None) -> str:
    """The text of one scalar."""
    if isinstance(value, str):
        return quote(value)
    if type(value) is int and abs(value) >= _DECIMAL:
        return hex(value)
    return repr(value)


class _Writer:
    """Writes values; objects met more than once get a number."""

    def __init__(self, root: Any, shared: bool):
        self.shared = shared
        self.depth = 0
        self.repeated: set[int] = set()
        self.numbers: dict[int, int] = {}
        if shared:
            self.count(root, set())

    def count(self, value: Any, seen: set[int]) -> None:
        """Find the objects that occur more than once."""
        if isinstance(value, SHARED):
            if id(value) in seen:
                self.repeated.add(id(value))
                return
            seen.add(id(value))
        for part in parts(value):
            self.count(part, seen)

    def write(self, value: Any) -> str:
        if self.depth >= file_limits.depth:
            raise TypeError(f"a value nested deeper than {file_limits.depth} has no text")
        self.depth += 1
        try:
            return self.numbered(value)
        finally:
            self.depth -= 1

    def numbered(self, value: Any) -> str:
        if id(value) not in self.repeated:
            return self.body(value)
        if id(value) in self.numbers:
            return f"*{self.numbers[id(value)]}"
        self.numbers[id(value)] = len(self.numbers) + 1
        return f"&{self.numbers[id(value)]} {self.body(value)}"

    def body(self, value: Any) -> str:
        kind = type(value)
        if kind in (str, int, float, bool) or value is None:
            return write_scalar(value)
        text = in_brackets(value, self.write)
        if text is not None:
            return text
        if kind is Ref and not self.shared:
            return f"${value.index}"
        if self.shared:
            return self.native(value)
        expected = "a scalar, str, None, Ref, list, tuple or dict"
        raise TypeError(f"{value!r} ({kind.__name__}) can't be an attribute: {expected} is expected")

    def native(self, value: Any) -> str:
        if isinstance(value, Record):
            return f"record {write_word(value.name)}({self.fields(zip(value.fields, value))})"
        if isinstance(value, set):
            return f"set({', '.join(sorted(map(self.write, value)))})"
        if isinstance(value, Instance):
            return f"object {write_word(value.cls)}{{{self.fields(value.fields.items())}}}"
        if isinstance(value, Atom):
            return f"atom({quote(value.text)})"
        if isinstance(value, Cell):
            return f"cell({self.write(value.value)})"
        if value is UNBOUND:
            return "unbound"
        if isinstance(value, np.ndarray):
            return _write_array(value)
        raise TypeError(f"{value!r} ({type(value).__name__}) is not the native form of any type")

    def fields(self, items: Any) -> str:
        return ", ".join(f"{write_word(k)}: {self.write(v)}" for k, v in items)


def _write_array(array: np.ndarray) -> str:
    type_ = TensorType(array.dtype.name, array.shape)
    if array.size <= _INLINE and array.dtype.kind in "biuf":
        return f"array({type_}, [{', '.join(repr(x) for x in array.ravel().tolist())}])"
    data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
    return f'array({type_}, "{base64.b64encode(data).decode()}")'


# --- text to literal ------------------------------------------------------------------------------------------------


class LiteralReader:
    """Reads literals from lines of tokens; keeps the objects that are shared among them."""

    def __init__(self, state: bool = False):
        self.state = state
        self.shared: dict[str, Any] = {}

    def read(self, tokens: Tokens) -> Any:
        """One literal; ValueError in words otherwise."""
        tokens.depth += 1
        if tokens.depth > file_limits.depth:
            raise ValueError(f"a literal nested deeper than {file_limits.depth} (dy2st.config.file_limits.depth)")
        value = self._read(tokens, tokens.take())
        tokens.depth -= 1
        return value

    def _read(self, tokens: Tokens, token: str) -> Any:
        if token == "&" and self.state:
            return self._body(tokens, tokens.take(), tokens.take())
        if token == "*" and self.state:
            number = tokens.take()
            if number not in self.shared:
                raise ValueError(f"*{number} stands before &{number}")
            return self.shared[number]
        return self._body(tokens, None, token)

    def _body(self, tokens: Tokens, number: str | None, token: str) -> Any:
        """A value without its number; a container has its `number` before its contents are read: they may hold it."""

        def named(value: Any) -> Any:
            if number is not None:
                self.shared[number] = value
            return value

        if token == "[":
            values = named([])
            values.extend(tokens.many(lambda: self.read(tokens), "]"))
            return values
        if token == "{":
            record = named({})
            pairs = tokens.many(lambda: self._entry(tokens), "}")
            _check_hashes((key for key, _ in pairs), "a dict key")
            record.update(pairs)
            return record
        if token == "(":
            return self._tuple(tokens)
        if self.state and token in _STATE:
            return _STATE[token](self, tokens, named)
        if token[0] == "$" and not self.state:
            return Ref(int(token[1:9]))
        return named(_scalar(token))

    def _tuple(self, tokens: Tokens) -> tuple:
        values = []
        while not tokens.skip(")"):
            values.append(self.read(tokens))
            if tokens.peek() != ")":
                tokens.take(",")
        return tuple(values)

    def _entry(self, tokens: Tokens) -> tuple[Any, Any]:
        key = self.read(tokens)
        tokens.take(":")
        return key, self.read(tokens)

    def _fields(self, tokens: Tokens, close: str) -> list[tuple[str, Any]]:
        def field() -> tuple[str, Any]:
            name = read_word(tokens.take())
            tokens.take(":")
            return name, self.read(tokens)

        return tokens.many(field, close)

    def _record(self, tokens: Tokens, named: Callable) -> Record:
        name = read_word(tokens.take())
        tokens.take("(")
        fields = self._fields(tokens, ")")
        return Record.of(name, tuple(k for k, _ in fields), [v for _, v in fields])

    def _object(self, tokens: Tokens, named: Callable) -> Instance:
        instance = named(Instance(read_word(tokens.take())))
        tokens.take("{")
        instance.fields.update(self._fields(tokens, "}"))
        return instance

    def _set(self, tokens: Tokens, named: Callable) -> set:
        tokens.take("(")
        items = named(set())
        elements = tokens.many(lambda: self.read(tokens), ")")
        _check_hashes(elements, "an element of a set")
        items.update(elements)
        return items

    def _atom(self, tokens: Tokens, named: Callable) -> Atom:
        tokens.take("(")
        text = unquote(tokens.take())
        tokens.take(")")
        return Atom(text)

    def _cell(self, tokens: Tokens, named: Callable) -> Cell:
        cell = named(Cell())
        tokens.take("(")
        cell.value = self.read(tokens)
        tokens.take(")")
        return cell

    def _array(self, tokens: Tokens, named: Callable) -> np.ndarray:
        tokens.take("(")
        type_ = read_type(tokens)
        tokens.take(",")
        data = self.read(tokens)
        tokens.take(")")
        return named(_make_array(type_, data))


_STATE: dict[str, Callable] = {
    "record": LiteralReader._record,
    "object": LiteralReader._object,
    "set": LiteralReader._set,
    "atom": LiteralReader._atom,
    "cell": LiteralReader._cell,
    "array": LiteralReader._array,
    "unbound": lambda reader, tokens, named: UNBOUND,
}


def _check_hashes(keys: Iterable[Any], what: str) -> None:
    """ValueError where keys can't be hashed, or where many have one hash, as numbers that differ by 2^61 - 1 have."""
    try:
        alike = Counter(map(hash, keys)).most_common(1)
    except TypeError:
        raise ValueError(f"{what} must be hashable") from None
    if alike and alike[0][1] > file_limits.equal_hashes:
        limit = f"{file_limits.equal_hashes} (dy2st.config.file_limits.equal_hashes)"
        raise ValueError(f"{alike[0][1]} keys of one hash, more than {limit}")


def _scalar(token: str) -> Any:
    if token in _WORDS:
        return _WORDS[token]
    if token[0] == '"':
        return unquote(token)
    if token.startswith(("0x", "-0x")):
        return int(token, 16)
    if token[0] in "-0123456789":
        if any(c in token for c in ".e"):
            return float(token)
        if len(token) > 50:
            raise ValueError(f"an int of {len(token)} decimal digits: write it in hexadecimal")
        return int(token)
    raise ValueError(f"expected a literal, found {token}")


def _make_array(type_: Any, data: Any) -> np.ndarray:
    count = size(type_.shape) if isinstance(type_, TensorType) else None
    if count is None:
        raise ValueError(f"an array of type {type_}: the lengths must be known")
    try:
        if isinstance(data, str):
            flat = np.frombuffer(base64.b64decode(data, validate=True), np.dtype(type_.dtype).newbyteorder("<"))
            flat = flat.astype(type_.dtype)
        else:
            flat = np.array(data, type_.dtype)
        return flat.reshape(type_.shape) if flat.ndim == 1 and flat.size == count else _wrong_count(type_, flat.size)
    except (binascii.Error, TypeError, OverflowError) as error:
        raise ValueError(f"not the data of {type_}: {error}") from None


def _wrong_count(type_: TensorType, count: int) -> np.ndarray:
    raise ValueError(f"{count} elements for an array of type {type_}")
