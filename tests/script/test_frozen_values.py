"""What a trace can't follow is told, or followed: lengths, and what a function changes outside of it."""

import dataclasses
import math
import warnings

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import errors, jit, nn
from dy2st.autograd import PyLayer
from dy2st.traced_module import trace_module

SHORT, LONG = paddle.arange(6, dtype="float32").reshape([2, 3]), paddle.arange(12, dtype="float32").reshape([4, 3]) + 1

FOLLOWED = {
    "reshape": lambda x: x.reshape([x.shape[1], x.shape[0]]),
    "product": lambda x: paddle.reshape(x, (x.shape[0] * x.shape[1],)),
    "expand": lambda x: x.unsqueeze(0).expand([2, x.shape[0], x.shape[1]]),
    "zeros": lambda x: paddle.zeros([x.shape[0], 2]) + 1,
    "arange": lambda x: paddle.arange(0, x.shape[0], 2, dtype="float32"),
    "slice": lambda x: x[: x.shape[0] // 2],
    "index": lambda x: x[x.shape[0] - 1],
    "division": lambda x: x / x.shape[0] + x.shape[0] / (x + 1),
    "power": lambda x: x ** x.shape[0],
    "mean": lambda x: x.sum() / (x.shape[0] * x.shape[1]),
    "pad": lambda x: F.pad(x, [0, x.shape[0]]),
    "split": lambda x: paddle.split(x, [1, x.shape[0] - 1]),
    "tensor_split": lambda x: paddle.tensor_split(x, 3),
    "windows": lambda x: x.unfold(0, 2, 1),
    "equal_all": lambda x: paddle.equal_all(x, paddle.ones([4, 3])),
    "topk": lambda x: paddle.topk(x, x.shape[0] - 1, axis=0)[0],
    "is an int": lambda x: x * 2 if isinstance(x.shape[0], int) else x,
    "shown": lambda x: (f"{x.shape[0]:3d} {x.shape}", x)[1],
    "reversed": lambda x: x.reshape(x.shape[::-1]),
    "where": lambda x: paddle.where(x > 1, x, x.shape[0]),
}
FROZEN = {
    "range": lambda x: sum(x[i] * i for i in range(x.shape[0])),
    "if": lambda x: x * 2 if x.shape[0] > 2 else x,
    "equal": lambda x: x * 2 if x.shape == [2, 3] else x,
    "unbind": lambda x: paddle.add_n(paddle.unbind(x)),
    "unstack": lambda x: paddle.add_n(paddle.unstack(x)),
    "iteration": lambda x: sum(y for y in x),
    "len": lambda x: x * len(x),
    "int": lambda x: x * int(x.shape[0]),
    "half": lambda x: x * (x.shape[0] / 2),
    "root": lambda x: x * math.sqrt(x.shape[0]),
    "numpy": lambda x: x * float(np.sqrt(x.shape[0])),
    "product": lambda x: x * int(np.prod(x.shape)),
    "least": lambda x: x * min(x.shape[0], 3),
    "list": lambda x: x * len([0] * x.shape[0]),
    "dict": lambda x: x * {2: 1, 4: 2}[x.shape[0]],
    "to_tensor": lambda x: x * paddle.to_tensor(x.shape[0]),
}


def _lists(value):
    return [_lists(part) for part in value] if isinstance(value, list | tuple) else value.tolist()


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_length_is_followed(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", jit.TracerWarning)
        made = jit.trace(FOLLOWED[name], SHORT)
    assert _lists(made(LONG)) == _lists(FOLLOWED[name](LONG))


@pytest.mark.parametrize("name", FROZEN)
def test_a_length_that_is_frozen_is_told_at_its_line(name):
    with pytest.warns(jit.TracerWarning) as told:
        made = jit.trace(FROZEN[name], SHORT)
    assert {each.filename for each in told} == {__file__}
    assert FROZEN[name].__code__.co_firstlineno in {each.lineno for each in told}
    assert _lists(made(SHORT)) == _lists(FROZEN[name](SHORT))


COUNT, SEEN = 0, []


@dataclasses.dataclass
class Counts:
    n: int = 0


COUNTS = Counts()


class OwnList(nn.Layer):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append(1)
        return x * len(self.seen)


class OwnDict(nn.Layer):
    def __init__(self):
        super().__init__()
        self.table = {"n": 0}

    def forward(self, x):
        self.table["n"] += 1
        return x * self.table["n"]


class OwnObject(nn.Layer):
    def __init__(self):
        super().__init__()
        self.counts = Counts()

    def forward(self, x):
        self.counts.n += 1
        return x * self.counts.n


class GlobalList(nn.Layer):
    def helper(self):
        SEEN.append(1)

    def forward(self, x):
        self.helper()
        return x * len(SEEN)


class GlobalObject(nn.Layer):
    def forward(self, x):
        COUNTS.n += 1
        return x * COUNTS.n


class OfClass(nn.Layer):
    n = 0

    def forward(self, x):
        type(self).n += 1
        return x * self.n


class Captured(nn.Layer):
    def __init__(self):
        super().__init__()
        seen = []

        def count(x):
            seen.append(1)
            return x * len(seen)

        self.count = count

    def forward(self, x):
        return self.count(x)


class OwnHook(OwnList):
    def __init__(self):
        super().__init__()
        self.register_forward_post_hook(lambda layer, inputs, outputs: self.seen.append(2))


class GlobalNumber(nn.Layer):
    def helper(self):
        global COUNT
        COUNT += 1

    def forward(self, x):
        self.helper()
        return x * COUNT


CHANGING = [OwnList, OwnDict, OwnObject, GlobalList, GlobalObject, OfClass, Captured, OwnHook]


@pytest.mark.parametrize("layer", [*CHANGING, GlobalNumber])
def test_a_change_outside_that_a_trace_leaves_out_is_told(layer):
    """And it is taken back: a plain call counts from where it was."""
    given = layer()
    with pytest.warns(jit.TracerWarning, match="is (changed|assigned)"):
        jit.trace(given, SHORT)
    assert given(SHORT).tolist() == SHORT.tolist()
    _begin_again()


@pytest.mark.parametrize("layer", CHANGING)
def test_a_change_that_a_graph_leaves_out_is_told(layer):
    given = layer()
    with pytest.warns(errors.TraceWarning, match=f"{layer.__name__} changes what is in"):
        trace_module(given, SHORT)
    assert given(SHORT).tolist() == SHORT.tolist()
    _begin_again()


def test_a_number_that_a_graph_leaves_out_is_refused():
    with pytest.raises(errors.Dy2stError, match="assigns COUNT"):
        trace_module(GlobalNumber(), SHORT)


def _begin_again():
    global COUNT
    COUNT = COUNTS.n = OfClass.n = 0
    SEEN.clear()


class Counted(PyLayer):
    n = 0

    @staticmethod
    def forward(ctx, x):
        Counted.n += 1
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad


def test_a_class_attribute_that_a_py_layer_assigns_is_told():
    with pytest.warns(jit.TracerWarning, match="Counted.n is assigned here"):
        made = jit.trace(lambda x: Counted.apply(x), SHORT)
    assert Counted.n == 0 and made(LONG).tolist() == (LONG * 2).tolist()


class WithStaticMethod(nn.Layer):
    @jit.to_static
    def twice(self, x):
        return x * 2

    def forward(self, x):
        return self.twice(x)


def test_a_static_method_is_no_change():
    with warnings.catch_warnings():
        warnings.simplefilter("error", jit.TracerWarning)
        made = jit.trace(WithStaticMethod(), SHORT)
    assert made(LONG).tolist() == (LONG * 2).tolist()


class Wraps(nn.Layer):
    def forward(self, x):
        return paddle.Tensor(x) * 2


def test_a_tensor_made_of_an_input_is_told():
    with pytest.warns(errors.TraceWarning, match=r"Tensor\(x\) follows the inputs"):
        trace_module(Wraps(), SHORT)
