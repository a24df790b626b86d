"""What a trace computes of its input, it computes anew for every input: whatever computes it, and by whatever means."""

import copy
import functools

import numpy as np
import pytest

import dy2st as paddle
from dy2st import func, jit, nn
from dy2st.autograd import PyLayer

EXAMPLE, OTHERS = paddle.to_tensor([1.0, 2.0]), ([4.0, -3.0], [-1.0, 0.5])


def agrees(function, made):
    """The trace gives what the function gives, for inputs that differ from the example in every way."""
    for x in OTHERS:
        np.testing.assert_allclose(made(paddle.to_tensor(x)).numpy(), function(paddle.to_tensor(x)).numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.detach() * 2,
        lambda x: paddle.to_tensor(x) * 3,
        lambda x: paddle.to_tensor([x[0], x[1] * 2]),
        lambda x: paddle.to_tensor([[x[0], 1.0], [x[1] * 2, x.sum()]]),
        lambda x: copy.copy(x) * 2,
        lambda x: copy.deepcopy(x) * 2,
        lambda x: copy.deepcopy([x, x + 1])[1] * 2,
        lambda x: paddle.full([2], x.sum()) + x.shape[0],
        lambda x: x.detach().clone().detach() + paddle.assign(x),
        lambda x: paddle.where(x.detach() > 0, x, paddle.to_tensor([x[1], x[0]])),
    ],
)
def test_s_30_what_no_operator_makes_of_an_input_follows_it(function, tmp_path):
    made = jit.trace(function, EXAMPLE)
    agrees(function, made)
    made.save(tmp_path / "m.pt")
    agrees(function, jit.load(tmp_path / "m.pt"))


def test_s_30_a_written_alias_is_one_in_a_trace():
    def function(x):
        y = x * 1
        alias, other = y.detach(), copy.copy(y)
        alias.add_(x)
        other.add_(x)
        return y

    agrees(function, jit.trace(function, EXAMPLE))


def test_s_30_numbers_read_behind_the_back_of_a_trace_are_refused_at_the_line():
    with pytest.raises(paddle.errors.ConversionError, match=r"test_traced_values.py:\d+: this reads the numbers of a tensor"):
        jit.trace(lambda x: paddle.Tensor(x._data * 2), EXAMPLE)


def test_a_trace_asks_for_a_condition_first_of_all_methods():
    with pytest.warns(jit.TracerWarning, match="bool"):
        made = jit.trace(lambda x: x * 2 if x.sum() > 0 else x - 1, EXAMPLE)
    assert made(paddle.to_tensor([-1.0, -2.0])).tolist() == [-2.0, -4.0]


def branching(x):
    y = x * 1
    if y.sum() > 0:
        y.add_(x)
        return y * y
    return y.sin()


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        h = self.fc(x)
        if x.sum() > 0:
            return h * 2
        return h - 1


class Outer(nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) + x


