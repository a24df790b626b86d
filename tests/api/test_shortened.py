"""Tensors of length 0 or 1, or of other lengths than others, while lengths are open: what plain Python gives or raises."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from support.sampling import case_in_failure, sampled

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from . import shortened, staged_ints

DESCRIBES_A_TENSOR = "paddle.static.InputSpec.from_tensor(x, name='abc')"  # and staging knows less of x, or more
# Two things are wrong: staging meets shapes that don't fit, before the Program takes the first element where there is none.
WRONG_TWICE = {
    "F.linear(x, p.t(), bias=p[0, :2])",
    "F.binary_cross_entropy_with_logits(x, p, weight=p, reduction='sum', pos_weight=p[0])",
    "paddle.linalg.solve(q, q[:, 0])",
    "paddle.scatter(x, z[:, 0], x, False)",
}
PARTS = 4  # tests
VAGUE = ("bool(x) needs", "int(x) needs", "float(x) needs", "asks for an int needs", "a format string needs")


@functools.cache
def whole():
    return [case for case in shortened.cases() if case.text != DESCRIBES_A_TENSOR]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(PARTS))
def test_as_in_plain_python_or_refused(part, tmp_path):
    for case, call in staged_ints.functions_of(sampled(whole(), 150)[part::PARTS], tmp_path):
        with case_in_failure(str(case)), np.errstate(all="ignore"):
            expected = staged_ints.answer(call, case.given())
            found = staged_ints.answer(paddle.jit.to_static(call, input_spec=case.specs()), case.given())
            if case.text not in WRONG_TWICE or expected[0] != "raises" or found[0] != "raises":
                check(found, expected)


def check(found, expected):
    """What plain Python gives or raises, or a refusal in words that are about the user's call."""
    if found[0] == staged_ints.REFUSED:
        assert ": " in str(found[1]) and not any(words in str(found[1]) for words in VAGUE), found[1]
    elif expected[0] != staged_ints.REFUSED:  # what is refused of a tensor in plain Python has nothing to do with lengths
        assert staged_ints.same(found, expected), (expected, found)


def gradients(call, case):
    """The gradients of the sum of the squares of what a call gives; None where no gradients flow."""
    given = case.given()
    for x in given:
        x.stop_gradient = not x.dtype.is_floating
    found = call(*given)
    parts = [x for x in (found if isinstance(found, (list, tuple)) else [found]) if isinstance(x, paddle.Tensor)]
    losses = [(x * x).sum() for x in parts if x.dtype.is_floating and not x.stop_gradient]
    if not losses:
        return None
    paddle.add_n([loss.astype("float64") for loss in losses]).backward()
    return [None if x.grad is None else x.grad.numpy() for x in given]


def near(found, expected):
    """Whether lists of gradients are the same, as far as divisions by small numbers let them."""
    if expected is None or found is None:
        return found is expected
    if isinstance(expected, list):
        return isinstance(found, list) and all(map(near, found, expected))
    return found.shape == expected.shape and np.allclose(found, expected, 1e-3, 1e-4, equal_nan=True)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(PARTS))
def test_gradients_are_those_of_plain_python(part, tmp_path):
    are_open = [case for case in whole() if case.open_ones == case.names]
    for case, call in staged_ints.functions_of(sampled(are_open, 30)[part::PARTS], tmp_path):
        with case_in_failure(str(case)), np.errstate(all="ignore"):
            expected = staged_ints.answer(gradients, [call, case])
            if expected[0] == "gives" and expected[1] is not None:
                found = staged_ints.answer(gradients, [paddle.jit.to_static(call, input_spec=case.specs()), case])
                assert found[0] == staged_ints.REFUSED or near(found[1], expected[1]), (expected, found)


def floats(*shape):
    return np.linspace(-2.0, 3.0, int(np.prod(shape)), dtype="float32").reshape(shape)


