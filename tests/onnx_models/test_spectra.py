"""Singular values and eigenvalues in onnxruntime against NumPy's: of any size and rank, alike, large, small, none."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.cases import SAME
from onnx_models.running import Model, of_one_operator, opened

RNG = np.random.default_rng(0)
SHAPES = [(0, 0), (0, 3), (3, 0), (1, 1), (1, 4), (2, 2), (5, 3), (3, 6), (8, 8), (2, 3, 4), (2, 0, 3, 3), (2, 2, 5, 5), (40, 24)]


def singular(shape: tuple) -> list[np.ndarray]:
    """Matrices of a shape: any, of rank 1, zeros, with equal values, of large and of small numbers."""
    x = RNG.normal(size=shape)
    one = np.matmul(RNG.normal(size=(*shape[:-1], 1)), RNG.normal(size=(*shape[:-2], 1, shape[-1])))
    return [x, one, x * 0, np.ones(shape), np.broadcast_to(np.eye(*shape[-2:]), shape) * 3.0, x * 1e200, x * 1e-200]


def check(name: str, matrices: list[np.ndarray], expected, blur, **attrs) -> None:
    for dtype, precision in (("float64", 1e-13), ("float32", 2e-6)):
        model = Model(of_one_operator(name, (matrices[0].astype(dtype),), attrs, blur)[0])
        for x in matrices:
            with np.errstate(over="ignore", under="ignore"):
                x = x.astype(dtype)
            if not np.isfinite(x).all():
                continue
            wanted, found = expected(x), model(x)
            assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
            np.testing.assert_allclose(found, wanted, rtol=0, atol=precision * np.abs(wanted).max(initial=1e-300))


@pytest.mark.parametrize("blur", [SAME, opened], ids=["known lengths", "open lengths"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_singular_values(shape, blur):
    check("svdvals", singular(shape), lambda x: np.linalg.svd(x, compute_uv=False), blur)


@pytest.mark.parametrize("blur", [SAME, opened], ids=["known lengths", "open lengths"])
@pytest.mark.parametrize("shape", [s for s in SHAPES if s[-1] == s[-2]], ids=str)
def test_eigenvalues(shape, blur):
    for upper in (False, True):
        check("eigvalsh", singular(shape), lambda x: np.linalg.eigvalsh(x, "U" if upper else "L"), blur, upper=upper)


@pytest.mark.parametrize("name", ["svdvals", "eigvalsh"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_finite_number_fails(name, bad):
    x = np.array([[1.0, 0.0], [bad, 2.0]])
    program, values = of_one_operator(name, (x,), {})
    with pytest.raises(Exception, match="ONNXRuntimeError"):
        Model(program)(*values)
