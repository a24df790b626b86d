"""Normalisations, and Dropout."""

from __future__ import annotations

from typing import Any

from ....api.random import bernoulli
from ....errors import ConversionError
from ....ops import elementwise, reduce, select, unary
from ....ops.cast import cast
from ....ops.creation import full, full_like
from ....ops.norm import batch_norm as batch_norm_op
from ....ops.norm import normalize
from ....ops.padding import pad
from ....ops.registry import lookup
from ....ops.views import reshape
from ....runtime.convert import convert_ifelse
from ....runtime.tensors.tensor import Tensor
from ..axes import normal
from ..registry import node
from ..slices import part
from ..tensors import dtype_of
from ..values import few


@node("BatchNormalization", since=7)
def batch_norm(
    x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, var: Tensor, *, epsilon: float = 1e-5, momentum: float = 0.9,
    spatial: int = 1, training_mode: int = 0,
) -> Any:  # fmt: skip
    """By the given statistics; in training mode by those of x, and the running ones with these in them."""
    if not spatial:
        raise ConversionError("BatchNormalization with a mean for each place (spatial=0) can't be loaded")
    dtype = x.dtype.name
    if not training_mode:
        return _normalized(x, mean, var, scale, bias, epsilon)
    axes = (0, *range(2, x.ndim))
    own_mean = reduce.reduce_mean(x, axis=axes, keepdim=False)
    centred = x - _wide(own_mean, x)
    own_var = reduce.reduce_mean(unary.square(centred), axis=axes, keepdim=False)
    running = [cast(old, dtype=dtype) * momentum + new * (1 - momentum) for old, new in ((mean, own_mean), (var, own_var))]
    found = _normalized(x, own_mean, own_var, scale, bias, epsilon)
    return found, *(cast(one, dtype=old.dtype.name) for one, old in zip(running, (mean, var)))


def _normalized(x: Tensor, mean: Tensor, var: Tensor, scale: Tensor, bias: Tensor, epsilon: float) -> Tensor:
    dtype = x.dtype.name
    given = [one if one.dtype.name == dtype else cast(one, dtype=dtype) for one in (mean, var, scale, bias)]
    return batch_norm_op(x, *given, axis=1, epsilon=epsilon)


def _wide(statistic: Tensor, x: Tensor) -> Tensor:
    """[C] as it broadcasts to [N, C, ...]."""
    return reshape(statistic, shape=[1, -1] + [1] * (x.ndim - 2))


@node("InstanceNormalization", since=6)
def instance_norm(x: Tensor, scale: Tensor, bias: Tensor, *, epsilon: float = 1e-5) -> Tensor:
    found, _, _ = normalize(x, axis=list(range(2, x.ndim)), epsilon=epsilon)
    return found * _wide(scale, x) + _wide(bias, x)


@node("LayerNormalization")
def layer_norm(
    x: Tensor, scale: Tensor, bias: Tensor | None = None, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> tuple[Tensor, Tensor, Tensor]:
    """Over the axes from one on; and the mean and the reciprocal of the deviation, in the dtype that it is computed in."""
    (first,) = normal([axis], x.ndim)
    stashed = cast(x, dtype=dtype_of(stash_type)) if x.dtype.name != dtype_of(stash_type) else x
    found, mean, var = normalize(stashed, axis=list(range(first, x.ndim)), epsilon=epsilon)
    found = (cast(found, dtype=x.dtype.name) if found.dtype != x.dtype else found) * scale
    return found if bias is None else found + bias, mean, unary.rsqrt(var + epsilon)


@node("LRN", folds=False)
def local_response(x: Tensor, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0) -> Tensor:
    """By the squares of the channels around each."""
    before, channels = (size - 1) // 2, x.shape[1]
    squares = pad(unary.square(x), pads=[[0, 0], [before, size - 1 - before], *[[0, 0]] * (x.ndim - 2)], mode="constant", value=0)
    total: Any = part(squares, 1, 0, channels)
    for k in range(1, few(size, "the size of LRN")):
        total = total + part(squares, 1, k, k + channels)
    return x / elementwise.power(total * (alpha / size) + bias, beta)


@node("LpNormalization")
def lp_norm(x: Tensor, *, axis: int = -1, p: int = 2) -> Tensor:
    """x by its norm along an axis; 0 where that is 0."""
    (axis,) = normal([axis], x.ndim)
    norm = (reduce.l1_norm if p == 1 else reduce.l2_norm)(x, axis=axis, keepdim=True)
    is_none = norm == 0
    return select.where(is_none, 0.0, x / select.where(is_none, 1.0, norm))


@node("Dropout", since=12, folds=False)
def dropout(
    x: Tensor, ratio: Tensor | None = None, training: Tensor | None = None, *, seed: int | None = None
) -> tuple[Tensor, Tensor]:
    """x, unless in training: then elements are dropped at random, and what is left is scaled; and which are left."""
    kept = full_like(x, fill_value=True, dtype="bool")
    if training is None:
        return x, kept
    is_training = lookup("py.truth")(training) if training.is_staged else bool(training._data)
    share = 0.5 if ratio is None else lookup("py.item")(ratio) if ratio.is_staged else float(ratio._data)
    return convert_ifelse(is_training, lambda: _dropped(x, share), lambda: (x, kept))


def _dropped(x: Tensor, share: Any) -> tuple[Tensor, Tensor]:
    left = bernoulli(full(shape=x.shape, fill_value=1 - share, dtype="float32"))
    return x * cast(left, dtype=x.dtype.name) * (1 / (1 - share)), cast(left, dtype="bool")


@node("Dropout")
def no_dropout(x: Tensor, *, ratio: float = 0.5) -> tuple[Tensor, Tensor]:
    """x: nothing is dropped in inference."""
    return x, full_like(x, fill_value=True, dtype="bool")
