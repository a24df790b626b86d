"""Where a kernel raises for numbers that only the run knows, the run of the model fails, or the model is refused."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install 'dy2st[onnx]'")

from onnx_models.running import of_one_operator, opened, run

from dy2st.ops.registry import lookup

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
