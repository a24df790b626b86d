"""Random geometries of convolution and pooling in onnxruntime against the kernels: dtypes, nan and infinities, no images."""

from __future__ import annotations

import copy
import random
import tempfile
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

import onnx
from onnx_models.running import assert_same, of_one_operator, opened, run
from support.sampling import case_in_failure

import dy2st
import dy2st.nn.functional as F
import dy2st.onnx
from dy2st.onnx.lowering.refusal import OnnxError
from dy2st.ops.registry import lookup
from dy2st.static import InputSpec

ROUNDED = {"float16": 3e-2, "float32": 1e-4, "float64": 1e-9}


def expected(name: str, operands: tuple, attrs: dict):
    """What the kernel gives, or the error that it raises."""
    try:
        with np.errstate(all="ignore"):
            return lookup(name).kernel(*copy.deepcopy(operands), **attrs)
    except Exception as error:
        return error


def check(name: str, *operands: np.ndarray, **attrs) -> None:
    """Lengths known and open: the same result, or an error in both; a refusal in words is none."""
    want = expected(name, operands, attrs)
    tolerance = ROUNDED.get(operands[0].dtype.name, 0)
    for blur in (lambda type_: type_, opened):
        with case_in_failure(f"{name} {[x.shape for x in operands]} {operands[0].dtype} {attrs} {blur is opened}"):
            try:
                given = run(*of_one_operator(name, operands, attrs, blur))
            except Exception as error:
                assert isinstance(error, OnnxError) or isinstance(want, Exception), f"{error}, expected {want}"
            else:
                assert not isinstance(want, Exception), f"{given}, expected {want!r}"
                assert_same(want, given, name, tolerance, tolerance)


def images(r: random.Random, rng: np.random.Generator, *shape: int, dtypes: str, with_special: bool = False) -> np.ndarray:
    """Small numbers, in some images nan and infinities among them."""
    x = (rng.normal(size=shape) * 3).round(1).astype(r.choice(dtypes.split()))
    if with_special and x.dtype.kind == "f" and x.size:
        for _ in range(r.choice([0, 1, 3, x.size])):
            x.flat[r.randrange(x.size)] = r.choice([np.nan, np.inf, -np.inf])
    return x


