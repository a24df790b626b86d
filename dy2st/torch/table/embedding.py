"""Rows of tables, and sums, means or greatest elements of bags of them."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from .axes import rank_of
from .rows import counted, demanded, of_lengths, refused, row, written

F = api.nn.functional


def _renormed(weight: Any, input: Any, max_norm: Any, norm_type: float) -> None:
    """The rows that are asked for, made shorter in place where they are longer than max_norm."""
    table = weight.detach()
    used = api.any(api.reshape(input, [-1, 1]) == api.arange(0, weight.shape[0], 1, "int64"), axis=0)
    lengths = api.linalg.vector_norm(table, norm_type, axis=1)
    scale = api.where(used & (lengths > max_norm), max_norm / (lengths + 1e-7), api.ones_like(lengths))
    with api.no_grad():
        written(weight, table * api.unsqueeze(scale, 1))


@row("nn.functional.embedding")
def embedding(
    input: Any, weight: Any, padding_idx: Any = None, max_norm: Any = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Any:  # fmt: skip
    """Rows of a table."""
    if max_norm is not None:
        _renormed(weight, input, max_norm, norm_type)
    padding = -1 if padding_idx is None else padding_idx % weight.shape[0]
    return torch_embedding(weight, input, padding, scale_grad_by_freq, sparse)


@row("embedding")
def torch_embedding(
    weight: Any, indices: Any, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Any:
    """Rows of a table; the gradient of the row padding_idx is 0."""
    if sparse:
        raise refused("an embedding gives its table a dense gradient; leave out sparse")
    rows = F.embedding(indices, weight)
    if scale_grad_by_freq:
        rows = _by_frequency(rows, indices, weight.shape[0])
    if padding_idx < 0:
        return rows
    is_padding = api.unsqueeze(indices == padding_idx, -1)
    return api.where(is_padding, rows.detach(), rows)


def _by_frequency(rows: Any, indices: Any, count: Any) -> Any:
    """The same rows, of which each hands on its gradient divided by how often its index is there."""
    places = api.reshape(indices, [-1])
    counts = api.put_along_axis(api.zeros([count], "int64"), places, api.ones_like(places), 0, reduce="add", broadcast=False)
    shares = 1 / F.embedding(indices, api.unsqueeze(counts, 1)).astype(rows.type.dtype)
    plain = rows.detach()
    return api.where(api.isfinite(plain), plain + (rows - plain) * shares, rows)


@row("embedding_renorm_")
def embedding_renorm_(input: Any, indices: Any, max_norm: Any, norm_type: float) -> Any:
    """Rows of a table, made shorter in place where they are longer than max_norm."""
    _renormed(input, indices, max_norm, norm_type)
    return input


@row("nn.functional.embedding_bag")
def embedding_bag(
    input: Any, weight: Any, offsets: Any = None, max_norm: Any = None, norm_type: float = 2, scale_grad_by_freq: bool = False,
    mode: str = "mean", sparse: bool = False, per_sample_weights: Any = None, include_last_offset: bool = False,
    padding_idx: Any = None,
) -> Any:  # fmt: skip
    """The sums, means or greatest elements of bags of rows. Empty bags give 0."""
    if sparse:
        raise refused("embedding_bag gives its table a dense gradient; leave out sparse")
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(f"embedding_bag: per_sample_weights is only supported for mode='sum' (got mode='{mode}')")
    if (rank_of(input) == 2) != (offsets is None):
        raise ValueError("embedding_bag takes input of two axes, or of one axis and offsets")
    if max_norm is not None:
        _renormed(weight, input, max_norm, norm_type)
    if per_sample_weights is not None:
        says = "embedding_bag: per_sample_weights has the shape of the input"
        per_sample_weights = of_lengths(per_sample_weights, input.shape, says, "ValueError")
    if offsets is not None and offsets.static_shape != [0]:
        offsets = demanded(offsets, offsets[:1] == 0, "embedding_bag: offsets[0] has to be 0")
        offsets = demanded(offsets, offsets <= input.shape[0], "embedding_bag: an offset is past the end of the input")
        if mode != "max":
            offsets = demanded(offsets, offsets[:-1] <= offsets[1:], "embedding_bag: an offset is less than the one before")
    is_member = _members(input, offsets, include_last_offset)
    indices = counted(api.reshape(input, [-1]), weight.shape[0], "embedding_bag")
    if padding_idx is not None:
        is_member = is_member & (indices != padding_idx % weight.shape[0])
    rows = F.embedding(indices, weight)
    if scale_grad_by_freq:
        rows = _by_frequency(rows, indices, weight.shape[0])
    if mode == "max":
        wide = api.unsqueeze(is_member, 2)
        sizes = api.where(wide, api.unsqueeze(rows, 0), api.to_tensor(-math.inf, dtype=rows.type.dtype))
        if 0 in sizes.static_shape:
            return api.sum(api.where(wide, sizes, api.zeros_like(sizes)), axis=1)
        first = api.argmax(sizes, axis=1, keepdim=True)  # of equal ones, such as one row twice, the gradient goes to the first
        found = api.squeeze(api.take_along_axis(sizes, first, 1), 1)
        return api.where(api.any(wide, axis=1), found, api.zeros_like(found))
    if per_sample_weights is not None:
        rows = rows * api.reshape(per_sample_weights, [-1, 1])
    total = _total(rows, is_member, None if offsets is not None else input.shape[1])
    if mode == "sum":
        return total
    return total / api.clip(api.sum(is_member.astype(rows.type.dtype), axis=1, keepdim=True), min=1.0)


def _total(rows: Any, is_member: Any, length: Any) -> Any:
    """The sum of the rows of each bag. None meets those of another bag, as in a product of matrices: 0 times NaN is NaN.

    length: of all bags, which lie one after the other; None where they have lengths of their own.
    """
    bags, width = is_member.shape[0], rows.shape[1]
    is_somewhere = api.unsqueeze(api.any(is_member, axis=0), 1)
    here = api.where(is_somewhere, rows, api.zeros_like(rows))
    if length is not None:
        return api.sum(api.reshape(here, [bags, length, width]), axis=1)
    numbers = api.unsqueeze(api.arange(0, bags, 1, "int64"), 1)
    places = api.sum(api.where(is_member, numbers, api.zeros_like(numbers)), axis=0)
    return api.index_add(api.zeros([bags, width], rows.type.dtype), places, 0, here)


def _members(input: Any, offsets: Any, include_last_offset: bool) -> Any:
    """[bags, indices]: whether an index belongs to a bag."""
    if offsets is None:
        bags, length = input.shape
        return api.unsqueeze(api.arange(0, bags, 1, "int64"), 1) == api.arange(0, bags * length, 1, "int64") // length
    places = api.arange(0, input.shape[0], 1, "int64")
    starts = api.unsqueeze(offsets.astype("int64"), 1)
    if include_last_offset:
        return (places >= starts[:-1]) & (places < starts[1:])
    ends = api.concat([starts[1:], api.full([1, 1], input.shape[0], "int64")], axis=0)
    return (places >= starts) & (places < ends)


@row("nn.functional.one_hot")
def one_hot(tensor: Any, num_classes: Any = -1) -> Any:
    """1 at the place of each class, 0 elsewhere."""
    if isinstance(num_classes, int) and num_classes < 0:
        largest = api.max(tensor)
        num_classes = demanded(largest, largest < 2**63 - 1, "one_hot: the number of classes is past int64").item() + 1
    tensor = demanded(tensor, tensor >= 0, "Class values must be non-negative.")
    tensor = demanded(tensor, tensor < num_classes, "Class values must be smaller than num_classes.")
    classes = api.arange(0, num_classes, 1, "int64")
    return api.equal(api.unsqueeze(tensor, -1), classes).astype("int64")
