"""Losses as functions, under Paddle's names. `reduction` is "mean", "sum" or "none"."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, known_rank, need_tensor, operands, to_dtype
from ...api.known import of_shape, of_some_length
from ...api.shape_args import axis_leaf
from ...errors import DTypeError, ShapeError
from ...ir.shape import shape_agrees, shape_text
from ...ops import softmax
from ...ops.cast import cast
from ...ops.compare import less_equal, not_equal
from ...ops.elementwise import add, divide, maximum, multiply, negative, subtract
from ...ops.half import in_float32
from ...ops.index import gather
from ...ops.nll import nll
from ...ops.reduce import reduce_mean, reduce_sum
from ...ops.rules import need_real
from ...ops.select import where
from ...ops.unary import absolute, exp, log, square
from ...ops.views import reshape, squeeze, unsqueeze
from ...runtime.tensors.tensor import Tensor
from .activation import softplus
from .lengths import check_channels, weighed

__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "kl_div", "l1_loss", "mse_loss", "nll_loss",
    "smooth_l1_loss",
]  # fmt: skip


def reduced(op: str, loss: Tensor, reduction: str) -> Tensor:
    """The losses, their sum or their mean. DTypeError: complex losses."""
    need_real(op, loss)
    if reduction == "none":
        return loss
    if reduction not in ("mean", "sum"):
        raise ValueError(f"{op}: reduction is 'mean', 'sum' or 'none', not {reduction!r}")
    return (reduce_mean if reduction == "mean" else reduce_sum)(loss, axis=None, keepdim=False)


def same_shapes(op: str, x: Tensor, y: Tensor) -> Tensor:
    """y, which has the shape of x: ShapeError, from the Program where only that knows."""
    return of_shape(op, need_tensor(op, y, "label"), need_tensor(op, x), "the tensors don't have one shape")


def _weighted_mean(loss: Tensor, weights: Tensor) -> Tensor:
    """sum(loss) / sum(weights), where the loss is weighted already; 0 where nothing counts."""
    total, count = (reduce_sum(t, axis=None, keepdim=False) for t in (loss, weights))
    return divide(total, where(not_equal(count, 0.0), count, 1.0))


# --- classes ---------------------------------------------------------------------------------------------------------


def cross_entropy(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Minus the log-probability of the label, from logits `input` [..., C, ...] with the C classes along `axis`.

    label: integers of the shape without `axis` (or with length 1 there), or with `soft_label` probabilities of the input's shape.
    reduction: "mean" or "sum" for a 0-d loss, "none" for one of the shape of the integers; of probabilities, `axis` has length 1.
    weight [C] weighs the classes; the mean is then weighted too. Labels equal to `ignore_index` count nothing. label_smoothing:
    this part of a label is spread over all classes. With `use_softmax=False` the input holds probabilities already. The loss has
    the dtype of input, the default one for integers. DTypeError: labels that aren't integer. ShapeError: the number of axes is
    unknown. ValueError: another reduction.

    >>> round(dy2st.nn.functional.cross_entropy(dy2st.to_tensor([[0.0, 0.0]]), dy2st.to_tensor([1])).item(), 4)
    0.6931
    """
    input = floating("cross_entropy", input)
    rank = known_rank("cross_entropy", input)
    axis = axis_leaf("cross_entropy", axis, rank)
    input = check_channels("cross_entropy", input, axis, "classes", weight=weight)
    log_p = softmax.log_softmax(input, axis=axis) if use_softmax else log(input)
    if label_smoothing > 0.0:
        label, soft_label = _smoothed(label, input, axis, soft_label, label_smoothing), True
    if soft_label:
        return _soft_cross_entropy(log_p, to_dtype(label, input.dtype.name), weight, reduction, axis)
    label = need_tensor("cross_entropy", label, "label")
    _check_label(input, label, axis)
    has_axis = known_rank("cross_entropy (for the label)", label) == rank
    if has_axis:
        label = squeeze(label, axis=[axis])
    loss = _hard(log_p, label, weight, ignore_index, reduction, axis, "cross_entropy")
    return unsqueeze(loss, axis=[axis]) if has_axis and reduction == "none" else loss


