"""`x.stop_gradient = True` of a tensor that a static function computes, also where a loop or a branch stands around it."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec


def r_03_classes_that_are_present(probabilities, labels):
    losses = []
    for c in [0, 1, 2]:
        foreground = paddle.cast(labels == c, probabilities.dtype)
        if foreground.sum() == 0:
            continue
        foreground.stop_gradient = True
        errors = paddle.abs(foreground - probabilities[:, c])
        sorted_errors, order = paddle.topk(errors, k=errors.shape[0])
        losses.append((sorted_errors * foreground[order].cumsum()).sum())
    return paddle.stack(losses).mean()


def r_03_in_a_loop_that_a_tensor_decides(probabilities, labels):
    total, c = paddle.zeros([]), 0
    while c <= labels.max():
        foreground = (labels == c).astype("float32") * 2
        c += 1
        if foreground.sum() == 0:
            continue
        foreground.stop_gradient = True
        total = total + (foreground * probabilities[:, 0]).sum()
    return total


def r_03_what_is_a_view_of_it(probabilities, labels):
    weights = (labels + 1).astype("float32")
    part = weights[1:]
    if part.sum() > 3:
        weights.stop_gradient = True
    return (weights.unsqueeze(1) * probabilities).sum() + part.sum()


SPECS = [InputSpec([None, 3]), InputSpec([None], "int64")]


@pytest.mark.parametrize("labels", [[0, 2, 2, 0], [1, 1, 1, 1]])
@pytest.mark.parametrize(
    "function", [r_03_classes_that_are_present, r_03_in_a_loop_that_a_tensor_decides, r_03_what_is_a_view_of_it]
)
def test_r_03_values_and_gradients_are_those_of_plain_python(function, labels):
    found = []
    for each in (function, paddle.jit.to_static(function, input_spec=SPECS)):
        values = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3], [0.2, 0.5, 0.3]]
        probabilities = paddle.to_tensor(values, stop_gradient=False)
        loss = each(probabilities, paddle.to_tensor(labels))
        loss.backward()
        found.append((loss.item(), probabilities.grad.tolist()))
    assert found[0][0] == pytest.approx(found[1][0])
    for plain, static in zip(found[0][1], found[1][1]):
        assert plain == pytest.approx(static)


def after_a_write(x, n):
    weights = (n > 0).astype("float32")
    weights.add_(x)
    if x.sum() > 0:
        weights.stop_gradient = True
    return weights


def into_a_part(x, n):
    weights = (n > 0).astype("float32")
    weights[0] = x[0]
    if x.sum() > 0:
        weights.stop_gradient = True
    return weights


def of_a_product(x, n):
    weights = (n > 0).astype("float32") * x
    if x.sum() > 0:
        weights.stop_gradient = True
    return weights


def from_the_turn_before(x, n):
    weights = (n > 0).astype("float32")
    while x.sum() > 0:
        weights.stop_gradient = True
        weights.add_(x)
        x = x - 1
    return weights


@pytest.mark.parametrize("function", [after_a_write, into_a_part, of_a_product, from_the_turn_before])
def test_one_through_which_gradients_flow_is_refused_in_a_branch(function):
    with pytest.raises(ConversionError, match="write y = x.detach"):
        paddle.jit.to_static(function, input_spec=[InputSpec([2]), InputSpec([2], "int64")])(
            paddle.ones([2]), paddle.ones([2], dtype="int64")
        )
