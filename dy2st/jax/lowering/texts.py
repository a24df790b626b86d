"""Texts as numbers: JAX's arrays hold none.

A text that is known has a code. Of another one the arrays have what it tells, as int64[n], and a `Recipe` says how the text is
made of them once they are there.

    f"{n} of {x}"       # Recipe("str.format", ...), and int64[2]: n, and the bits of x
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...graphs.lowering.packed import Packed
from ...ir.core import Operation
from ...ir.types import STR, Type
from ...passes.values.texts import made_by, makes_texts
from .codes import decoded
from .forms import Form, laid_out, natives

if TYPE_CHECKING:
    from .value import JaxValue
    from .writer import JaxWriter



def _numbers(x: JaxValue) -> Any:
    """What a value tells, int64[n]: of floats the bits."""
    data = jnp.asarray(laid_out(x))
    wide = data.astype("int64") if data.dtype.kind in "biu" else lax.bitcast_convert_type(data.astype("float64"), jnp.int64)
    return jnp.concatenate([*([] if x.count is None else [jnp.reshape(x.count, [1])]), wide.reshape(-1)])


@dataclass(frozen=True)
class Codes:
    """Texts that are codes: of any shape."""

    size = 1

    def texts(self, numbers: np.ndarray) -> np.ndarray:
        """The texts."""
        return decoded(numbers)

    def text(self, numbers: np.ndarray) -> str:
        """The text of one code."""
        return decoded(numbers).item()


@dataclass(frozen=True)
class Known:
    """An array that is known, as Python's numbers or texts."""

    items: Any
    shape: tuple[int, ...]
    dtype: Any

    size = 0

    @classmethod
    def of(cls, array: np.ndarray) -> Known:
        """That array."""
        return cls(array.reshape(-1).tolist(), array.shape, array.dtype)


@dataclass(frozen=True)
class Recipe:
    """A text that an operator makes. types: those of its operands, whose arrays are `leaves`; those that are known are there."""

    operator: str
    n_positional: int
    attributes: dict[str, Any]
    types: tuple[Type, ...]
    leaves: tuple[Form | Known, ...]

    @property
    def size(self) -> int:
        """How many numbers say what it tells."""
        return sum(leaf.size for leaf in self.leaves)

    def texts(self, numbers: np.ndarray) -> np.ndarray:
        """The text, in an array without axes."""
        return np.asarray(self.text(numbers), object)

    def text(self, numbers: np.ndarray) -> str:
        """The text."""
        return self.made([_array(leaf, part) for leaf, part in zip(self.leaves, _parts(numbers, self.leaves))])

    def made(self, arrays: Sequence[np.ndarray]) -> str:
        """The text of the arrays of all leaves."""
        return made_by(self.operator, self.n_positional, self.attributes, natives(self.types, arrays))


@dataclass(frozen=True)
class Either:
    """A text that is made in one of several ways: the first number says in which."""

    ways: tuple[Codes | Recipe, ...]

    @property
    def size(self) -> int:
        """How many numbers there are, for the longest."""
        return 1 + max(way.size for way in self.ways)

    def texts(self, numbers: np.ndarray) -> np.ndarray:
        """The text, in an array without axes."""
        return np.asarray(self.text(numbers), object)

    def text(self, numbers: np.ndarray) -> str:
        """The text."""
        way = self.ways[int(numbers[0])]
        return way.text(numbers[1 : 1 + way.size])


Spelling = Codes | Recipe | Either


def _array(leaf: Form | Known, numbers: np.ndarray) -> np.ndarray:
    return np.asarray(leaf.items, leaf.dtype).reshape(leaf.shape) if isinstance(leaf, Known) else leaf.of_numbers(numbers)


def _parts(numbers: np.ndarray, leaves: Sequence[Form | Known]) -> Iterator[np.ndarray]:
    start = 0
    for leaf in leaves:
        yield numbers[start : start + leaf.size]
        start += leaf.size


def ways_of(spelling: Spelling) -> tuple[Codes | Recipe, ...]:
    """The ways in which a text may be made."""
    return spelling.ways if isinstance(spelling, Either) else (spelling,)


def united(a: Spelling, b: Spelling) -> Spelling:
    """What a text is made by that is made by one of two."""
    ways = (*ways_of(a), *(way for way in ways_of(b) if way not in ways_of(a)))
    return ways[0] if len(ways) == 1 else Either(ways)


def as_spelled(data: Any, by: Spelling, wanted: Spelling) -> Any:
    """The numbers of a text in the form of a wider spelling."""
    if by == wanted:
        return data
    assert isinstance(wanted, Either)
    places, numbers = [wanted.ways.index(way) for way in ways_of(by)], jnp.asarray(data, "int64").reshape(-1)
    way, told = (numbers[0], numbers[1:]) if isinstance(by, Either) else (0, numbers)
    found = jnp.concatenate([jnp.asarray(places, "int64")[way].reshape(1), told])
    return jnp.pad(found, (0, wanted.size - found.shape[0]))


def makes_text(op: Operation) -> bool:
    """Whether an operation makes a text of what it is given."""
    return makes_texts(op.name) and op.results[0].type == STR


def made(g: JaxWriter, op: Operation, operands: Sequence[Packed]) -> JaxValue | None:
    """The text that an operation makes; None where it may raise."""
    values: list[Any] = [leaf for x in operands for leaf in x.leaves]
    leaves = tuple(Form.of(x) if x.array is None else Known.of(x.array) for x in values)
    recipe = Recipe(op.name, op.n_positional, op.attrs, tuple(x.type for x in operands), leaves)
    told = [_numbers(x) for x in values if x.array is None]
    try:
        text = recipe.made([_example(leaf) for leaf in leaves])
    except Exception:
        return None
    if not told:
        return g.made(np.asarray(text, object))
    found = g.made(jnp.concatenate(told), is_text=True)
    found.recipe = recipe
    return found


def _example(leaf: Form | Known) -> np.ndarray:
    """An array of a leaf, by which to see whether the text can be made."""
    if isinstance(leaf, Known):
        return _array(leaf, np.zeros(0))
    shape = () if isinstance(leaf.text, Recipe | Either) else leaf.shape
    return np.zeros(shape, leaf.dtype) if leaf.text is None else np.full(shape, "0", object)