def _check_label(input: Tensor, label: Tensor, axis: int) -> None:
    """ShapeError where integer labels have surely neither the shape of the input without `axis`, nor with length 1 there."""
    shape = input.type.shape
    if shape is None or label.type.shape is None or not label.dtype.is_integer:
        return
    fitting = [(*shape[:axis], *kept, *shape[axis + 1 :]) for kept in ((), (1,))]
    if not any(shape_agrees(one, label.type.shape) for one in fitting):
        told = " or ".join(shape_text(one) for one in fitting)
        raise ShapeError(f"cross_entropy: with the input {input.type} the label is an integer {told}, not {label.type}")


def _hard(log_p: Tensor, label: Tensor, weight: Tensor | None, ignore_index: int, reduction: str, axis: int, op: str) -> Tensor:
    if not label.dtype.is_integer:
        raise DTypeError(f"{op}: labels are integers, not {label.dtype.name}; soft_label=True takes probabilities")
    loss = nll(log_p, label, axis=axis, ignore_index=int(ignore_index))
    if weight is None and reduction != "mean":
        return reduced(op, loss, reduction)
    counts = not_equal(label, int(ignore_index))
    if weight is None:
        return _weighted_mean(loss, cast(counts, dtype=loss.dtype.name))
    picked = gather(to_dtype(weight, loss.dtype.name), where(counts, label, 0), axis=0)
    weights = where(counts, picked, 0.0)
    loss = multiply(loss, weights)
    return _weighted_mean(loss, weights) if reduction == "mean" else reduced(op, loss, reduction)


def _smoothed(label: Tensor, input: Tensor, axis: int, soft: bool, amount: float) -> Tensor:
    """Probabilities that keep `1 - amount` for the label and spread the rest evenly."""
    from ...ops.creation import one_hot
    from ...ops.views import transpose

    classes = of_some_length("cross_entropy", input, axis, "there are no classes").shape[axis]
    if not soft:
        rank = input.type.rank or 0
        if label.type.rank == rank:
            label = squeeze(label, axis=[axis])
        label = one_hot(label, num_classes=classes, dtype=input.dtype.name)
        if axis % rank != rank - 1:
            perm = list(range(rank - 1))
            perm.insert(axis % rank, rank - 1)
            label = transpose(label, perm=perm)
    return add(multiply(label, 1.0 - amount), amount / classes)


def _soft_cross_entropy(log_p: Tensor, label: Tensor, weight: Tensor | None, reduction: str, axis: int) -> Tensor:
    """Paddle keeps the class axis, with length 1, where nothing is reduced."""
    loss = negative(reduce_sum(multiply(log_p, label), axis=axis, keepdim=True))
    if weight is None:
        return reduced("cross_entropy", loss, reduction)
    rank = log_p.type.rank or 0
    wide = reshape(to_dtype(weight, log_p.dtype.name), shape=[-1 if a == axis % rank else 1 for a in range(rank)])
    weights = reduce_sum(multiply(label, wide), axis=axis, keepdim=True)
    loss = multiply(loss, weights)
    return _weighted_mean(loss, weights) if reduction == "mean" else reduced("cross_entropy", loss, reduction)


