"""`backend="onnxruntime"`: what surrounds a model. Answers of whole programs are in `test_engine_programs.py`."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import EngineError, ShapeError
from dy2st.ir.builder import Builder
from dy2st.ir.types import INT, TensorType
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="the engine needs the extra 'onnx'")
onnx = pytest.importorskip("onnx", reason="the engine needs the extra 'onnx'")

from dy2st.graphs.lowering.faults import ErrorEntry  # noqa: E402
from dy2st.graphs.ports import Port  # noqa: E402
from dy2st.onnx import engine  # noqa: E402
from dy2st.onnx.lowering.program import Lowered  # noqa: E402
from dy2st.passes.values import Interface  # noqa: E402

VECTOR = TensorType("float32", (None,))


class Scale(nn.Layer):
    """As many weights as it takes: none is folded by a pass."""

    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([3])
        self.weight.set_value(np.array([1, -2, 3], "float32"))

    def forward(self, x):
        return nn.functional.relu(x * self.weight + 1)


def answer(x, weight):
    return np.maximum(x * weight + 1, 0)


def session_of(executable):
    return executable.body().session


def rows(n):
    return np.linspace(-2, 2, 3 * n, dtype="float32").reshape(n, 3)


@pytest.mark.parametrize("dims", [[None, 3], [5, 3]])
def test_calls(dims):
    net = Scale()
    static = jit.to_static(net, [InputSpec(dims, "float32", "x")], backend="onnxruntime")
    with paddle.no_grad():
        for n in (5, 5, 0, 1, 5) if dims[0] is None else (5, 5, 5):
            result = static(paddle.to_tensor(rows(n))).numpy()
            assert result.shape == (n, 3) and result.dtype == np.float32
            np.testing.assert_allclose(result, answer(rows(n), net.weight.numpy()), rtol=1e-6)
    assert len(net.forward.program_cache) == 1


@pytest.mark.parametrize("lie", [
    lambda x: np.asfortranarray(x), lambda x: x[::-1][::-1], lambda x: np.repeat(x, 2, 0)[::2],
    lambda x: np.frombuffer(b"." + x.tobytes(), "float32", offset=1).reshape(x.shape),
    lambda x: np.broadcast_to(x[0], x.shape).copy().T.T,
])  # fmt: skip
def test_arrays_that_lie_otherwise_in_memory(tmp_path, lie):
    jit.save(Scale(), str(tmp_path / "net"), [InputSpec([None, 3], "float32", "x")])
    x = lie(rows(4))
    loaded = jit.load(str(tmp_path / "net"), backend="onnxruntime")
    np.testing.assert_allclose(loaded(x).numpy(), answer(x, np.array([1, -2, 3], "float32")), rtol=1e-6)


def test_no_array_is_copied():
    x = rows(4)
    assert engine.OrtSession.run.__globals__["_in_order"](x) is x
    static = jit.to_static(lambda x: x * 2, backend="onnxruntime")
    result = static(paddle.to_tensor(x)).numpy()
    assert not result.flags.owndata and result.flags.writeable  # the memory that onnxruntime has written


def test_weights_that_are_written():
    net = Scale()
    static = jit.to_static(net, backend="onnxruntime")
    x = paddle.to_tensor(rows(2))
    net.weight.stop_gradient = True
    held = net.weight.numpy()
    assert np.shares_memory(held, net.weight.numpy())

    def optimizer_step():
        net.weight.stop_gradient = False
        net.weight.sum().backward()
        paddle.optimizer.SGD(0.5, parameters=[net.weight]).step()

    writes = [
        lambda: None,
        lambda: net.weight.set_value(np.array([3, 1, 1], "float32")),
        lambda: held.__setitem__(0, 7),
        lambda: setattr(net, "weight", net.create_parameter([3])),
        optimizer_step,
    ]
    for write in writes:
        write()
        with paddle.no_grad():
            np.testing.assert_allclose(static(x).numpy(), answer(x.numpy(), net.weight.numpy()), rtol=1e-6)
            np.testing.assert_allclose(static(x).numpy(), answer(x.numpy(), net.weight.numpy()), rtol=1e-6)


def test_weights_that_nobody_can_write_are_constants(tmp_path):
    jit.save(Scale(), str(tmp_path / "net"), [InputSpec([None, 3], "float32", "x")])
    loaded = jit.load(str(tmp_path / "net"), backend="onnxruntime")
    session = session_of(loaded._executable)
    loaded(rows(2))
    first = session._ready[1]
    assert [i.name for i in first._session.get_inputs()] == ["x"]
    loaded(rows(1))
    assert session._ready[1] is first
    loaded.weight.set_value(np.array([0, 0, 1], "float32"))
    with paddle.no_grad():
        for _ in range(2):
            np.testing.assert_allclose(loaded(rows(2)).numpy(), answer(rows(2), np.array([0, 0, 1], "float32")), rtol=1e-6)
    assert session._ready[1] is not first and len(session._ready[1]._session.get_inputs()) == 2


def test_a_read_only_view_of_memory_that_may_be_written_is_no_constant():
    memory = np.ones(3, "float32")
    view = memory[:]
    view.flags.writeable = False
    b = Builder()
    with b.function("main", x=VECTOR) as (x,):
        b.return_(b.op("multiply", x, b.param("w", view), types=[VECTOR]))
    executable = engine.compile_program(b.program)
    for value in (1, 5):
        memory[:] = value
        np.testing.assert_array_equal(executable(np.ones(3, "float32")), memory)


def test_what_a_model_does_not_have_a_form_for():
    static = jit.to_static(lambda x: (x + 1).asinh() if x.sum() > 0 else paddle.linalg.svd(x)[0], backend="onnxruntime")
    with pytest.raises(EngineError, match=r"test_engine.py:\d+: \w+ has no form in ONNX.*backend='onnxruntime'"):
        static(paddle.to_tensor(rows(3)))


def test_what_an_operator_does_not_take_is_said_as_by_the_numpy_engine():
    specs = [InputSpec([None], "float32"), InputSpec([None], "float32")]
    messages = []
    for backend in ("numpy", "onnxruntime"):
        static = jit.to_static(lambda x, y: x * 2 + y, specs, backend=backend)
        with pytest.raises(ShapeError) as caught:
            static(paddle.ones([2]), paddle.ones([3]))
        assert caught.value.dy2st_loc.file == __file__
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_a_program_that_gives_nothing():
    def nothing(x):
        return None

    static = jit.to_static(nothing, backend="onnxruntime")
    assert static(paddle.ones([2])) is None and static(paddle.ones([2])) is None


def test_threads():
    static = jit.to_static(Scale(), [InputSpec([None, 3], "float32", "x")], backend="onnxruntime")
    found = {}

    def work(n):
        with paddle.no_grad():
            found[n] = [static(paddle.to_tensor(rows(n))).numpy() for _ in range(50)]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for step in (threading.Thread.start, threading.Thread.join):
        for thread in threads:
            step(thread)
    for n, results in found.items():
        for result in results:
            np.testing.assert_allclose(result, answer(rows(n), np.array([1, -2, 3], "float32")), rtol=1e-6)
    assert len(found) == 4


def test_release_and_source():
    net = Scale()
    static = jit.to_static(net, backend="onnxruntime")
    with paddle.no_grad():
        before = static(paddle.to_tensor(rows(2))).numpy()
        static.forward.release()
        assert session_of(net.forward.concrete_program.executable)._ready is None
        np.testing.assert_array_equal(static(paddle.to_tensor(rows(2))).numpy(), before)
    source = net.forward.concrete_program.executable.source
    assert "Relu" in source and "Mul" in source


def test_bind(tmp_path):
    jit.save(Scale(), str(tmp_path / "net"), [InputSpec([2, 3], "float32", "x")])
    x, out = rows(2), np.empty((2, 3), "float32")
    run = jit.load(str(tmp_path / "net"), backend="onnxruntime").bind(x, out=out)
    for k in range(3):
        x[...] = rows(2) + k
        assert run() is out
        np.testing.assert_allclose(out, answer(x, np.array([1, -2, 3], "float32")), rtol=1e-6)


class Classifier(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Linear(8, 16), nn.BatchNorm1D(16), nn.Linear(16, 3)

    def forward(self, x, y):
        h = nn.functional.relu(self.norm(self.first(x)))
        h = h + 1 if h.mean() > 10 else h * 1.5
        return nn.functional.cross_entropy(self.last(h), y)


def test_training():
    rng = np.random.default_rng(0)
    x, y = paddle.to_tensor(rng.standard_normal((12, 8)).astype("float32")), paddle.to_tensor(rng.integers(0, 3, 12))
    found = []
    for backend in ("numpy", "onnxruntime"):
        paddle.seed(3)
        net = Classifier()
        static, losses = jit.to_static(net, backend=backend), []
        optimizer = paddle.optimizer.SGD(0.05, parameters=net.parameters())
        for _ in range(10):
            loss = static(x, y)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(loss.item())
        found.append([np.array(losses), *(t.numpy() for t in net.state_dict().values())])
    assert found[0][0][-1] < found[0][0][0]
    for ours, theirs in zip(*found):
        np.testing.assert_allclose(theirs, ours, rtol=1e-4, atol=1e-5)


# --- what a call leaves, by a model that is written by hand -------------------------------------------------------------------


def counting_model():
    """y = x + w, which w becomes, while x becomes 0; the state `count` is one more; from 3 on the call ends in the raise.

    The Program beside it doesn't raise on NumPy: so such a call leaves nothing.
    """
    helper, float_, int_ = onnx.helper, onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
    constants = {"one": np.asarray(1), "two": np.asarray(2), "weight": np.zeros(2, "float32")}
    nodes = [
        ("Add", ["x", "weight"], "y"), ("Identity", ["y"], "w_after"), ("Sub", ["x", "x"], "x_after"),
        ("Add", ["count", "one"], "count_after"), ("Greater", ["count_after", "two"], "fails"),
    ]  # fmt: skip
    vectors = [helper.make_tensor_value_info(name, float_, ["n"]) for name in ("x", "y", "w_after", "x_after")]
    numbers = [helper.make_tensor_value_info(name, int_, []) for name in ("count", "count_after", "error")]
    graph = helper.make_graph(
        [*(helper.make_node(kind, given, [name]) for kind, given, name in nodes),
         helper.make_node("Cast", ["fails"], ["error"], to=int_)],
        "g", [vectors[0], numbers[0]], [*vectors[1:], *numbers[1:]],
        [onnx.numpy_helper.from_array(array, name) for name, array in constants.items()],
    )  # fmt: skip
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


class TooMany(ValueError):
    pass


def test_what_a_call_leaves(monkeypatch):
    b = Builder()
    b.declare_state("count", INT, 0)
    with b.function("main", x=VECTOR) as (x,):
        b.param("w", np.ones(2, "float32"))
        b.return_(b.op("add", x, x, types=[VECTOR]))
    found = Lowered(
        counting_model(), 18, [Port(VECTOR, ["x"], VECTOR), Port(INT, ["count"], INT, "state", "count")],
        [Port(VECTOR, ["y"], VECTOR), Port(VECTOR, ["w_after"], VECTOR, "parameter", "w"),
         Port(VECTOR, ["x_after"], VECTOR, "argument", 0), Port(INT, ["count_after"], INT, "state", "count"),
         Port(INT, ["error"], INT, "error")],
        {"w": "weight"}, [ErrorEntry("TooMany", ("too many",), bases=("ValueError",))],
    )  # fmt: skip
    monkeypatch.setattr(engine, "lowered", lambda program: (found, Interface()))
    executable = engine.compile_program(b.program, {"TooMany": TooMany})
    weight = executable.parameters["w"]
    for expected, count in ((2, 1), (3, 2)):
        x = np.ones(2, "float32")
        np.testing.assert_array_equal(executable(x), [expected] * 2)
        np.testing.assert_array_equal(weight, [expected] * 2)
        assert executable.state == {"count": count} and not x.any()
    with pytest.raises(TooMany, match="too many"):
        executable.run("main", np.ones(2, "float32"))
    assert executable.state == {"count": 2} and b.program.state["count"].value == 0
