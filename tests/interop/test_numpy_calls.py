"""NumPy's functions of tensors: they give what they give of the arrays, write nowhere, and are refused where nothing runs."""

from __future__ import annotations

import runpy

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError
from dy2st.jit import TracerWarning

CALLS = """
np.mean(x)
np.mean(x, axis=0)
np.std(x)
np.var(x, ddof=1)
np.sum(x)
np.max(x)
np.nonzero(x)
np.argsort(x)
np.cumsum(x)
np.cumprod(x)
np.concatenate([x, x])
np.stack((x, x + 1))
np.where(x > 2, x, 0.0)
np.reshape(x, [4])
np.transpose(x)
np.squeeze(x)
np.repeat(x, 2)
np.take(x, [0])
np.clip(x, 0, 2)
np.round(x)
np.shape(x)
np.ndim(x)
np.size(x)
np.sort(x)
np.dot(x, x)
np.einsum('ij->i', x)
np.linalg.norm(x)
np.allclose(x, x)
np.array_equal(x, x + 0)
np.zeros_like(x)
np.histogram(x)
np.split(x, 2)
np.median(x)
np.percentile(x, 50)
np.add(x, x)
np.exp(x)
np.maximum(x, 2)
np.add.reduce(x)
np.asarray(x)
np.isnan(x)
""".strip().splitlines()
ARRAY = np.array([[1.0, 2.0], [3.0, 4.5]], "float32")


def same(given, expected):
    if isinstance(expected, (tuple, list)):
        return type(given) is type(expected) and len(given) == len(expected) and all(map(same, given, expected))
    if type(given) is not type(expected):
        return False
    return np.array_equal(given, expected) and np.asarray(given).dtype == np.asarray(expected).dtype


@pytest.mark.parametrize("call", CALLS)
def test_a_numpy_function_gives_what_it_gives_of_the_array(call):
    given = eval(call, {"np": np, "x": paddle.to_tensor(ARRAY)})
    assert same(given, eval(call, {"np": np, "x": ARRAY}))


@pytest.mark.parametrize("call", CALLS)
def test_staged_tensors_are_refused(call, tmp_path):
    file = tmp_path / "net.py"
    file.write_text(f"import numpy as np\n\n\ndef net(x):\n    return {call}\n")
    net = runpy.run_path(str(file))["net"]
    with pytest.raises((ConversionError, StagedValueError), match="net.py:5"):
        paddle.jit.to_static(net)(paddle.to_tensor(ARRAY))


def test_the_refusal_names_a_function_that_there_is():
    for function, words in {
        np.mean: "use dy2st.mean instead",
        np.linalg.norm: "use dy2st.linalg.norm instead",
        np.array_equal: "write it with functions and operators of dy2st",
    }.items():
        with pytest.raises(ConversionError, match=words):
            paddle.jit.to_static(lambda x, f=function: f(x))(paddle.to_tensor(ARRAY))


def test_code_that_isnt_converted_is_refused_too():
    unconverted = paddle.jit.not_to_static(lambda x: np.mean(x))
    with pytest.raises(StagedValueError, match=r"np\.mean\(x\)"):
        paddle.jit.to_static(lambda x: x + unconverted(x))(paddle.to_tensor(ARRAY))


def test_a_trace_warns_that_the_result_is_a_constant():
    with pytest.warns(TracerWarning):
        traced = paddle.jit.trace(lambda x: x + float(np.mean(x)), (paddle.to_tensor(ARRAY),))
    assert traced(paddle.zeros([2, 2])).tolist() == np.full((2, 2), ARRAY.mean()).tolist()


@pytest.mark.parametrize("call", ["np.copyto(x, 0.0)", "np.put(x, 0, 5.0)", "np.fill_diagonal(x, 0)", "np.add(1, 1, out=x)",
                                  "np.place(x, x.numpy() > 0, 0.0)", "np.mean(ARRAY, axis=0, out=x[0])"])  # fmt: skip
def test_a_numpy_function_writes_into_no_tensor(call):
    x = paddle.to_tensor(ARRAY)
    with pytest.raises((ValueError, TypeError)):
        eval(call, {"np": np, "x": x, "ARRAY": ARRAY})
    assert x.tolist() == ARRAY.tolist()


def test_an_array_takes_a_tensor():
    array = np.zeros((2, 2))
    array[0] = paddle.to_tensor([1.0, 2.0])
    np.copyto(array[1:], paddle.to_tensor([[3.0, 4.0]]))
    assert array.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert isinstance(array + paddle.ones([2, 2]), paddle.Tensor)
