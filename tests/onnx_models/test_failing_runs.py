"""Where a kernel raises for numbers that only the run knows, the run of the model fails, or the model is refused."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.running import of_one_operator, opened, run

import dy2st
import dy2st.onnx
from dy2st.ir.core import Program
from dy2st.ops.registry import lookup
from dy2st.static import InputSpec

X, TABLE, SQUARE = np.ones((3, 4), "float32"), np.ones((4, 2), "float32"), np.ones((3, 3), "float32")
POOL = {"kernel_size": [3, 3], "stride": [1, 1], "padding": [0, 0, 0, 0]}
IMAGE = np.ones((1, 1, 2, 5), "float32")

CASES = {
    "an id below 0": ("embedding", (np.array([-1]), TABLE), {}),
    "an id beyond the table": ("embedding", (np.array([4]), TABLE), {}),
    "a gradient of an id below 0": ("embedding_spread", (np.array([-1]), TABLE[:1]), {"rows": 4}),
    "a label below 0": ("nll", (X, np.array([0, -1, 2])), {"axis": 1, "ignore_index": -100}),
    "a label that is no class": ("nll", (X, np.array([0, 4, 2])), {"axis": 1, "ignore_index": -100}),
    "fewer labels than rows": ("nll", (X, np.array([0, 1])), {"axis": 1, "ignore_index": -100}),
    "an index beyond the axis": ("gather", (X, np.array([4])), {"axis": 1}),
    "an int beyond the axis": ("getitem", (X,), {"index": [{"int": 3}]}),
    "an index tensor beyond the axis": ("getitem_advanced", (X, np.array([-4])), {"index": [{"tensor": 0}]}),
    "a mask that is too short": ("getitem_advanced", (X, np.array([True, False])), {"index": [{"tensor": 0}]}),
    "a mask of other lengths": ("setitem_copy", (X, 0.0, np.ones((4, 3), bool)), {"index": [{"tensor": 0}]}),
    "a place to write beyond the axis": ("setitem_copy", (X, 0.0, np.array([3])), {"index": [{"tensor": 0}]}),
    "a value that is too long": ("setitem_copy", (X, np.ones(3, "float32")), {"index": [{"int": 0}]}),
    "indices of fewer rows": ("take_along_axis", (X, np.zeros((2, 1), "int64")), {"axis": 1}),
    "indices of fewer rows to put": ("put_along_axis", (X, np.zeros((2, 1), "int64"), X[:2, :1]), {"axis": 1}),
    "more than there are": ("topk", (X,), {"k": 5, "axis": 1}),
    "another shape than expected": ("expect", (X,), {"shape": [3, 5], "what": "x"}),
    "another rank than expected": ("expect", (X,), {"shape": [-1], "what": "x"}),
    "a shape that it doesn't broadcast to": ("broadcast_to", (X,), {"shape": [3, 1]}),
    "another number of elements": ("reshape", (X,), {"shape": [5, 2]}),
    "a window that doesn't fit": ("max_pool2d", (IMAGE,), POOL),
    "a window that doesn't fit, for the mean": ("avg_pool2d", (IMAGE,), POOL),
    "a window that doesn't fit, in float64": ("avg_pool2d", (IMAGE.astype("float64"),), POOL),
    "steps beyond the memory": ("as_strided", (X,), {"shape": [4], "stride": [4]}),
    "a singular matrix": ("solve", (SQUARE, SQUARE), {}),
    "a singular matrix to invert": ("inverse", (SQUARE,), {}),
    "a matrix that isn't positive definite": ("cholesky", (-np.eye(3, dtype="float32"),), {}),
}


@pytest.mark.parametrize("case", CASES)
def test_the_run_fails(case):
    name, operands, attrs = CASES[case]
    with pytest.raises(Exception, match="."):
        lookup(name).kernel(*operands, **attrs)
    with pytest.raises(Exception, match="."):
        run(*of_one_operator(name, operands, attrs, opened))


def without_its_result(name: str, operands: tuple, attrs: dict) -> tuple[Program, list]:
    """A Program that runs an operator and returns its own argument."""
    program, values = of_one_operator(name, operands, attrs, opened)
    block = program.entry.block
    block.ops[-1].operands = [block.args[0]]
    return program, values


@pytest.mark.parametrize("case", CASES)
def test_the_run_fails_where_nobody_reads_the_result(case):
    with pytest.raises(Exception, match="."):
        run(*without_its_result(*CASES[case]))


def in_a_branch(x, n):
    if n > 1:
        x[n]
    return x + 1


def in_one_of_two(x, n):
    if n > 1:
        x[n + 1]
        y = n
    else:
        y = n + 1
    return y


def in_branches(x, n):
    if n > 1:
        if n < 9:
            x[n]
    return x


def in_a_branch_of_a_loop(x, n):
    for k in range(40):
        if k == n:
            x[k]
    return x


def in_a_loop(x, n):
    k = n - n
    while k < n:
        x[k + 1]
        k = k + 1
    return k


def division(x, n):
    int(n) // int(n - 1)
    return x


def of_a_list(x, n):
    [1, 2, 3][int(n)]
    return x


def conversion(x, n):
    x.reshape([n, 2])
    return x


ONLY_MAY_FAIL = [in_a_branch, in_branches, in_one_of_two, in_a_loop, in_a_branch_of_a_loop, division, of_a_list, conversion]


@pytest.mark.parametrize("function", ONLY_MAY_FAIL)
def test_statements_that_only_may_fail(function, tmp_path):
    specs = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")]
    dy2st.onnx.export(dy2st.jit.to_static(function, specs), tmp_path / "m")
    session = dy2st.onnx.Session(tmp_path / "m.onnx")
    x = np.ones(4, "float32")
    seen = set()
    for n in range(7):
        want, given = raised(function, dy2st.to_tensor(x), dy2st.to_tensor(n)), raised(session, x, np.array(n))
        assert want == given, n
        seen.add(want)
    assert len(seen) == 2


def raised(function, *operands) -> str:
    """The class of what a call raises; "" for nothing."""
    try:
        function(*operands)
    except Exception as error:
        return type(error).__name__
    return ""
