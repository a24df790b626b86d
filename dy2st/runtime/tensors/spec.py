"""InputSpec: dtype and shape of an input; and trees of arguments, with InputSpecs or tensors as leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from ... import pytree
from ...dtypes import dtype_name
from ...errors import ConversionError
from ...ir.types import TensorType, Type
from .tensor import Tensor

OPEN_AXES = "open_axes"  # an attribute of tensors: the axes of which the length differs from call to call


class InputSpec:
    """The shape, dtype and name of one input tensor (`paddle.static.InputSpec`).

    shape: a list or tuple of lengths; None or -1 where the length is known only at run time. name: of the input, or None.
    stop_gradient: whether no gradient flows into it. TypeError: no list, or a name that is no text. ValueError: another length.
    DTypeError: no dtype.

    >>> dy2st.static.InputSpec([None, 3], "float32").shape
    (-1, 3)
    """

    def __init__(self, shape: Any, dtype: Any = "float32", name: str | None = None, stop_gradient: bool = False):
        self.shape = _checked_shape(shape)
        self.dtype = dtype_name(dtype)
        if name is not None and not isinstance(name, str):
            raise TypeError(f"InputSpec's name is a str or None, not {type(name).__name__}")
        self.name = name
        self.stop_gradient = stop_gradient

    @classmethod
    def from_tensor(cls, tensor: Tensor, name: str | None = None) -> InputSpec:
        """The spec of exactly this tensor's shape and dtype: a new InputSpec. ValueError: `tensor` is no Tensor."""
        if not isinstance(tensor, Tensor):
            raise ValueError(f"InputSpec.from_tensor takes a Tensor, not {type(tensor).__name__}")
        known: Any = tensor.static_shape
        shape = [n if isinstance(n, int) else None for n in known] if tensor.is_staged else known
        return cls(shape, tensor.dtype, name or tensor.given_name, tensor.stop_gradient)

    @classmethod
    def from_numpy(cls, ndarray: np.ndarray, name: str | None = None) -> InputSpec:
        """The spec of exactly this array's shape and dtype: `ndarray` is one."""
        return cls(ndarray.shape, ndarray.dtype, name)

    def batch(self, batch_size: int) -> InputSpec:
        """Insert a leading axis of the length `batch_size`, in place; gives this spec. TypeError: no int.

        ValueError: a length below -1. ConversionError: one that only the Program knows.
        """
        if hasattr(batch_size, "_value"):
            raise ConversionError(
                "InputSpec.batch: batch_size is known only when the Program runs, and a spec is made before; write None for any "
                "length, or batch(...) outside of the function"
            )
        if not isinstance(batch_size, int | np.integer):
            raise TypeError(f"batch_size is an int, not {type(batch_size).__name__}")
        self.shape = _checked_shape([int(batch_size), *self.shape])
        return self

    def unbatch(self) -> InputSpec:
        """Drop the leading axis, in place; gives this spec. ValueError: there is none."""
        if not self.shape:
            raise ValueError("unbatch() of an InputSpec without axes")
        self.shape = self.shape[1:]
        return self

    @property
    def type(self) -> TensorType:
        """The IR type of such a tensor."""
        return TensorType(self.dtype, tuple(None if d == -1 else d for d in self.shape))

    def accepts(self, value: Any) -> bool:
        """Whether a tensor or array, `value`, has this dtype and a shape that this spec covers."""
        return (
            value.dtype.name == self.dtype
            and len(value.shape) == len(self.shape)
            and all(d in (-1, n) for d, n in zip(self.shape, value.shape))
        )

    def _key(self) -> tuple:
        return (self.shape, self.dtype, self.stop_gradient)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InputSpec) and (*self._key(), self.name) == (*other._key(), other.name)

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"InputSpec(shape={self.shape}, dtype={self.dtype}, name={self.name}, stop_gradient={self.stop_gradient})"


class ValueSpec:
    """An input that is known by its IR type alone: a number, a text, a container, an object, a tensor of any rank."""

    def __init__(self, type: Type, name: str = ""):
        self.type, self.name = type, name

    def __repr__(self) -> str:
        return f"ValueSpec({self.type}, name={self.name!r})"


def _checked_shape(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, int) or shape is None or isinstance(shape, str):
        raise TypeError(f"InputSpec's shape is a list or tuple of ints and None, not {shape!r}")
    dims = tuple(-1 if d is None else d for d in shape)
    for d in dims:
        if not isinstance(d, int | np.integer) or isinstance(d, bool) or d < -1:
            raise ValueError(
                f"InputSpec's shape holds ints >= 0, and None or -1 for an unknown length; {d!r} in {tuple(shape)} is neither"
            )
    return tuple(int(d) for d in dims)


# --- trees of arguments ------------------------------------------------------------------------------------------------


