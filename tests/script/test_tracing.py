"""Tracing: what is recorded, what is frozen, and what is said about it."""

import ast
import contextlib
import itertools
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


@contextlib.contextmanager
def silence():
    """No TracerWarning is given in here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", jit.TracerWarning)
        yield


X, W, EXAMPLE = paddle.rand([2, 1, 6, 6]), paddle.rand([1, 1, 3, 3]), paddle.rand([1, 1, 3, 3])


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What traces give in a process that knows no source."""
    folder = tmp_path_factory.mktemp("tracing")
    net = Net().eval()
    both = jit.trace_module(net, {"forward": EXAMPLE, "weighted_kernel_sum": W})
    both.save(folder / "both.pt")
    np.savez(folder / "given.npz", x=X.numpy(), w=W.numpy())
    drops = jit.script(Drops())
    drops.eval()
    drops.save(folder / "drops.pt")
    captured = paddle.to_tensor([1.0, 2.0])
    jit.trace(lambda x: x + captured + paddle.full([2], 3.0), paddle.ones([2])).save(folder / "constants.pt")
    return fresh(
        """
        import numpy as np
        given = np.load("given.npz")
        x, w = paddle.to_tensor(given["x"]), paddle.to_tensor(given["w"])
        both = jit.load("both.pt")
        found["both"] = [both(x).tolist(), both.weighted_kernel_sum(w).tolist()]
        drops, x = jit.load("drops.pt"), paddle.ones([8])
        found["modes"] = [drops(x).tolist()]
        drops.train(); found["modes"].append(drops(x).tolist())
        drops.eval(); found["modes"].append(drops(x).tolist())
        found["constants"] = jit.load("constants.pt")(paddle.ones([2])).tolist()
        """,
        folder,
    ) | {"net": net}


def test_ts_16_a_traced_function_runs_at_other_shapes():
    traced = jit.trace(foo, (paddle.rand([3]), paddle.rand([3])))
    assert isinstance(traced, jit.ScriptFunction)
    for n in (3, 5):
        assert traced(paddle.ones([n]), paddle.ones([n])).tolist() == [3.0] * n


@pytest.mark.parametrize("method", [False, True])
def test_ts_17_a_layer_or_its_forward_gives_a_module_with_one_forward(method):
    net = Net().eval()
    made = jit.trace(net.forward if method else net, EXAMPLE)
    assert isinstance(made, jit.ScriptModule) and list(made._methods) == ["forward"]
    np.testing.assert_array_equal(made(X).numpy(), net(X).numpy())
    assert not hasattr(made, "weighted_kernel_sum")


def test_ts_18_the_parameters_and_submodules_are_there():
    net = Net().eval()
    made = jit.trace(net, EXAMPLE)
    assert [n for n, _ in made.named_parameters()] == ["conv.weight", "conv.bias"]
    assert [n for n, _ in made.named_sublayers()] == ["conv", "drop"]
    made.conv.bias.set_value(made.conv.bias + 1)
    np.testing.assert_allclose(made(X).numpy(), net(X).numpy(), rtol=1e-6)  # they are the original's


def test_ts_19_one_tensor_stands_for_a_tuple_of_it():
    for example in (paddle.rand([3]), (paddle.rand([3]),)):
        assert jit.trace(lambda x: x + x, example)(paddle.ones([2])).tolist() == [2.0, 2.0]


def test_ts_24_a_plain_trace_warns_of_nothing():
    with silence():
        jit.trace(foo, (paddle.rand([3]), paddle.rand([3])))
        jit.trace(Net().eval(), EXAMPLE)


def test_ts_31_several_methods_share_a_module_and_an_archive(elsewhere):
    net = Net().eval()
    both = jit.trace_module(net, {"forward": EXAMPLE, "weighted_kernel_sum": W})
    assert set(both._methods) == {"forward", "weighted_kernel_sum"}
    np.testing.assert_array_equal(both(X).numpy(), net(X).numpy())
    np.testing.assert_array_equal(both.weighted_kernel_sum(W).numpy(), net.weighted_kernel_sum(W).numpy())
    expected = elsewhere["net"](X), elsewhere["net"].weighted_kernel_sum(W)
    for got, wanted in zip(elsewhere["both"], expected):
        np.testing.assert_allclose(got, wanted.numpy(), rtol=1e-6)