FLAGS = floats(2, 3) > 0
PAIRS = {
    "equal_all": (paddle.equal_all, [floats(2, 3), floats(2, 1)], [floats(1, 3), floats(1, 3)], [floats(0, 3), floats(1, 3)]),
    "masked_select": (paddle.masked_select, [floats(2, 3), FLAGS[:1]], [floats(2, 3), FLAGS[:, :1]], [floats(1, 3), FLAGS]),
    "masked_scatter": (
        lambda x, mask: paddle.masked_scatter(x, mask, x * 2),
        *([floats(2, 3), FLAGS[:1]], [floats(2, 3), FLAGS[:, :1]], [floats(1, 3), FLAGS]),
    ),
    "put_along_axis": (
        lambda x, values: paddle.put_along_axis(x, (x * 0).astype("int64"), values, 1),
        *([floats(2, 3), floats(2, 1)], [floats(2, 3), floats(1, 3)], [floats(1, 3), floats(2, 3)]),
    ),
    "cross": (lambda x, y: paddle.cross(x, y, axis=1), [floats(2, 3), floats(1, 3)], [floats(2, 3), floats(2, 1)]),
    "index_add": (
        lambda x, value: paddle.index_add(x, paddle.to_tensor([0, 1]), 0, value),
        *([floats(2, 3), floats(1, 3)], [floats(2, 3), floats(2, 3)], [floats(2, 3), floats(2, 1)]),
    ),
    "prelu": (F.prelu, [floats(2, 3), floats(1)], [floats(2, 3), floats(3)], [floats(3), floats(3)], [floats(3), floats(1)]),
    "embedding": (
        lambda x, weight: F.embedding((x * 0).astype("int64"), weight, padding_idx=2),
        *([floats(2), floats(2, 3)], [floats(2), floats(3, 3)]),
    ),
    "attention": (
        lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True),
        *([floats(2, 3, 4, 2), floats(2, 3, heads, 2)] for heads in (0, 1, 2, 3, 4, 8)),
    ),
    "attention with a mask": (
        lambda q, mask: F.scaled_dot_product_attention(q, q, q, attn_mask=mask),
        *([floats(2, 3, 4, 2), floats(*shape) > -1] for shape in ((2, 4, 3, 3), (2, 1, 1, 3), (3, 3), (2, 1, 3, 2))),
    ),
    "margin": (lambda x, y: F.triplet_margin_loss(x, y, x), [floats(2, 3), floats(1, 3)], [floats(2, 3), floats(2, 3)]),
    "soft margin": (F.soft_margin_loss, [floats(2, 3), floats(2, 1)], [floats(2, 3), floats(2, 3)]),
    "written in place": (lambda x, y: x.clone().hypot_(y), [floats(1, 3), floats(2, 3)], [floats(2, 3), floats(1, 3)]),
    "compared in place": (lambda x, y: x.clone().less_than_(y), [floats(1, 3), floats(2, 3)], [floats(2, 3), floats(1, 3)]),
    "covariances": (lambda x, y: [paddle.linalg.cov(x), paddle.linalg.corrcoef(y)], [floats(1, 3), floats(2, 3)]),
}


@pytest.mark.parametrize("function, arrays", [(f, pair) for f, *pairs in PAIRS.values() for pair in pairs])
def test_shapes_that_broadcast_or_not(function, arrays):
    expected = staged_ints.answer(function, [*map(paddle.to_tensor, arrays)])
    for are_open in ((True, True), (True, False), (False, True), (False, False)):
        specs = [InputSpec([None] * a.ndim if is_open else list(a.shape), str(a.dtype)) for a, is_open in zip(arrays, are_open)]
        found = staged_ints.answer(paddle.jit.to_static(function, input_spec=specs), [*map(paddle.to_tensor, arrays)])
        assert staged_ints.same(found, expected), (are_open, expected, found)


@pytest.mark.parametrize("shape", [[0, 3], [3, 0], [0], [0, 2, 3]])
def test_a_tensor_without_elements_takes_a_shape_with_a_length_of_0(shape):
    def flat(x):
        return x.reshape([5, x.shape[0] * x.shape[-1]])

    x = paddle.ones(shape)
    assert flat(x).shape == paddle.jit.to_static(flat, input_spec=[InputSpec([None] * len(shape))])(x).shape == [5, 0]
    assert paddle.ones([0, 4, 6]).reshape([0, 0, 3, 2]).shape == [0, 4, 3, 2]  # where the lengths of x fit, they are meant
    with pytest.raises(ValueError, match="a 0 at place 2 stands for a length of x"):
        paddle.ones([2, 3]).reshape([2, 3, 0])


def test_an_axis_that_only_the_program_knows_has_to_be_given():
    static = paddle.jit.to_static(lambda x: paddle.cross(x, x), input_spec=[InputSpec([None, 3])])
    with pytest.raises(ConversionError, match="give cross the axis"):
        static(paddle.ones([2, 3]))


def test_batch_norm_without_weight_has_gradients():
    def normal(x, mean, variance):
        return F.batch_norm(x, mean, variance)

    found = []
    for function in (normal, paddle.jit.to_static(normal, input_spec=[InputSpec([None] * 3), InputSpec([3]), InputSpec([3])])):
        x, mean = paddle.to_tensor(floats(2, 3, 4), stop_gradient=False), paddle.zeros([3])
        function(x, mean, paddle.ones([3]) * 4).sum().backward()
        found.append(x.grad.numpy())
    np.testing.assert_allclose(*found)


@pytest.mark.parametrize("factors", [paddle.linalg.qr, paddle.linalg.lu], ids=["qr", "lu"])
@pytest.mark.parametrize("rows", [3, 2])
def test_gradients_of_factors_of_open_lengths(factors, rows):
    def gradient(call):
        x = paddle.to_tensor(floats(rows, 3) ** 2 + np.eye(rows, 3, dtype="float32"), stop_gradient=False)
        first, second, *_ = call(x)
        ((first * first * first).sum() + second.astype("float32").sum()).backward()
        return x.grad

    static = paddle.jit.to_static(factors, input_spec=[InputSpec([None, None])])
    expected, found = staged_ints.answer(gradient, [factors]), staged_ints.answer(gradient, [static])
    assert expected[0] == ("gives" if rows == 3 else "raises")
    assert staged_ints.same(found, expected), (expected, found)
