"""Tracing: what is recorded, what is frozen, and what is said about it."""

import warnings

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import jit, nn
from script.fresh import fresh


def foo(x, y):
    return 2 * x + y


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2D(1, 1, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.conv(x))

    def weighted_kernel_sum(self, weight):
        return weight * self.conv.weight


def no_warning():
    context = warnings.catch_warnings()
    context.__enter__()
    warnings.simplefilter("error", jit.TracerWarning)
    return context


def test_ts_16_ts_19_ts_24_ts_161_a_function():
    context = no_warning()
    traced = jit.trace(foo, (paddle.rand([3]), paddle.rand([3])))
    double = jit.trace(lambda x: x + x, paddle.rand([3]))
    context.__exit__(None, None, None)
    assert isinstance(traced, jit.ScriptFunction)
    assert traced(paddle.ones([5]), paddle.ones([5])).tolist() == [3.0] * 5
    assert double(paddle.ones([2])).tolist() == [2.0, 2.0]
    assert "if" not in traced.code and f"{__file__}:{foo.__code__.co_firstlineno + 1}:" in str(traced.graph)


def test_ts_17_ts_18_ts_31_ts_33_ts_35_layers(tmp_path):
    net = Net().eval()
    x, w = paddle.rand([2, 1, 6, 6]), paddle.rand([1, 1, 3, 3])
    for made in (jit.trace(net, paddle.rand([1, 1, 3, 3])), jit.trace(net.forward, paddle.rand([1, 1, 3, 3]))):
        assert isinstance(made, jit.ScriptModule)
        np.testing.assert_array_equal(made(x).numpy(), net(x).numpy())
        assert [n for n, _ in made.named_parameters()] == ["conv.weight", "conv.bias"]
    with pytest.raises(RuntimeError, match="trace_module"):
        jit.trace(net.weighted_kernel_sum, w)
    both = jit.trace_module(net, {"forward": paddle.rand([1, 1, 3, 3]), "weighted_kernel_sum": w})
    np.testing.assert_array_equal(both.weighted_kernel_sum(w).numpy(), net.weighted_kernel_sum(w).numpy())
    both(x).sum().backward()
    assert net.conv.weight.grad is not None
    both.save(tmp_path / "m.pt")
    np.save(tmp_path / "x.npy", x.numpy())
    found = fresh(
        """
        import numpy as np
        m = jit.load("m.pt")
        found["y"] = m(paddle.to_tensor(np.load("x.npy"))).tolist()
        found["w"] = m.weighted_kernel_sum(paddle.ones([1, 1, 3, 3])).shape
        """,
        tmp_path,
    )
    np.testing.assert_allclose(found["y"], net(x).numpy(), rtol=1e-6)
    assert found["w"] == [1, 1, 3, 3]


def nested(pair, items, named):
    a, (b, c) = pair
    return (a + b, (c * items[1], items[0] - named["k"]))


def containers(x):
    return {"a": x + 1, "b": x * 2}, [x, x - 1]


def test_ts_20_ts_21_structures():
    one = paddle.ones([2])
    traced = jit.trace(nested, ((one, (one, one)), [one, one], {"k": one}))
    two = one * 2
    args = (two, (one, two)), [one, two], {"k": two}
    got, expected = traced(*args), nested(*args)
    assert got[0].tolist() == expected[0].tolist() and got[1][0].tolist() == expected[1][0].tolist()
    assert got[1][1].tolist() == expected[1][1].tolist()
    named, items = jit.trace(containers, one)(two)
    assert named["a"].tolist() == [3.0, 3.0] and items[1].tolist() == [1.0, 1.0]


