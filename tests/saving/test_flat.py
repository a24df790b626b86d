"""P-03: loaded models under Paddle's calling convention: tensors go in one by one, and come out in a list."""

from __future__ import annotations

import copy

import pytest

import dy2st
from dy2st import jit, nn
from dy2st.errors import ConversionError
from dy2st.static import InputSpec


def spec(name):
    return InputSpec([2], "float32", name)


def t(value):
    return dy2st.to_tensor([float(value)] * 2)


def first(tensors):
    return [tensor.numpy().tolist()[0] if tensor.shape else tensor.item() for tensor in tensors]


class Net(nn.Layer):
    def forward(self, x, parts, times=3):
        return {"loss": x * times, "acc": [parts["b"] * 2, parts["a"] * 3], "name": "n", "tail": (x.sum(), parts["b"])}


@pytest.fixture
def path(tmp_path):
    net = jit.to_static(Net(), input_spec=[spec("x"), {"b": spec("b"), "a": spec("a")}])
    jit.save(net, str(tmp_path / "net"))
    return str(tmp_path / "net")


def test_p_03_tensors_go_in_and_come_out_one_by_one(path):
    loaded = jit.load(path, flat=True)
    found = loaded(t(1), t(2), t(3))  # x, a, b: Paddle 3.3 gives the same list
    assert type(found) is list and first(found) == [6.0, 6.0, 3.0, 2.0, 3.0]
    assert first(copy.deepcopy(loaded)(t(1), t(2), t(3))) == first(found)
    assert first(jit.load(path)(t(1), {"a": t(2), "b": t(3)})["acc"]) == [6.0, 6.0]


def test_p_03_in_a_recording_and_a_gradient(path):
    loaded = jit.load(path, flat=True)
    with pytest.raises(ConversionError, match="holds a dict that only the Program knows: load it without flat"):
        jit.to_static(lambda x: loaded(x, x * 2, x)[2])(t(1))
    jit.save(lambda x, y: (x * y, (x + y, None)), path + "2", input_spec=[spec("x"), spec("y")])
    pair = jit.load(path + "2", flat=True)
    assert first([jit.to_static(lambda x: pair(x, x * 2)[1])(t(1))]) == [3.0]
    x = t(1)
    x.stop_gradient = False
    loaded(x, t(2), t(3))[2].sum().backward()
    assert first([x.grad]) == [3.0]


@pytest.mark.parametrize(
    "args, kwargs, words",
    [
        ([t(1), {"a": t(1), "b": t(2)}], {}, r"takes tensors by position \(x, a, b\), not 2"),
        ([t(1), t(2)], {"b": t(3)}, "not 2 and b by keyword"),
        ([t(1), t(2), 5], {}, "argument b is a tensor or an array, not int"),
        ([t(1), t(2), dy2st.ones([3])], {}, r"argument b has shape \[3\]; the model takes \[2\]"),
    ],
)
def test_p_03_what_does_not_fit_is_told(path, args, kwargs, words):
    with pytest.raises((TypeError, ValueError), match=words):
        jit.load(path, flat=True)(*args, **kwargs)


def test_p_03_the_only_tensor_comes_as_it_is(tmp_path):
    jit.save(lambda x: [x * 2], str(tmp_path / "f"), input_spec=[spec("x")])
    assert first([jit.load(str(tmp_path / "f"), flat=True)(t(2))]) == [4.0]


class Box:
    def __init__(self, x):
        self.x = x


def grown(xs, x):
    xs.append(x)
    return x


def test_p_03_what_has_no_flat_form_is_refused(tmp_path):
    path = str(tmp_path / "f")
    jit.save(lambda x: [Box(x)], path, input_spec=[spec("x")])
    with pytest.raises(ConversionError, match="its result holds a SimpleNamespace"):
        jit.load(path, flat=True)(t(1))
    jit.save(grown, path, input_spec=[[spec("first")], spec("x")])
    with pytest.raises(ValueError, match="takes and changes xs, a list"):
        jit.load(path, flat=True)
    archive = str(tmp_path / "archive")
    jit.save(jit.script(lambda x: x * 2), archive)
    with pytest.raises(ValueError, match="by script or trace"):
        jit.load(archive, flat=True)
