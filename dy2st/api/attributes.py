"""What a tensor is: shape, size, values as Python objects; under Paddle's names."""

from __future__ import annotations

import copy
from functools import reduce
from operator import mul
from typing import Any

from ..errors import StagedValueError
from ..ops import shape as shapes
from ..ops.registry import lookup
from ..runtime.recorder.recorder import user_loc
from ..runtime.tensors.tensor import Tensor
from ..runtime.tensors.unique_names import copied
from .checks import known_rank, need_tensor
from .modes import CPUPlace
from .tensor_methods import tensor_method, tensor_property

__all__ = (  # fmt: skip
    "numel",
    "rank",
    "shape",
)


def shape(input: Tensor) -> Tensor:
    """The lengths of the axes of `input`, of any dtype, as a 1-d int64 Tensor; `input.shape` gives them as a list."""
    return shapes.shape(need_tensor("shape", input, "input"))


@tensor_method()
def numel(x: Tensor, name: str | None = None) -> Tensor:
    """The number of elements of x, of any dtype, as a 0-d int64 Tensor."""
    return shapes.numel(need_tensor("numel", x))


@tensor_property("ndim")
@tensor_method("ndimension", "dim")
def rank_of(x: Tensor) -> int:
    """The number of axes of x, of any shape, as an int; ConversionError where it is unknown while staging."""
    return known_rank("ndim", x)


@tensor_method()
def rank(input: Tensor) -> Tensor:
    """The number of axes of `input` as a 0-d int32 Tensor. ConversionError where it is unknown while staging."""
    from .creation import full

    return full([], rank_of(need_tensor("rank", input, "input")), "int32")


@tensor_property("size")
def _size(x: Tensor) -> int:
    """The number of elements as an int (staged where a length is)."""
    return reduce(mul, x.shape, 1)


@tensor_property("place")
def _place(x: Tensor) -> CPUPlace:
    """Where the tensor lives: always the CPU."""
    return CPUPlace()


@tensor_method()
def item(x: Tensor, *index: int) -> Any:
    """The only element of x, or the one at `index`, as a Python number; a single index counts through all elements.

    x has one element, or any shape where an index is given, and any dtype. While recording, the number is staged. ValueError: x
    has several elements, or `index` is neither one int nor one for each axis.

    >>> dy2st.to_tensor([[1, 2], [3, 4]]).item(1, 0)
    3
    """
    if len(index) > 1 and x.type.rank not in (None, len(index)):
        raise ValueError(f"item() takes one index, or one for each axis of a tensor of shape {x.shape}, not {len(index)}")
    if x.is_staged:
        if len(index) == 1:
            x = x.reshape([-1])  # type: ignore[attr-defined]
        return lookup("py.item")(x[index] if index else x)  # type: ignore[index]
    array = x._array("x.item()")
    if not index and array.size != 1:
        raise ValueError(f"item() takes a tensor of one element, not one of shape {x.shape}; give an index")
    return array.item(*index)


@tensor_method()
def tolist(x: Tensor) -> Any:
    """The values of x as nested Python lists of numbers; one number where x has no axes. While recording, they are staged.

    >>> dy2st.to_tensor([[1, 2]]).tolist()
    [[1, 2]]
    """
    return lookup("py.tolist")(x) if x.is_staged else x._array("x.tolist()").tolist()


@tensor_method()
def element_size(x: Tensor) -> int:
    """The number of bytes of one element of x."""
    return x.dtype.numpy.itemsize


@tensor_method()
def is_contiguous(x: Tensor) -> bool:
    """Whether the elements of x, of any shape, lie in memory in row-major order: a bool. StagedValueError while recording."""
    if x.is_staged:
        raise StagedValueError(
            f"{user_loc()}: x.is_contiguous() is known only when the Program runs; leave the question out: contiguous() gives x "
            "itself, and operators take elements in any order"
        )
    return x._array("x.is_contiguous()").flags.c_contiguous


@tensor_method()
def cpu(x: Tensor) -> Tensor:
    """x itself, shape and dtype: tensors live on the CPU."""
    return x


@tensor_method("__copy__")
def shallow_copy(x: Tensor) -> Tensor:
    """Another Tensor of the same memory, shape, dtype and history as x."""
    made = type(x).__new__(type(x))
    for slot in Tensor.__slots__:
        if slot not in ("__weakref__", "__dict__"):
            setattr(made, slot, getattr(x, slot))
    made.__dict__.update(x.__dict__)
    return made


@tensor_method("__reduce__")
def pieces(x: Tensor) -> tuple:
    """What pickle takes of x, of any shape and dtype: its values. What was computed stops gradients there, as its history stays.

    Returns a tuple, as Python asks for. StagedValueError while recording.
    """
    array, leaf = x._array("pickle.dumps(x)"), x._node is None
    state = {name: value for name, value in x.__dict__.items() if name != "_hooks"}
    return remade, (type(x), array, x.stop_gradient or not leaf, x.name, x.persistable, x.grad if leaf else None), state


def remade(
    kind: type[Tensor], array: Any, stop_gradient: bool, name: str | None, persistable: bool, grad: Tensor | None
) -> Tensor:  # fmt: skip
    """The Tensor of such pieces."""
    made = kind.__new__(kind)
    Tensor.__init__(made, array, stop_gradient, name)
    made.persistable, made.grad = persistable, grad
    return made


@tensor_method("__deepcopy__")
def deep_copy(x: Tensor, memo: dict) -> Tensor:
    """A copy of x, of its shape and dtype, with memory and a name of its own. RuntimeError: an operator on the tape made x."""
    if x.is_staged:
        made = memo[id(x)] = x.clone()
        return made
    if not x.stop_gradient and x._node is not None:
        raise RuntimeError("only leaf tensors can be deep-copied; this one was computed from tensors that require a gradient")
    made = type(x).__new__(type(x))
    Tensor.__init__(made, x._array("copy.deepcopy(x)").copy(), x.stop_gradient, x.name and copied(x.name))
    made.persistable = x.persistable
    memo[id(x)] = made
    made.__dict__.update(copy.deepcopy({k: v for k, v in x.__dict__.items() if k != "_hooks"}, memo))
    return made