def branch(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def baked(x):
    return x * int(x.sum())


def test_ts_22_ts_23_frozen_values():
    for function in (branch, baked):
        with pytest.warns(jit.TracerWarning) as found:
            traced = jit.trace(function, paddle.ones([2]))
        assert found[0].filename == __file__ and found[0].lineno == function.__code__.co_firstlineno + 1
    assert traced(-paddle.ones([2])).tolist() == [-2.0, -2.0]


def test_ts_25_the_mode_is_frozen():
    net = Net().eval()
    x = paddle.rand([1, 1, 3, 3])
    traced = jit.trace(net, x)
    traced.train()
    np.testing.assert_array_equal(traced(x).numpy(), net.eval()(x).numpy())


class Drops(nn.Layer):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        if self.training:
            return self.drop(x) * 0.0
        return self.drop(x)


def test_ts_26_scripted_layers_follow_the_mode(tmp_path):
    m = jit.script(Drops())
    x = paddle.ones([8])
    m.train()
    assert m(x).tolist() == [0.0] * 8
    m.eval()
    assert m(x).tolist() == [1.0] * 8
    m.save(tmp_path / "m.pt")
    found = fresh(
        """
        m = jit.load("m.pt"); x = paddle.ones([8])
        found["modes"] = [m(x).tolist()]
        m.train(); found["modes"].append(m(x).tolist())
        m.eval(); found["modes"].append(m(x).tolist())
        """,
        tmp_path,
    )
    assert found["modes"] == [[1.0] * 8, [0.0] * 8, [1.0] * 8]


def noisy(x):
    return x + paddle.rand([1]) * 1e-3


calls = []


def counting(x):
    calls.append(1)
    return x + len(calls)


def by_length(x):
    result = x[0]
    for i in range(x.shape[0]):
        result = result * x[i]
    return result


def test_ts_27_ts_28_ts_30_checks():
    with pytest.warns(jit.TracerWarning, match="does not match"):
        jit.trace(counting, paddle.ones([1]))
    calls.clear()
    context = no_warning()
    jit.trace(counting, paddle.ones([1]), check_trace=False)
    assert len(calls) == 1
    jit.trace(noisy, paddle.ones([100]), check_tolerance=0.1)
    context.__exit__(None, None, None)
    with pytest.warns(jit.TracerWarning, match="does not match"):
        jit.trace(noisy, paddle.ones([100]))


def test_ts_29_ts_32_ts_150_ts_162_check_inputs():
    x = paddle.rand([3, 4])
    with pytest.raises(jit.TracingCheckError, match="Graphs differed across invocations!") as error:
        jit.trace(by_length, (x,), check_inputs=[(paddle.rand([4, 5]),)])
    lines = [line.strip()[:1] for line in str(error.value).splitlines()]
    assert "+" in lines and "-" in lines

    class Holds(nn.Layer):
        def other(self, x):
            return by_length(x)

    with pytest.raises(jit.TracingCheckError):
        jit.trace_module(Holds(), {"other": x}, check_inputs=[{"other": paddle.rand([4, 5])}])
    frozen = jit.trace(by_length, (x,))
    y = paddle.full([5, 1], 2.0)
    assert frozen(y).tolist() == [16.0]


def test_ts_151_scripted_instead():
    compiled = jit.script(by_length)
    for shape in ([3, 4, 5], [4, 5, 6], [2, 3, 4]):
        x = paddle.rand(shape)
        np.testing.assert_allclose(compiled(x).numpy(), by_length(x).numpy(), rtol=1e-6)
    assert str(compiled.graph).count("Loop") == 1


def fill_row(x):
    x[0] = paddle.rand(x.shape[1:2])
    return x


def fill_apart(x):
    return paddle.concat((paddle.rand([1, *x.shape[1:2]]), x[1:2]), axis=0)


def through_view(x):
    y = x + 0
    y[1:] += 5
    y[0] = 7.0
    return y * 2


def test_ts_54_ts_152_ts_153_ts_154_writes():
    with pytest.warns(jit.TracerWarning, match="does not match"):
        traced = jit.trace(fill_row, (paddle.rand([3, 4]),))
    x = paddle.full([3, 4], 9.0)
    assert traced(x)[1:].tolist() == [[9.0] * 4] * 2 and all(0 <= v < 1 for v in traced(x)[0].tolist())
    apart = jit.trace(fill_apart, (paddle.rand([3, 4]),), check_trace=False)
    y = paddle.full([5, 6], 3.0)
    assert apart(y).shape == [2, 6] and apart(y)[1].tolist() == [3.0] * 6 and apart(y)[0].tolist() != apart(y)[0].tolist()
    view = jit.trace(through_view, (paddle.rand([3, 2]),))
    z = paddle.rand([4, 3])
    np.testing.assert_array_equal(view(z).numpy(), through_view(z).numpy())


def test_ts_34_closures_that_train():
    weight = nn.Linear(1, 2).bias
    with pytest.raises(RuntimeError, match="requires grad"):
        jit.trace(lambda x: F.relu(x * weight), paddle.ones([2]))


def test_ts_160_constants(tmp_path):
    captured = paddle.to_tensor([1.0, 2.0])
    traced = jit.trace(lambda x: x + captured + paddle.full([2], 3.0), paddle.ones([2]))
    traced.save(tmp_path / "f.pt")
    assert fresh("f = jit.load('f.pt'); found['y'] = f(paddle.ones([2])).tolist()", tmp_path)["y"] == [5.0, 6.0]