def nll_loss(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """Minus the entry of the label in log-probabilities `input` [N, C, ...]; label [N, ...] of integers.

    weight [C], ignore_index, reduction, the loss's shape and dtype and the errors as in `cross_entropy`. DTypeError: labels that
    aren't integer.
    """
    return _hard(
        floating("nll_loss", input), need_tensor("nll_loss", label, "label"), weight, ignore_index, reduction, 1, "nll_loss"
    )


# --- distances -------------------------------------------------------------------------------------------------------


def _difference(op: str, input: Tensor, label: Tensor) -> Tensor:
    return subtract(*operands(op, need_tensor(op, input, "input"), need_tensor(op, label, "label"), fractions=True))


def mse_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Tensor:
    """(input - label) squared.

    input, label: tensors whose shapes broadcast and whose dtypes are promoted, integers to the default one. reduction: "mean" or
    "sum" for a 0-d loss, "none" for one of the broadcast shape; ValueError for another.

    >>> dy2st.nn.functional.mse_loss(dy2st.to_tensor([1.0, 3.0]), dy2st.zeros([2])).item()
    5.0
    """
    return reduced("mse_loss", square(_difference("mse_loss", input, label)), reduction)


def l1_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Tensor:
    """|input - label|. input, label, reduction, the loss's shape and dtype and the errors as in `mse_loss`."""
    return reduced("l1_loss", absolute(_difference("l1_loss", input, label)), reduction)


def smooth_l1_loss(
    input: Tensor, label: Tensor, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True, name: str | None = None
) -> Tensor:
    """Half the squared difference where it is at most `delta`, else delta * (|difference| - delta / 2).

    Where not `is_huber`, divided by `delta`. input, label, reduction, the loss's shape and dtype and the errors as in `mse_loss`.
    """
    difference = _difference("smooth_l1_loss", input, label)
    size = absolute(difference)
    far = multiply(subtract(size, 0.5 * delta), delta)
    loss = where(less_equal(size, delta), multiply(square(difference), 0.5), far)
    return reduced("smooth_l1_loss", loss if is_huber else divide(loss, delta), reduction)


# --- probabilities ---------------------------------------------------------------------------------------------------


@in_float32
def binary_cross_entropy(
    input: Tensor, label: Tensor, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """-(label * log(input) + (1 - label) * log(1 - input)); logarithms below -100 count as -100.

    input: probabilities of any shape; label: a tensor of that shape, between 0 and 1; dtypes are promoted. weight: a factor that
    broadcasts to them, or None. reduction: "mean" or "sum" for a 0-d loss, "none" for one of their shape; ValueError for another.
    """
    x, y = operands(
        "binary_cross_entropy", floating("binary_cross_entropy", input), need_tensor("binary_cross_entropy", label, "label")
    )
    yes, no = maximum(log(x), -100.0), maximum(log(subtract(1.0, x)), -100.0)
    loss = negative(add(multiply(y, yes), multiply(subtract(1.0, y), no)))
    return reduced("binary_cross_entropy", weighed("binary_cross_entropy", loss, weight), reduction)


@in_float32
def binary_cross_entropy_with_logits(
    logit: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The binary cross entropy of sigmoid(logit), without overflow; `pos_weight` weighs the part of the label 1, or is None.

    logit: numbers of any shape; label, weight, reduction, the loss's shape and dtype and the errors as in `binary_cross_entropy`.
    """
    op = "binary_cross_entropy_with_logits"
    x, y = operands(op, need_tensor(op, logit, "logit"), need_tensor(op, label, "label"), fractions=True)
    negative_part = multiply(subtract(1.0, y), softplus(x))
    positive_part = multiply(y, softplus(negative(x)))
    loss = add(negative_part, weighed(op, positive_part, pos_weight))
    return reduced(op, weighed(op, loss, weight), reduction)


@in_float32
def kl_div(input: Tensor, label: Tensor, reduction: str = "mean", log_target: bool = False, name: str | None = None) -> Any:
    """label * (log(label) - input) for log-probabilities `input`; "batchmean" divides the sum by the first length.

    input, label: tensors of one shape, dtypes are promoted; with `log_target` the label is a logarithm, too. reduction: "mean",
    "sum" or "batchmean" for a 0-d loss, "none" for one of their shape; ValueError for another.
    """
    x, y = operands("kl_div", need_tensor("kl_div", input), need_tensor("kl_div", label, "label"), fractions=True)
    if log_target:
        loss = multiply(exp(y), subtract(y, x))
    else:
        # Where the label is 0 the product is 0, whatever the logarithm.
        safe = where(not_equal(y, 0.0), y, 1.0)
        loss = multiply(y, subtract(log(safe), x))
    if reduction == "batchmean":
        return divide(reduce_sum(loss, axis=None, keepdim=False), x.shape[0])
    return reduced("kl_div", loss, reduction)
