"""Products of transposed factors: no optimisation of ONNX Runtime's changes what they compute, or ends the process."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from onnx_models import products  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st as paddle  # noqa: E402
from dy2st.onnx import Session, export  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

M = np.arange(6, dtype="float32").reshape(2, 3)
V = np.array([20, 0], "float32")


def by_operator(x, v):
    return x.T @ v


def by_flag(x, v):
    return paddle.matmul(x, v, transpose_x=True)


def by_einsum(x, v):
    return paddle.einsum("ij,i->j", x, v)


def scaled(x, v):
    return (x.T * 0.5) @ (v * 2)


def through_relu(x, v):
    return paddle.nn.functional.relu(x.T) @ v


@pytest.mark.parametrize("opset", [17, 18, 26])
@pytest.mark.parametrize("shapes", [([2, 3], [2]), ([None, None], [None])], ids=["fixed", "dynamic"])
@pytest.mark.parametrize("function", [by_operator, by_flag, by_einsum, scaled, through_relu])
def test_s_25_a_transposed_matrix_times_a_vector(function, shapes, opset, tmp_path):
    specs = [InputSpec(shape, "float32", name) for shape, name in zip(shapes, "xv")]
    session = Session(export(function, tmp_path / "model", specs, opset))
    assert session(paddle.to_tensor(M), paddle.to_tensor(V)).numpy().tolist() == [0, 20, 40]


def by_mv(x, v):
    return x.mT.mv(v)


def by_method(x, v):
    return x.transpose(0, 1).matmul(v)


def from_the_left(x, v):
    return v @ x


@pytest.mark.parametrize("function", [by_operator, by_mv, by_method, scaled, from_the_left])
def test_s_25_in_torch(function, tmp_path):
    torch = pytest.importorskip("torch", reason="modules of PyTorch: pip install '.[torch]'")
    import dy2st.torch

    class Product(torch.nn.Module):
        def forward(self, x, v):
            return function(x, v)

    given = torch.from_numpy(M), torch.from_numpy(V)
    specs = [InputSpec([None, None], "float32", "x"), InputSpec([None], "float32", "v")]
    session = Session(export(dy2st.torch.to_static(Product().eval(), specs), tmp_path / "model"))
    assert session(*map(paddle.to_tensor, (M, V))).numpy().tolist() == Product()(*given).tolist() == [0, 20, 40]


def cast_between(x, weight):
    return paddle.transpose(x, [1, 0, 2]).astype("float32") @ weight


def test_a_cast_between_a_moved_batch_and_a_product_does_not_end_the_process(tmp_path):
    """onnxruntime 1.32 ends the process where factors differ in their number of axes."""
    x, weight = np.arange(24.0).reshape(2, 3, 4), np.arange(20, dtype="float32").reshape(4, 5)
    specs = [InputSpec([None, None, 4], "float64", "x"), InputSpec([4, 5], "float32", "weight")]
    session = Session(export(cast_between, tmp_path / "model", specs))
    found = session(paddle.to_tensor(x), paddle.to_tensor(weight)).numpy()
    assert np.array_equal(found, x.transpose(1, 0, 2).astype("float32") @ weight)


@pytest.mark.long
@pytest.mark.parametrize("cell", sampled(products.cells(), 60), ids=str)
def test_products_of_transposed_factors(cell):
    assert products.differs(cell) == ""
