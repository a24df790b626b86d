"""What a model calls that is no part of it: compiled functions, traces and loaded models keep their control flow."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st import func, jit, nn, traced_module
from dy2st.errors import TraceError
from dy2st.static import InputSpec

EXAMPLE, OTHERS = paddle.to_tensor([1.0, 2.0]), ([4.0, -3.0], [-1.0, 0.5], [-1.0, -0.5])


def branching(x):
    if x.sum() > 0:
        return x * 2
    return x.sin()


def loaded(made, folder):
    jit.save(made, folder / "m", **({} if isinstance(made, jit.ScriptFunction) else {"input_spec": [InputSpec([2])]}))
    return jit.load(folder / "m")


CALLEES = {
    "scripted": lambda folder: jit.script(branching),
    "traced": lambda folder: jit.trace(lambda x: jit.script(branching)(x), EXAMPLE),
    "loaded": lambda folder: loaded(jit.script(branching), folder),
    "loaded layer": lambda folder: loaded(jit.to_static(branching), folder),
    "static": lambda folder: jit.to_static(branching),
    "functionalized": lambda folder: func.functionalize(branching),
}


@pytest.mark.parametrize("name", CALLEES)
def test_s_32_a_callee_that_is_no_sublayer_keeps_its_control_flow(name, tmp_path):
    callee = CALLEES[name](tmp_path)

    class Calling(nn.Layer):
        def forward(self, x):
            return callee(x + 1) - x

    made = traced_module.trace_module(Calling(), EXAMPLE)
    for x in map(paddle.to_tensor, OTHERS):
        np.testing.assert_allclose(made(x).numpy(), (branching(x + 1) - x).numpy(), rtol=1e-6)


def test_tracing_leaves_a_tensor_outside_as_it_was():
    total = paddle.zeros([2])

    class Adding(nn.Layer):
        def forward(self, x):
            return total.add_(x) * 1

    made = traced_module.trace_module(Adding(), EXAMPLE)
    assert total.tolist() == [0.0, 0.0]
    assert made(EXAMPLE).tolist() == [1.0, 2.0] and made(EXAMPLE).tolist() == [2.0, 4.0]


def test_a_number_that_forward_assigns_is_refused():
    class Counting(nn.Layer):
        def __init__(self):
            super().__init__()
            self.count = 0

        def forward(self, x):
            self.count = self.count + 1
            return x * self.count

    net = Counting()
    with pytest.raises(TraceError, match="Counting assigns count, which a graph can't do"):
        traced_module.trace_module(net, EXAMPLE)
    assert net.count == 0


def test_a_list_that_forward_changes_is_refused():
    class Appending(nn.Layer):
        def forward(self, x, xs):
            xs.append(x)
            return x * len(xs)

    with pytest.raises(TraceError, match="changes a list or dict that it is given"):
        traced_module.trace_module(Appending(), EXAMPLE, [EXAMPLE])