class Doubled(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return branching(x) * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def slope(x):
    x = x.detach()
    x.stop_gradient = False
    return paddle.grad(branching(x).sum(), [x])[0]


PLAIN = Net()
CALLEES = {
    "to_static function": (jit.to_static(branching), branching),
    "partial of it": (functools.partial(jit.to_static(branching)), branching),
    "to_static layer": (jit.to_static(PLAIN), lambda x: type(PLAIN).forward(PLAIN, x)),
    "functionalized": (func.functionalize(branching), branching),
    "func.grad": (func.grad(lambda x: branching(x).sum()), slope),
    "e_07 PyLayer": (Doubled.apply, lambda x: branching(x) * 2),
}


@pytest.mark.parametrize("name", CALLEES)
def test_s_31_control_flow_of_what_a_trace_calls_is_recorded(name, tmp_path):
    callee, plain = CALLEES[name]
    with paddle.no_grad():
        made = jit.trace(lambda x: callee(x) + 1, EXAMPLE.detach()) if "layer" not in name else None
        if made is None:
            made = jit.trace(Outer(callee), EXAMPLE)
            plain_before, plain = plain, lambda x: plain_before(x) + x - 1
        expected = lambda x: plain(x) + 1  # noqa: E731
    agrees_without_history(expected, made)
    made.save(tmp_path / "m.pt")
    agrees_without_history(expected, jit.load(tmp_path / "m.pt"))


def agrees_without_history(function, made):
    agrees(lambda x: function(x).detach(), lambda x: made(x).detach())


def test_s_31_a_length_is_given_to_a_static_function():
    repeated = jit.to_static(lambda x, n: x * n)
    made = jit.trace(lambda x: repeated(x, x.shape[0]), paddle.ones([3]))
    assert made(paddle.ones([5])).tolist() == [5.0] * 5


class Counting(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", paddle.zeros([1]))
        self.norm = nn.BatchNorm1D(2)

    def forward(self, x):
        self.calls.add_(1)
        return self.norm(x) * self.calls


def test_s_38_tracing_leaves_buffers_as_they_were():
    net, plain = Counting(), Counting()
    made = jit.trace(net, paddle.ones([3, 2]))
    assert net.calls.tolist() == [0.0] and net.norm._mean.tolist() == [0.0, 0.0]
    for x in (paddle.rand([3, 2]), paddle.rand([4, 2])):
        np.testing.assert_allclose(made(x).numpy(), plain(x).numpy(), rtol=1e-5)
    assert net.calls.tolist() == [2.0]


def test_s_38_tracing_leaves_tensors_and_state_of_what_it_calls_as_they_were():
    total = paddle.zeros([2])

    class Counter(nn.Layer):
        def __init__(self):
            super().__init__()
            self.count, self.seen = 0, []

        def forward(self, x):
            self.count = self.count + 1
            self.seen.append(x)
            return x * self.count + len(self.seen)

    counter = jit.to_static(Counter())
    made = jit.trace(lambda x: counter(x) + total.add_(x), EXAMPLE)
    assert (total.tolist(), counter.count, counter.seen) == ([0.0, 0.0], 0, [])
    assert made(EXAMPLE).tolist() == [3.0, 5.0]
    assert made(EXAMPLE).tolist() == [6.0, 10.0]


def test_s_38_an_attribute_that_a_trace_would_not_assign_is_told():
    class Counter(nn.Layer):
        def __init__(self):
            super().__init__()
            self.count = 0

        def forward(self, x):
            self.count = self.count + 1
            return x * self.count

    net = Counter()
    with pytest.warns(jit.TracerWarning, match="count is assigned, which a trace doesn't record"):
        jit.trace(net, EXAMPLE)
    assert net.count == 0


def test_s_38_a_global_that_a_trace_would_not_assign_is_told():
    global CALLS
    CALLS = 0
    with pytest.warns(jit.TracerWarning, match="CALLS is assigned, which a trace doesn't record"):
        jit.trace(lambda x: counted(x), EXAMPLE)
    assert CALLS == 0


CALLS = 0


def counted(x):
    global CALLS
    CALLS = CALLS + 1
    return x * CALLS


def test_a_list_that_a_traced_function_fills_is_the_callers():
    def function(x, xs, named):
        xs.append(x * 2)
        named["y"] = xs[0] + x
        return xs[-1] * len(xs)

    made = jit.trace(function, (EXAMPLE, [EXAMPLE], {"x": EXAMPLE}))
    x = paddle.to_tensor([5.0, -1.0])
    given, named = [x * 1], {"x": x}
    np.testing.assert_array_equal(made(x, given, named).numpy(), [20.0, -4.0])
    assert [t.tolist() for t in given] == [[5.0, -1.0], [10.0, -2.0]]
    assert {k: t.tolist() for k, t in named.items()} == {"x": [5.0, -1.0], "y": [10.0, -2.0]}