def test_ts_33_real_parameters_accumulate_gradients():
    for make in (lambda net: jit.trace(net, EXAMPLE), jit.script):
        net = Net().eval()
        made = make(net)
        for k in (1, 2):
            made(X).sum().backward()
            np.testing.assert_allclose(made.conv.bias.grad.numpy(), [2 * 4 * 4 * k], rtol=1e-5)  # one a place
        assert net.conv.weight.grad is not None


def test_ts_35_another_method_is_traced_by_trace_module():
    net = Net().eval()
    with pytest.raises(RuntimeError, match="trace_module"):
        jit.trace(net.weighted_kernel_sum, W)
    made = jit.trace_module(net, {"weighted_kernel_sum": W})
    made.weighted_kernel_sum(W).sum().backward()
    np.testing.assert_allclose(net.conv.weight.grad.numpy(), W.numpy(), rtol=1e-6)
    assert [n for n, _ in made.named_parameters()] == ["conv.weight", "conv.bias"]


def nested(pair, items, named):
    a, (b, c) = pair
    return (a + b, (c * items[1], items[0] - named["k"]))


def containers(x):
    return {"a": x + 1, "b": x * 2}, [x, x - 1]


def test_ts_20_nested_tuples_lists_and_dicts_go_in():
    one = paddle.ones([2])
    traced = jit.trace(nested, ((one, (one, one)), [one, one], {"k": one}))
    two = one * 2
    args = (two, (one, two)), [one, two], {"k": two}
    got, expected = traced(*args), nested(*args)
    assert got[0].tolist() == expected[0].tolist() and got[1][0].tolist() == expected[1][0].tolist()
    assert got[1][1].tolist() == expected[1][1].tolist()


def test_ts_21_lists_and_dicts_come_out():
    named, items = jit.trace(containers, paddle.ones([2]))(paddle.ones([2]) * 2)
    assert list(named) == ["a", "b"] and named["a"].tolist() == [3.0, 3.0] and items[1].tolist() == [1.0, 1.0]


