"""Traced and scripted functions that call each other; is_scripting."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from script.fresh import fresh


def foo(x, y):
    return 2 * x + y


TRACED = jit.trace(foo, (paddle.rand([3]), paddle.rand([3])))


@jit.script
def choose(x, y):
    if x.max() > y.max():
        r = x
    else:
        r = y
    return r


@jit.script
def calls_traced(x, n: int):
    for i in range(n):
        if i % 2 == 0:
            x = TRACED(x, x)
    return x


def calls_scripted(x, y, z):
    return choose(x, y) + z


class Loops(nn.Layer):
    def forward(self, x, n: int = 3):
        while x.sum() < 100.0:
            x = x * 2
        return x


class Outer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = jit.script(Loops())

    def forward(self, x):
        return self.inner(x) + 1


class Means(nn.Layer):
    def __init__(self):
        super().__init__()
        self.means = self.create_parameter([1, 3, 1, 1])
        self.backbone = jit.trace(nn.Conv2D(3, 2, 3), paddle.rand([1, 3, 8, 8]))

    def forward(self, input):
        return self.backbone(input - self.means)


ONE = paddle.ones([3])


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What was mixed gives in a process that knows no source."""
    folder = tmp_path_factory.mktemp("mixing")
    means, x = Means(), paddle.rand([2, 3, 9, 9])
    jit.script(means).save(folder / "m.pt")
    jit.trace(calls_scripted, (ONE, ONE, ONE)).save(folder / "t.pt")
    jit.trace(Outer(), ONE).save(folder / "o.pt")
    calls_traced.save(folder / "c.pt")
    np.save(folder / "x.npy", x.numpy())
    found = fresh(
        """
        import numpy as np
        found["m"] = jit.load("m.pt")(paddle.to_tensor(np.load("x.npy"))).tolist()
        t, o, c = jit.load("t.pt"), jit.load("o.pt"), jit.load("c.pt")
        one = paddle.ones([3])
        found["t"] = [t(one, one * 2, one).tolist(), t(one * 3, one * 2, one).tolist()]
        found["o"] = [o(one * k).tolist()[0] for k in (1, 20, 50)]
        found["c"] = [c(one, n).tolist()[0] for n in (0, 1, 4)]
        """,
        folder,
    )
    return found | {"means": means(x)}


def test_ts_46_a_scripted_function_calls_a_traced_one(elsewhere):
    assert [calls_traced(ONE, n).tolist()[0] for n in (0, 1, 4)] == [1.0, 3.0, 9.0] == elsewhere["c"]


def test_ts_47_control_flow_survives_inside_a_trace(elsewhere):
    traced = jit.trace(calls_scripted, (paddle.rand([3]), paddle.rand([3]), paddle.rand([3])))
    assert traced(ONE, ONE * 2, ONE).tolist() == [3.0] * 3 and traced(ONE * 3, ONE * 2, ONE).tolist() == [4.0] * 3
    assert "prim::If" in str(traced.graph)
    assert elsewhere["t"] == [[3.0] * 3, [4.0] * 3]


def test_ts_48_a_scripted_part_keeps_its_loop_in_a_trace(elsewhere):
    outer = jit.trace(Outer(), ONE)
    expected = [Outer()(ONE * k).tolist()[0] for k in (1, 20, 50)]
    assert [outer(ONE * k).tolist()[0] for k in (1, 20, 50)] == expected == elsewhere["o"]
    assert "prim::Loop" in str(outer.graph)


def test_ts_49_means_and_a_traced_backbone(elsewhere):
    means = Means()
    compiled, x = jit.script(means), paddle.rand([2, 3, 9, 9])
    np.testing.assert_allclose(compiled(x).numpy(), means(x).numpy(), rtol=1e-5)
    assert [n for n, _ in compiled.named_parameters()] == ["means", "backbone.weight", "backbone.bias"]
    compiled(x).sum().backward()
    assert all(p.grad is not None for _, p in means.named_parameters())
    np.testing.assert_allclose(elsewhere["m"], elsewhere["means"].numpy(), rtol=1e-5)


@jit.ignore
def in_python(x):
    return x + len(str(type(x)))


@jit.unused
def unsupported(x):
    return __import__("os") and x


@jit.export
def exported():
    return 2


@jit.script
def uses_python(x):
    y = in_python(x)
    return y * 2


@jit.script
def either(x):
    if jit.is_scripting():
        return x + 1
    return unsupported(x)


@jit.script
def other_way(x):
    if not jit.is_scripting():
        return unsupported(x)
    return x + 1


def test_ts_50_an_ignored_function_runs_in_python():
    one = paddle.ones([1])
    for _ in range(2):
        assert uses_python(one).tolist() == ((one + len(str(paddle.Tensor))) * 2).tolist()
    assert isinstance(uses_python(one), paddle.Tensor)


def test_ts_51_marks_on_functions_that_nobody_calls_change_nothing():
    one = paddle.ones([1])
    assert exported() == 2 and unsupported(one) is one and in_python(one).item() == 1 + len(str(paddle.Tensor))
    assert jit.script(lambda_free)(one).tolist() == [3.0]


def lambda_free(x):
    return x * 3


def test_ts_52_is_scripting_tells_the_two_worlds_apart():
    one = paddle.ones([1])
    assert not jit.is_scripting()
    assert either(one).tolist() == other_way(one).tolist() == [2.0]
    assert "unsupported" not in str(either.graph) + str(other_way.graph)
    assert other_way._plain(one) is one  # in Python, the other side
    with pytest.raises(RuntimeError, match="unsupported"):
        reaches_unused(one)


@jit.script
def reaches_unused(x):
    if jit.is_scripting():
        return unsupported(x)
    return x