def is_tensor(value: Any) -> bool:
    """Whether a value is a Tensor."""
    return isinstance(value, Tensor)


def is_leaf(value: Any) -> bool:
    """Whether a value in an argument list is an input of the Program."""
    return isinstance(value, Tensor | np.ndarray | InputSpec | ValueSpec)


def leaves(tree: Any) -> Iterator[Any]:
    """The leaves in order; what stands in the tree twice, a container or a leaf that stands for one, is entered once."""
    return _leaves(tree, {})


def _leaves(tree: Any, entered: dict[int, Any]) -> Iterator[Any]:
    if id(tree) in entered:
        return
    if is_leaf(tree):
        entered.update({id(tree): tree} if isinstance(tree, ValueSpec) else {})
        yield tree
    elif pytree.kind_of(tree) is not None:
        entered[id(tree)] = tree
        for _, part in pytree.parts_of(tree):
            yield from _leaves(part, entered)


def holds_leaf(tree: Any) -> bool:
    """Whether a tree has a leaf."""
    return pytree.holds_leaf(tree, is_leaf)


def tensors(tree: Any) -> Iterator[Tensor]:
    """The Tensors among the leaves."""
    return filter(is_tensor, leaves(tree))


def has_parts(tree: Any) -> bool:
    """Whether a call is told from others by what a value holds: a container, a dataclass, or an object with a leaf in it."""
    return pytree.kind_of(tree) is not None and (not pytree.is_object(tree) or is_dataclass(tree) or holds_leaf(tree))


def map_leaves(tree: Any, function: Any) -> Any:
    """The same structure with `function(leaf)` for each leaf; new containers of the same classes."""
    return map_named(tree, "", lambda leaf, name: function(leaf))


def map_named(tree: Any, name: str, function: Any, made: dict[int, Any] | None = None) -> Any:
    """The same with `function(leaf, its name)`: `name` for the tree, in a list or tuple name_0, name_1, else the key or field.

    An object without a leaf stays the object that it is. made: what was made of containers so far, by id: each of them once.
    """
    if is_leaf(tree):
        return function(tree, name)
    if not has_parts(tree):
        return tree
    made = {} if made is None else made
    if id(tree) not in made:
        parts = [map_named(part, name_of_part(tree, name, key), function, made) for key, part in pytree.parts_of(tree)]
        made[id(tree)] = pytree.rebuilt(tree, parts)
    return made[id(tree)]


def name_of_part(tree: Any, name: str, key: pytree.Key) -> str:
    """What a part of a tree called `name` is called."""
    if isinstance(key, pytree.FieldKey):
        return key.name
    return str(key.key) if isinstance(tree, dict) else f"{name}_{key.key}"


def spec_of(leaf: Any, name: str | None = None) -> Any:
    """The spec that a leaf is, or has, called `name` unless it has one; with the axes open that `dynamic_dims` has named."""
    if isinstance(leaf, ValueSpec):
        return leaf
    if isinstance(leaf, InputSpec):
        return leaf if leaf.name or not name else InputSpec(leaf.shape, leaf.dtype, name, leaf.stop_gradient)
    spec = InputSpec.from_tensor(leaf) if isinstance(leaf, Tensor) else InputSpec.from_numpy(leaf)
    for axis in getattr(leaf, OPEN_AXES, ()):
        spec.shape = (*spec.shape[:axis], -1, *spec.shape[axis + 1 :])
    spec.name = spec.name or name
    if not isinstance(leaf, Tensor):
        spec.stop_gradient = True  # as `to_tensor` gives it
    return spec


def structure_key(tree: Any) -> Any:
    """A hashable key of everything in a tree that isn't a leaf.

    Equal keys, equal Programs. Objects without a leaf count by identity, unless they are dataclasses; so do numbers and texts
    that have attributes. A container that stands in the tree twice is told from two that are equal.
    """
    return _structure_key(tree, {})


def _structure_key(tree: Any, entered: dict[int, int]) -> Any:
    if isinstance(tree, InputSpec):
        return tree._key()
    if is_leaf(tree):
        return "leaf"
    if has_parts(tree):
        if id(tree) in entered:
            return ("again", entered[id(tree)])
        if not pytree.is_frozen(type(tree)) or holds_leaf(tree):
            entered[id(tree)] = len(entered)
        keys = ((key, _structure_key(part, entered)) for key, part in pytree.parts_of(tree))
        if isinstance(tree, set | frozenset):
            return (pytree.setting_of(tree), frozenset(key for _, key in keys))
        return (pytree.setting_of(tree), *keys)
    if isinstance(tree, bool | int | float | complex | str | bytes | type(None)) and not hasattr(tree, "__dict__"):
        return (type(tree), repr(tree))
    return ("object", id(tree))