def check_conv(r: random.Random, rng: np.random.Generator) -> None:
    groups = r.choice([1, 1, 2])
    attrs = {
        "stride": [r.randint(1, 3), r.randint(1, 3)], "padding": [r.randint(0, 3) for _ in range(4)],
        "dilation": [r.randint(1, 2), r.randint(1, 2)], "groups": groups,
    }  # fmt: skip
    size, kernel = [r.randint(1, 8), r.randint(1, 8)], [r.randint(1, 4), r.randint(1, 4)]
    x = images(r, rng, r.choice([0, 1, 2]), groups * r.choice([1, 2]), *size, dtypes="float32 float64 float16 int64 int32 int8")
    weight = (rng.normal(size=(groups * r.choice([1, 2]), x.shape[1] // groups, *kernel)) * 2).round(1).astype(x.dtype)
    check("conv2d", x, weight, **attrs)
    slope = expected("conv2d", (x, weight), attrs)
    if not isinstance(slope, Exception) and x.dtype.kind == "f":
        check("conv2d_input_grad", slope, weight, input_size=size, **attrs)
        check("conv2d_weight_grad", x, slope, kernel_size=kernel, **attrs)


def check_transposed(r: random.Random, rng: np.random.Generator) -> None:
    """Images of few elements or none, spread to results of few or none."""
    stride, kernel, count = r.randint(1, 3), r.randint(1, 3), [r.randint(0, 2), r.randint(1, 2)]
    before = r.randint(0, 1)
    size = [(n - 1) * stride - 2 * before + kernel for n in count]
    x = images(r, rng, r.choice([0, 1]), 2, *count, dtypes="float32 float64")
    weight = rng.normal(size=(2, r.randint(1, 3), kernel, kernel)).astype(x.dtype)
    geometry = {"stride": [stride] * 2, "padding": [before] * 4, "dilation": [1, 1], "groups": 1}
    check("conv2d_input_grad", x, weight, input_size=size, **geometry)


def check_pool(r: random.Random, rng: np.random.Generator) -> None:
    size = [r.randint(1, 8), r.randint(1, 8)]
    attrs = {
        "kernel_size": [r.randint(1, 4), r.randint(1, 4)], "stride": [r.randint(1, 3), r.randint(1, 3)],
        "padding": [r.randint(0, 3) for _ in range(4)], "ceil_mode": r.random() < 0.5,
    }  # fmt: skip
    mean = {"exclusive": r.random() < 0.5, "divisor_override": r.choice([None, None, 3])}
    x = images(r, rng, r.choice([0, 1, 2]), 2, *size, dtypes="float32 float64 float16", with_special=True)
    check("max_pool2d", x, **attrs)
    check("max_pool2d_indices", x, **attrs)
    check("max_pool2d", images(r, rng, 1, 2, *size, dtypes="int8 uint8 int16 int32 int64"), **attrs)
    check("avg_pool2d", x, **attrs, **mean)
    finite = np.nan_to_num(x, posinf=9, neginf=-9)
    check("adaptive_avg_pool2d", finite, output_size=[r.choice([None, 1, 2, 3]), r.choice([None, 1, 5])])
    slope = expected("avg_pool2d", (finite,), {**attrs, **mean})
    if not isinstance(slope, Exception) and np.isfinite(slope).all():
        check("avg_pool2d_grad", slope, input_size=size, **attrs, **mean)


def check_rectified_pool(r: random.Random, rng: np.random.Generator) -> None:
    """A pool of what a Relu gives, with as many channels as onnxruntime blocks and with others, behind a convolution or not."""
    channels, kernel, stride = r.choice([1, 3, 16]), [r.randint(1, 4), r.randint(1, 4)], [r.randint(1, 3), r.randint(1, 3)]
    size = [r.randint(k, 9) for k in kernel]
    padding, ceil_mode, by_conv = [r.randint(0, k // 2) for k in kernel], r.random() < 0.3, r.random() < 0.5
    weight = dy2st.to_tensor(np.eye(channels, dtype="float32")[:, :, None, None])

    def pooled(x):
        x = F.conv2d(x, weight) if by_conv else x
        return F.max_pool2d(F.relu(x), kernel, stride, padding, ceil_mode=ceil_mode)

    x = images(r, rng, r.choice([0, 1, 2]), channels, *size, dtypes="float32", with_special=not by_conv)
    if by_conv and x.size:
        x.flat[r.randrange(x.size)] = np.nan
    want = pooled(dy2st.to_tensor(x)).numpy()
    for sizes in (size, [None, None]):
        session = dy2st.onnx.Session(exported(pooled, [None, channels, *sizes]))
        np.testing.assert_array_equal(session(x), want, f"{x.shape} {kernel} {stride} {padding} {ceil_mode} {sizes}")


def exported(function, shape: list[int | None]) -> bytes:
    """The model of a function of images."""
    with tempfile.TemporaryDirectory() as folder:
        return Path(dy2st.onnx.export(function, f"{folder}/model", [InputSpec(shape, "float32", "x")])).read_bytes()


def test_a_pool_of_known_size_behind_a_relu_needs_no_branch():
    model = onnx.load_from_string(exported(lambda x: F.max_pool2d(F.relu(x), 3, 2, 1), [None, 16, 9, 9]))
    operators = {node.op_type for node in model.graph.node}
    assert {"MaxPool", "AveragePool"} < operators and "If" not in operators


@pytest.mark.parametrize(
    ("checked", "count"), [(check_conv, 25), (check_transposed, 25), (check_pool, 12), (check_rectified_pool, 25)]
)
def test_windows(checked, count):
    for seed in range(count):
        with case_in_failure(f"seed {seed}"):
            checked(random.Random(seed), np.random.default_rng(seed))
