"""Tensors that are written in place, and of which only the run knows whose memory they are: a Session gives what Python gives."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.comparable import values

import dy2st as paddle
import dy2st.onnx
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

RESULTS = {
    "two tensors": lambda y, z, i: (y, z),
    "a tensor and a number": lambda y, z, i: (y, i),
    "a number and a tensor": lambda y, z, i: (i, z),
    "a pair of pairs": lambda y, z, i: ((y, i), (i, z)),
    "a list": lambda y, z, i: [y, z, y],
    "a list in a tuple": lambda y, z, i: ([z], i),
    "a dict": lambda y, z, i: {"y": y, "z": z},
    "a dict with a list": lambda y, z, i: {"y": [y], "i": i},
    "nothing": lambda y, z, i: None,
    "what is computed of them": lambda y, z, i: (y + z, i),
}
SPECS = [InputSpec([3], "float32"), InputSpec([], "int64")]


def written(give):
    """A function whose y and z may be one memory or two; it leaves early with a tensor alone."""

    def f(x, n):
        y = x * 2
        z = y if n % 2 == 0 else x + 1
        for i in range(n):
            while y.sum() < 4:
                z.add_(1)
                if i > 1:
                    return z
                y[0] += 1
        z.multiply_(2)
        return give(y, z, n + 1)

    return f


def session_of(f, folder):
    return dy2st.onnx.Session(dy2st.onnx.export(jit.to_static(f, input_spec=SPECS), folder / "model"))


@pytest.mark.parametrize("give", RESULTS.values(), ids=RESULTS)
def test_a_session_gives_what_python_gives(give, tmp_path):
    f = written(give)
    session = session_of(f, tmp_path)
    for x in ([1, 2, 3], [-1, 0, 1], [-9, 1, 0]):
        for n in range(5):
            call = np.array(x, "float32"), np.int64(n)
            found, expected = (g(*map(paddle.to_tensor, call)) for g in (session, f))
            assert values(found) == values(expected), (x, n)


def test_in_a_list_of_unknown_length_they_are_refused_at_the_users_line(tmp_path):
    def f(x, n):
        rows, y = [], x * 2
        for _ in range(n):
            rows.append(y)
        y.add_(1)
        return rows

    words = r"test_written_tensors.py:\d+: values: a tensor is changed here, after its elements were copied .*clone"
    with pytest.raises(ConversionError, match=words):
        session_of(f, tmp_path)
