"""Traced and scripted functions that call each other; is_scripting."""

import numpy as np

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


def test_ts_46_ts_47_ts_48_ts_49(tmp_path):
    one = paddle.ones([3])
    assert calls_traced(one, 4).tolist() == [9.0] * 3
    traced = jit.trace(calls_scripted, (paddle.rand([3]), paddle.rand([3]), paddle.rand([3])))
    assert traced(one, one * 2, one).tolist() == [3.0] * 3 and traced(one * 3, one * 2, one).tolist() == [4.0] * 3
    outer = jit.trace(Outer(), one)
    assert [outer(one * k).tolist()[0] for k in (1, 20, 50)] == [65.0, 41.0, 51.0]
    means = Means()
    compiled = jit.script(means)
    x = paddle.rand([2, 3, 9, 9])
    np.testing.assert_allclose(compiled(x).numpy(), means(x).numpy(), rtol=1e-5)
    assert len(list(compiled.named_parameters())) == 3
    compiled.save(tmp_path / "m.pt")
    traced.save(tmp_path / "t.pt")
    outer.save(tmp_path / "o.pt")
    np.save(tmp_path / "x.npy", x.numpy())
    found = fresh(
        """
        import numpy as np
        found["m"] = jit.load("m.pt")(paddle.to_tensor(np.load("x.npy"))).tolist()
        t, o = jit.load("t.pt"), jit.load("o.pt")
        one = paddle.ones([3])
        found["t"] = [t(one, one * 2, one).tolist(), t(one * 3, one * 2, one).tolist(), o(one).tolist()]
        """,
        tmp_path,
    )
    np.testing.assert_allclose(found["m"], means(x).numpy(), rtol=1e-5)
    assert found["t"] == [[3.0] * 3, [4.0] * 3, [65.0] * 3]


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


def test_ts_50_ts_51_ts_52():
    one = paddle.ones([1])
    assert uses_python(one).tolist() == ((one + len(str(paddle.Tensor))) * 2).tolist()
    assert not jit.is_scripting() and exported() == 2 and unsupported(one) is one
    assert either(one).tolist() == other_way(one).tolist() == [2.0]
    assert "unsupported" not in str(either.graph)
