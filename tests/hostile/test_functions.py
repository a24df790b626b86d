"""A file that names a Python function of the process that loads it: a function marked @ignore, the backward of a PyLayer."""

from __future__ import annotations

import io
import json

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.autograd import PyLayer
from dy2st.errors import Dy2stError, ModelFileError
from dy2st.jit.scripting import python_calls
from dy2st.ops.custom_gradient import GRADIENTS
from dy2st.static import InputSpec
from hostile.archives import MODEL, put_together, taken_apart

X = paddle.to_tensor([1.0, 2.0])
called = []


class Secret(PyLayer):
    @staticmethod
    def forward(context, x):
        return x * 2

    @staticmethod
    def backward(context, gradient):
        called.append("backward")
        return gradient * 2


@jit.ignore
def secret(x: paddle.Tensor) -> paddle.Tensor:
    called.append("secret")
    return x


@jit.script
def calls_secret(x: paddle.Tensor) -> paddle.Tensor:
    return secret(x) + 1


def saved(function):
    file = io.BytesIO()
    jit.save(function, file, input_spec=[InputSpec([2], "float32", "x")])
    return taken_apart(file.getvalue())


def loaded(members, change):
    tree = json.loads(members[MODEL])
    change(tree["functions"][0]["block"]["ops"])
    return jit.load(io.BytesIO(put_together({**members, MODEL: json.dumps(tree).encode()})))


def test_a_file_does_not_call_a_function_that_script_ignores(wrong_files):
    calls_secret(X)
    called.clear()
    (name,) = [name for name in python_calls._functions if "secret" in name]

    def change(ops):
        ops[0].update(op="python.call", attrs={"function": name, "result": "float32[2]"})
        ops[0]["in"] = ["x"]

    with pytest.raises(ModelFileError, match="no model file can hold python.call"):
        loaded(saved(lambda x: x.exp()), change)
    assert called == []


def test_a_file_does_not_reach_the_backward_of_a_layer_of_this_process(wrong_files):
    members = saved(lambda x: Secret.apply(x) * 3)
    (name,) = [name for name in GRADIENTS if name.startswith("Secret")]

    def change(ops):
        (op,) = [op for op in ops if op["op"] == "custom_gradient"]
        assert op["attrs"]["gradients"] == "Secret"
        op["attrs"]["gradients"] = name

    net = loaded(members, change)
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert net(X).numpy().tolist() == [6.0, 12.0]
    with pytest.raises(Dy2stError, match="the backward of Secret is Python code, which a saved model doesn't hold"):
        net(x).sum().backward()
    assert called == []
