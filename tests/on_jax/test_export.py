"""`jax.export` of what `dy2st.jax.function` gives: written, and read in this and in a fresh process."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import jax
import jax.export

import dy2st as paddle
import dy2st.jax
from dy2st.static import InputSpec

READ = """
import sys, numpy, jax, jax.export
from dy2st.jax import Status
f = jax.export.deserialize(bytearray(open(sys.argv[1], "rb").read()))
params = dict(numpy.load(sys.argv[2]))
for x in ([1.0, 2.0], [-3.0, 1.0], [90.0, 20.0]):
    outputs, state, status = f.call(params, numpy.asarray(x, "float32"))
    assert isinstance(status, Status)
    try:
        status.throw()
        print(outputs.tolist(), state["count"].tolist())
    except Exception as error:
        print(type(error).__name__, type(error).__mro__[1].__name__, error)
"""


class TooLargeError(ValueError):
    pass


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)
        self.register_buffer("count", paddle.zeros([1]))

    def forward(self, x):
        self.count += 1
        sign = "positive" if x.sum() > 0 else "negative"
        if x.min() < -2:
            raise KeyError(f"{sign} {x.min().item():.2f}")
        if x.max() > 50:
            raise TooLargeError(sign, x.shape[0])
        return self.fc(x)


def told(f, params, x):
    """What a call comes to, as the fresh process prints it."""
    outputs, state, status = f(params, np.asarray(x, "float32"))
    try:
        status.throw()
        return f"{outputs.tolist()} {state['count'].tolist()}"
    except Exception as error:
        return f"{type(error).__name__} {type(error).__mro__[1].__name__} {error}"


def test_the_same_in_this_and_in_a_fresh_process(tmp_path):
    f, params = dy2st.jax.function(Net(), [InputSpec([2], "float32", "x")])
    inputs = [1.0, 2.0], [-3.0, 1.0], [90.0, 20.0]
    wanted = [told(jax.jit(f), params, x) for x in inputs]
    assert wanted[1] == "KeyError LookupError 'negative -3.00'"
    assert wanted[2] == "TooLargeError ValueError ('positive', 2)"

    data = jax.export.export(jax.jit(f))(params, np.zeros(2, "float32")).serialize()
    again = jax.export.deserialize(data)
    assert [told(again.call, params, x) for x in inputs] == wanted

    (tmp_path / "net.jax").write_bytes(data)
    np.savez(tmp_path / "params.npz", **params)
    run = subprocess.run(
        [sys.executable, "-c", READ, tmp_path / "net.jax", tmp_path / "params.npz"], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == wanted