def branch(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def baked(x):
    return x * int(x.sum())


def test_ts_22_a_branch_on_data_is_frozen_with_a_warning():
    with pytest.warns(jit.TracerWarning) as found:
        traced = jit.trace(branch, paddle.ones([2]))
    assert found[0].filename == __file__ and found[0].lineno == branch.__code__.co_firstlineno + 1
    assert traced(-paddle.ones([2])).tolist() == [0.0, 0.0]  # x + 1, which plain Python would not give here


def test_ts_23_int_of_a_tensor_is_baked_in_with_a_warning():
    with pytest.warns(jit.TracerWarning) as found:
        traced = jit.trace(baked, paddle.ones([2]))
    assert found[0].filename == __file__ and found[0].lineno == baked.__code__.co_firstlineno + 1
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


def test_ts_26_scripted_layers_follow_the_mode(elsewhere):
    m, x = jit.script(Drops()), paddle.ones([8])
    for mode, expected in (("train", 0.0), ("eval", 1.0), ("train", 0.0)):
        getattr(m, mode)()
        assert m(x).tolist() == [expected] * 8
    assert elsewhere["modes"] == [[1.0] * 8, [0.0] * 8, [1.0] * 8]


def noisy(x):
    return x + paddle.rand([1]) * 1e-3


calls = itertools.count()


def counting(x):
    return x + next(calls)


def by_length(x):
    result = x[0]
    for i in range(x.shape[0]):
        result = result * x[i]
    return result


def test_ts_27_the_trace_is_checked_against_a_second_run():
    before = next(calls)
    with pytest.warns(jit.TracerWarning, match="does not match"):
        jit.trace(counting, paddle.ones([1]))
    assert next(calls) - before > 2


def test_ts_28_check_trace_false_runs_once_and_says_nothing():
    before = next(calls)
    with silence():
        jit.trace(counting, paddle.ones([1]), check_trace=False)
    assert next(calls) - before == 2


def test_ts_29_check_inputs_run_the_function_again():
    x = paddle.rand([3, 4])
    with pytest.raises(jit.TracingCheckError):
        jit.trace(by_length, (x,), check_inputs=[(paddle.rand([3, 2]),), (paddle.rand([4, 5]),)])
    with pytest.warns(jit.TracerWarning, match="a length of a tensor"):
        jit.trace(by_length, (x,), check_inputs=[(paddle.rand([3, 2]),)])  # as many rows: the same trace


def test_ts_30_check_tolerance_says_how_close():
    paddle.seed(0)
    with silence():
        jit.trace(noisy, paddle.ones([100]), check_tolerance=0.1)
    with pytest.warns(jit.TracerWarning, match="does not match"):
        jit.trace(noisy, paddle.ones([100]))


class Holds(nn.Layer):
    def other(self, x):
        return by_length(x)


def test_ts_32_check_inputs_of_trace_module_are_dicts():
    x = paddle.rand([3, 4])
    jit.trace_module(Holds(), {"other": x}, check_inputs=[{"other": paddle.rand([3, 5])}])
    with pytest.raises(jit.TracingCheckError):
        jit.trace_module(Holds(), {"other": x}, check_inputs=[{"other": paddle.rand([4, 5])}])


def test_ts_150_a_failing_check_shows_both_graphs():
    with pytest.raises(jit.TracingCheckError, match="Graphs differed across invocations!") as error:
        jit.trace(by_length, (paddle.rand([3, 4]),), check_inputs=[(paddle.rand([4, 5]),)])
    assert "Graph diff:" in str(error.value)
    marks = [line.strip()[:1] for line in str(error.value).splitlines() if "multiply" in line]
    assert marks.count("+") > marks.count("-")  # the longer input takes a step more


def test_ts_162_a_trace_repeats_the_traced_count():
    frozen = jit.trace(by_length, (paddle.rand([3, 4]),))
    assert str(frozen.graph).count("aten::multiply") == 3
    assert frozen(paddle.full([5, 1], 2.0)).tolist() == [16.0]
    with pytest.raises(IndexError):
        frozen(paddle.full([2, 1], 2.0))


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


def test_ts_54_a_random_operation_is_recorded_as_one():
    traced = jit.trace(lambda x: x + paddle.rand([3]), paddle.ones([3]), check_trace=False)
    first, second = (traced(paddle.zeros([3])).tolist() for _ in range(2))
    assert first != second and all(0 <= v < 1 for v in first + second)


def test_ts_152_a_row_filled_at_random_is_told_and_kept():
    with pytest.warns(jit.TracerWarning, match="does not match"):
        traced = jit.trace(fill_row, (paddle.rand([3, 4]),))
    x = paddle.full([3, 4], 9.0)
    given = traced(x)
    assert given[1:].tolist() == [[9.0] * 4] * 2 and all(0 <= v < 1 for v in given[0].tolist())


def test_ts_153_work_on_views_gives_what_eager_does():
    view = jit.trace(through_view, (paddle.rand([3, 2]),))
    for shape in ([3, 2], [4, 3]):
        z = paddle.rand(shape)
        np.testing.assert_array_equal(view(z).numpy(), through_view(z).numpy())


def test_ts_154_the_version_out_of_place_follows_the_rows():
    apart = jit.trace(fill_apart, (paddle.rand([3, 4]),), check_trace=False)
    y = paddle.full([5, 6], 3.0)
    first, second = apart(y), apart(y)
    assert first.shape == [2, 6] and first[1].tolist() == [3.0] * 6 and first[0].tolist() != second[0].tolist()


def test_ts_34_closures_that_train():
    weight = nn.Linear(1, 2).bias
    with pytest.raises(RuntimeError, match="requires grad"):
        jit.trace(lambda x: F.relu(x * weight), paddle.ones([2]))


def test_ts_160_tensors_made_inside_and_captured_are_in_the_archive(elsewhere):
    assert elsewhere["constants"] == [5.0, 6.0]


def test_ts_161_code_and_graph_of_a_trace_are_straight():
    traced = jit.trace(foo, (paddle.rand([3]), paddle.rand([3])))
    tree = ast.parse(traced.code)
    assert not any(isinstance(node, ast.If | ast.For | ast.While) for node in ast.walk(tree))
    text = str(traced.graph)
    assert [line.split("aten::")[1].split("(")[0] for line in text.splitlines() if "aten::" in line] == ["multiply", "add"]
    assert text.count(f"# {__file__}:{foo.__code__.co_firstlineno + 1}:") == 3  # two operators and the number
