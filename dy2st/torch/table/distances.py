"""Distances and angles of vectors, and losses of them."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...ops.half import in_float32
from .axes import rank_of
from .pointwise import flat, kept_between, met
from .reduction import reduced, reduction_of
from .rows import need_rank, refused, row
from .vector_norms import length
from .views import reshaped


@row("cosine_similarity")
@in_float32
def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between vectors; `eps` is the least length."""
    a, b = api.broadcast_tensors(met(x1, x2))
    if rank_of(a) == 0:
        return cosine_similarity(reshaped(a, [1]), reshaped(b, [1]), 0, eps)
    lengths = [api.clip(length(x, 2, dim, True), min=eps) for x in (a, b)]
    return api.sum((a / lengths[0]) * (b / lengths[1]), axis=dim)


@row("pairwise_distance")
@in_float32
def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    """The distances of vectors along the last axis."""
    a, b = met(x1, x2)
    return length(a - b + eps, p, -1, keepdim)


@row("cdist")
@in_float32
def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: Any = None) -> Any:
    """The distance of each vector of x1 to each of x2."""
    if p < 0:
        raise refused("cdist takes a p of at least 0")
    return _length(api.unsqueeze(x1, -2) - api.unsqueeze(x2, -3), p)


@row("pdist")
@in_float32
def pdist(input: Any, p: float = 2.0) -> Any:
    """The distances of each pair of rows."""
    if p < 0 or rank_of(input) != 2:
        raise refused("pdist takes a tensor of two axes and a p of at least 0")
    n = input.shape[0]
    steps = api.arange(0, n, 1, "int64")
    first, second = (api.reshape(x, [-1]) for x in api.nonzero(api.unsqueeze(steps, 1) < steps, as_tuple=True))
    return _length(api.index_select(input, first, 0) - api.index_select(input, second, 0), p)


def _length(x: Any, p: float) -> Any:
    """The p-norm of each vector, where 0 counts those that aren't 0, and NaN makes that NaN."""
    if p != 0:
        return length(x, p, -1)
    ones = api.minimum(api.ceil(api.abs(x)), api.ones_like(x))
    return flat(api.sum(ones.detach(), axis=-1), api.sum(x, axis=-1))


def _clamped(x: Any) -> Any:
    return kept_between(x, api.zeros_like(x))


@row("nn.functional.margin_ranking_loss")
def margin_ranking_loss(
    input1: Any, input2: Any, target: Any, margin: Any = 0, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
) -> Any:
    """How far pairs are from the order that the target says."""
    for other in (input2, target):
        need_rank(other, rank_of(input1), "margin_ranking_loss: an input")
    a, b, sign = met(input1, input2, target)
    return reduced(_clamped(-sign * (a - b) + margin), reduction, size_average, reduce)


@row("nn.functional.hinge_embedding_loss")
def hinge_embedding_loss(
    input: Any, target: Any, margin: Any = 1.0, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
) -> Any:
    """The distances of what is alike, and what those of the rest lack."""
    zero = api.zeros_like(input)
    found = api.where(target != 1, _clamped(margin - input), zero) + api.where(target != -1, input, zero)
    return reduced(found, reduction, size_average, reduce)


@row("nn.functional.cosine_embedding_loss")
@in_float32
def cosine_embedding_loss(
    input1: Any, input2: Any, target: Any, margin: Any = 0, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
) -> Any:
    """The angles of what is alike, and what those of the rest lack."""
    a, b = met(input1, input2)
    dots = [api.sum(x * y, axis=rank_of(target)) for x, y in ((a, b), (a, a), (b, b))]
    cosine = dots[0] * api.rsqrt((dots[1] + 1e-12) * (dots[2] + 1e-12))
    zero = api.zeros_like(cosine)
    found = api.where(target == 1, 1 - cosine, zero) + api.where(target == -1, _clamped(cosine - margin), zero)
    return reduced(found, reduction, size_average, reduce)


@row("nn.functional.triplet_margin_loss")
def triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: Any = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False,
    size_average: Any = None, reduce: Any = None, reduction: Any = "mean",
) -> Any:  # fmt: skip
    """How much nearer than the negative the positive is to the anchor, less than the margin."""
    anchor, positive, negative = met(anchor, positive, negative)
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = api.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced(_clamped(near - far + margin), reduction_of(reduction, size_average, reduce))


@row("margin_ranking_loss")
def torch_margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, reduction: Any = 1) -> Any:
    """As `nn.functional.margin_ranking_loss`."""
    return margin_ranking_loss(input1, input2, target, margin, reduction=reduction)


@row("hinge_embedding_loss")
def torch_hinge_embedding_loss(input: Any, target: Any, margin: Any = 1.0, reduction: Any = 1) -> Any:
    """As `nn.functional.hinge_embedding_loss`."""
    return hinge_embedding_loss(input, target, margin, reduction=reduction)


@row("cosine_embedding_loss")
def torch_cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, reduction: Any = 1) -> Any:
    """As `nn.functional.cosine_embedding_loss`."""
    return cosine_embedding_loss(input1, input2, target, margin, reduction=reduction)


@row("triplet_margin_loss")
def torch_triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: Any = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False,
    reduction: Any = 1,
) -> Any:  # fmt: skip
    """As `nn.functional.triplet_margin_loss`."""
    return triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=reduction)
