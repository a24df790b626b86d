"""embedding: rows of a table, and its transpose. The row `padding_idx` reads as zeros and gets no gradient."""

from __future__ import annotations

import numpy as np

from ..ir.types import TensorType
from .dims import integer_tensor, known, leaf, of_rank
from .lowered import embedding as lowered
from .registry import define
from .rules import need_tensor
from .walks import add_at


def _infer_embedding(ids, weight, padding_idx=None):
    """ids [...] of integers, weight [rows, width] -> [..., width]."""
    width = of_rank(weight, 2, "embedding (the weight)")[1]
    shape = integer_tensor(ids, "embedding").shape
    return TensorType(weight.dtype, None if shape is None else (*shape, width))


def _check(ids: np.ndarray, rows: int) -> None:
    # Of a small array, `argmin` gives the least in a fifth of the time that `min` takes.
    if ids.size and (ids.item(ids.argmin()) < 0 or ids.item(ids.argmax()) >= rows):
        wrong = ids[(ids < 0) | (ids >= rows)].flat[0]
        raise IndexError(f"embedding: id {wrong} is outside the {rows} rows 0 to {rows - 1} of the weight")


def _kernel_embedding(ids, weight, padding_idx=None):
    _check(ids, weight.shape[0])
    found = weight.take(ids, 0)
    if padding_idx is not None:
        _check_padding(padding_idx, weight.shape[0])
        found[ids == padding_idx] = 0
    return found


def _check_padding(padding_idx: int, rows: int) -> None:
    """Counted from the front; only the Program knows the rows of an open number of them."""
    if not 0 <= padding_idx < rows:
        given = padding_idx if padding_idx >= 0 else padding_idx - rows
        raise ValueError(f"padding_idx {given} is outside the {rows} rows of the weight")


def _grad_embedding(ctx, g):
    ids, weight = ctx.inputs
    return None, embedding_spread(ids, g, rows=weight.shape[0], padding_idx=ctx.attrs.get("padding_idx"))


embedding = define(
    "embedding",
    kernel=_kernel_embedding,
    in_words=True,
    infer=_infer_embedding,
    grad=_grad_embedding,
    raises=("IndexError",),
    onnx=lowered.embedding,
)


def _infer_spread(ids, g, rows, padding_idx=None):
    shape = need_tensor("embedding_spread", g).shape
    count = leaf(rows)
    return TensorType(g.dtype, (count if known(count) else None, None if shape is None else shape[-1]))


def _kernel_spread(ids, g, rows, padding_idx=None):
    """[rows, width]: each row the sum of the gradients of its occurrences."""
    _check(ids, rows)
    flat, rows_of_g = ids.reshape(-1), g.reshape(ids.size, g.shape[-1])
    if padding_idx is not None:
        kept = flat != padding_idx
        flat, rows_of_g = flat[kept], rows_of_g[kept]
    result = np.zeros((rows, g.shape[-1]), g.dtype)
    add_at(result, flat, rows_of_g)
    return result


embedding_spread = define(
    "embedding_spread",
    kernel=_kernel_spread,
    in_words=True,
    infer=_infer_spread,
    grad=lambda ctx, h: (None, embedding(ctx.inputs[0], h, padding_idx=ctx.attrs.get("padding_idx"))),
    raises=("IndexError",),
    onnx=lowered.embedding_spread,
)
