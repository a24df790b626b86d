"""`backend="onnxruntime"` and memory that the caller has: what plain Python would write, or give, is written and given."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import EngineError
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="the engine needs the extra 'onnx'")
pytest.importorskip("onnx", reason="the engine needs the extra 'onnx'")


class Ring(nn.Layer):
    """The last rows that it was given, and where the next one goes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("rows", paddle.zeros([3, 2]))
        self.register_buffer("place", paddle.zeros([1], dtype="int64"))
        self.count = 0

    def forward(self, x):
        self.rows[self.count % 3] = x
        self.place[0] = self.count
        self.count += 1
        return self.rows, (self.place, x), x * 2

    def last(self, x):
        self.rows[0] = x
        return self.rows[0:1]

    def latest(self, x):
        self.rows[self.count % 3] = x
        self.count += 1
        return self.rows[(self.count - 1) % 3]

    def unwritten(self, x):
        return self.rows[0:1] + x


def staged(backend):
    net = Ring()
    return net, jit.to_static(net, [InputSpec([2], "float32", "x")], backend=backend)


def test_results_that_are_parameters_or_arguments():
    plain, (net, static) = Ring(), staged("onnxruntime")
    xs = [paddle.to_tensor(np.array([k, -k], "float32")) for k in range(4)]
    expected, given = [plain(x) for x in xs], [static(x) for x in xs]
    for (rows, (place, same), _), (rows_, (place_, same_), twice), x in zip(expected, given, xs):
        np.testing.assert_array_equal(rows_.numpy(), rows.numpy())
        np.testing.assert_array_equal(place_.numpy(), place.numpy())
        assert np.shares_memory(rows_.numpy(), net.rows.numpy()) and np.shares_memory(same_.numpy(), x.numpy())
        assert not np.shares_memory(twice.numpy(), x.numpy())
    assert net.count == plain.count == 4
    np.testing.assert_array_equal(net.rows.numpy(), plain.rows.numpy())


def test_a_view_of_what_the_program_writes_is_that_view():
    net = Ring()
    static = jit.to_static(net.last, backend="onnxruntime")
    first = static(paddle.ones([2]))
    static(paddle.full([2], 2.0))
    np.testing.assert_array_equal(first.numpy(), np.full((1, 2), 2))
    assert np.shares_memory(first.numpy(), net.rows.numpy())


def test_a_view_that_only_a_run_tells_is_refused_as_a_result():
    net = Ring()
    with pytest.raises(EngineError, match=r"test_engine_memory.py:\d+: the result may share memory with rows.*clone"):
        jit.to_static(net.latest, backend="onnxruntime")(paddle.ones([2]))
    unwritten = jit.to_static(net.unwritten, backend="onnxruntime")
    np.testing.assert_array_equal(unwritten(paddle.ones([2])).numpy(), np.ones((1, 2)))


def test_arguments_that_are_written():
    def doubled(x, y):
        x.multiply_(paddle.full([], 2.0))
        return x + y

    specs = [InputSpec([None], "float32", "x"), InputSpec([None], "float32", "y")]
    static = jit.to_static(doubled, specs, backend="onnxruntime")
    x, y = paddle.ones([3]), paddle.ones([3])
    for factor in (2, 4):
        np.testing.assert_array_equal(static(x, y).numpy(), [factor + 1] * 3)
        np.testing.assert_array_equal(x.numpy(), [factor] * 3)
    with pytest.raises(ValueError, match="two inputs share memory"):
        static(x, x)


