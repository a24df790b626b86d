"""S-08: what the grid of operators and dtypes (`dtype_grid.py`) found to differ from Paddle's documentation, eager and static."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import DTypeError

N = paddle.to_tensor([5, -6, 0])
NAN, INF = math.nan, math.inf


def z(*numbers):
    return paddle.to_tensor(np.array(numbers, "complex64"))


CASES = {
    "a float bound makes floats": (lambda n: paddle.clip(n, -0.5, 0.5), [N], "float32", [0.5, -0.5, 0.0]),
    "a tensor is such a bound": (lambda n, b: n.clip(max=b), [N, paddle.to_tensor(0.5)], "float32", [0.5, -6.0, 0.0]),
    "integers as bounds": (lambda n: paddle.clip(n, -1, 1), [N], "int64", [1, -1, 0]),
    "an angle of integers": (lambda n: paddle.atan2(n, n - 1), [N], "float64", [math.atan2(k, k - 1) for k in (5, -6, 0)]),
    "an angle to a number": (lambda n: paddle.atan2(n, 2.5), [N], "float32", [math.atan2(k, 2.5) for k in (5, -6, 0)]),
    "trigamma at its poles": (lambda n: paddle.polygamma(n, 1)[1:], [N], "float32", [INF, INF]),
    "polygamma at 0": (lambda n: paddle.polygamma(n, 2)[2], [N], "float32", -INF),
    "an inner product is with the conjugate": (paddle.vecdot, [z(1 + 2j, 3j), z(2j, 1)], "complex64", (1 - 2j) * 2j - 3j),
    "nan of complex numbers in a sum": (paddle.nansum, [z(1 + 2j, NAN, complex(0, NAN))], "complex64", 1 + 2j),
    "nan of complex numbers in a mean": (paddle.nanmean, [z(1 + 2j, NAN, 3)], "complex64", 2 + 1j),
    "parts of complex numbers": (lambda x: paddle.nan_to_num(x, 1.0, 2.0), [z(NAN + 4j, INF)], "complex64", [1 + 4j, 2]),
    "the sign of a number": (lambda n: paddle.copysign(n.astype("uint8"), -1.0), [N.abs()], "float32", [-5.0, -6.0, -0.0]),
    "the sign of a number for halves": (lambda n: paddle.copysign(n.astype("float16"), -1.0), [N], "float16", [-5.0, -6.0, -0.0]),
    "bools are counted": (lambda n, like: paddle.reduce_as(n > -1, like), [paddle.stack([N, N]), N], "int64", [2, 0, 2]),
    "int32 is summed in int64": (paddle.reduce_as, [paddle.stack([N, N]).astype("int32"), N], "int64", [10, -12, 0]),
    "the median of halves": (lambda n: paddle.median(n.astype("float16")), [N], "float32", 0.0),
    "the number of lengths": (lambda x: paddle.linalg.vector_norm(x, 0.0), [z(1j, 0, 2)], "float32", 2.0),
}  # fmt: skip


@pytest.mark.parametrize("call, given, dtype, expected", CASES.values(), ids=CASES)
def test_s_08_values_and_dtypes(call, given, dtype, expected):
    for form in (call, paddle.jit.to_static(lambda *given: call(*given))):
        found = form(*given)
        assert found.dtype.name == dtype
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_s_08_reflections_of_complex_numbers_are_unitary():
    """The product of I - tau * v * v^H with tau = 2 / |v|^2."""
    v = np.array([1, 0.5 + 1j, -2j])
    tau = 2 / np.vdot(v, v).real
    x = np.eye(3, dtype="complex64")
    x[:, 0] = v
    found = paddle.linalg.householder_product(paddle.to_tensor(x), z(tau)).numpy()
    np.testing.assert_allclose(found, np.eye(3) - tau * np.outer(v, v.conj()), atol=1e-6)
    assert cmath.isclose(np.linalg.det(found), -1, rel_tol=1e-5)


def test_s_08_integers_take_no_floats_in_place_and_complex_matrices_have_a_rank():
    with pytest.raises(DTypeError, match="clip_ can't write Python float values into a int64 tensor; cast the tensor first"):
        N.clone().clip_(-0.5, 0.5)
    assert N.clone().clip_(-1, 1).tolist() == [1, -1, 0]
    assert paddle.linalg.matrix_rank(z(1j).reshape([1, 1])).item() == 1