def test_a_call_that_raises_leaves_what_python_leaves():
    class Counter(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", paddle.zeros([1]))
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            self.total.add_(x.sum().reshape([1]))
            if self.total[0] > 2:
                raise ValueError(f"too much after {self.calls} calls")
            self.calls += 10
            return self.total * 1

    plain, net = Counter(), Counter()
    static = jit.to_static(net, [InputSpec([2], "float32", "x")], backend="onnxruntime")
    for _ in range(3):
        answers = []
        for function in (plain, static):
            try:
                answers.append(function(paddle.ones([2]) * 0.75).numpy().tolist())
            except ValueError as error:
                answers.append(str(error))
        assert answers[0] == answers[1]
        assert net.calls == plain.calls
        np.testing.assert_allclose(net.total.numpy(), plain.total.numpy())
    assert "too much after" in answers[0]


def test_lists_in_state_stay_the_lists_that_they_are():
    class History(nn.Layer):
        def __init__(self):
            super().__init__()
            self.means = []

        def forward(self, x):
            self.means.append(x.mean())
            return len(self.means)

        def all(self, x):
            self.means.append(x.mean())
            return self.means

    net = History()
    held = net.means
    static = jit.to_static(net, [InputSpec([2], "float32", "x")], backend="onnxruntime")
    for k in range(3):
        assert int(static(paddle.full([2], float(k)))) == k + 1
    assert net.means is held and [x.item() for x in held] == [0.0, 1.0, 2.0]
    assert jit.to_static(net.all, backend="onnxruntime")(paddle.ones([2])) is held and len(held) == 4


class Cache(nn.Layer):
    def __init__(self, kept):
        super().__init__()
        self.kept = kept

    def forward(self, x):
        self.kept["means"].append(x.mean())
        self.kept["sums"].extend([x.sum(), x.max()])
        return len(self.kept["means"]) + len(self.kept["sums"])

    def several_kinds(self, x):
        self.kept["means"].append(x.mean())
        self.kept["last"] = x
        self.kept["count"] += 1
        return len(self.kept["means"]) + self.kept["count"]


def assert_kept(method, made):
    plain, net = Cache(made()), Cache(made())
    held, means = net.kept, net.kept["means"]
    static = jit.to_static(getattr(net, method), [InputSpec([2], "float32", "x")], backend="onnxruntime")
    for k in range(3):
        x = paddle.full([2], float(k))
        assert int(static(x)) == getattr(plain, method)(x)
    assert net.kept is held and held["means"] is means
    assert list(held) == list(plain.kept)
    for key, value in plain.kept.items():
        np.testing.assert_array_equal(np.asarray(held[key]), np.asarray(value))


def test_containers_in_state_are_changed_where_they_are():
    assert_kept("forward", lambda: {"means": [], "sums": []})


def test_containers_of_several_kinds_in_state():
    assert_kept("several_kinds", lambda: {"means": [], "last": paddle.zeros([2]), "count": 0})


def test_attributes_follow_each_other_as_calls_make_them():
    class Late(nn.Layer):
        def forward(self, x):
            if x.sum() > 0:
                self.second = x * 2
            self.first = x + 1
            return x

    plain, net = Late(), Late()
    static = jit.to_static(net, [InputSpec([2], "float32", "x")], backend="onnxruntime")
    for sign in (-1, 1):
        x = paddle.full([2], float(sign))
        static(x)
        plain(x)
        names = [name for name in vars(plain) if name in ("first", "second")]
        assert [name for name in vars(net) if name in ("first", "second")] == names
        for name in names:
            np.testing.assert_array_equal(getattr(net, name).numpy(), getattr(plain, name).numpy())


def test_a_list_among_the_arguments_is_changed_where_it_is():
    def push(xs, y):
        xs.append(y * 2)
        return xs

    static = jit.to_static(push, backend="onnxruntime")
    with paddle.no_grad():
        xs = [paddle.ones([1])]
        found = static(xs, paddle.ones([1]))
        assert found is xs and [x.item() for x in xs] == [1.0, 2.0]


def test_parts_of_a_result_that_are_one_object():
    def twice(x):
        xs, y = [x * 2], x + 1
        return xs, (y, xs), y

    xs, (y, same), other = jit.to_static(twice, backend="onnxruntime")(paddle.ones([2]))
    assert xs is same and y is other and xs[0].tolist() == y.tolist() == [2, 2]


def test_containers_that_change_places_are_refused():
    class Turns(nn.Layer):
        def __init__(self):
            super().__init__()
            self.rows = [[1, 2], [3]]
            self.log = []

        def forward(self, x):
            self.rows.reverse()
            return x + len(self.rows[0])

        def restarted(self, x):
            self.log.append(x.sum())
            if x.sum() > 3:
                self.log = []
            return x

    net = Turns()
    for method, what in ((net.forward, "change places"), (net.restarted, "is exchanged here and changed in place")):
        with pytest.raises(EngineError, match=rf"test_engine_memory.py:\d+: .*{what}"):
            jit.to_static(method, backend="onnxruntime")(paddle.ones([2]))
