"""`backend=`: engines are found by name, imported when asked, and all calls of a Program go through the one that was chosen."""

from __future__ import annotations

import copy
import sys

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.cli import main
from dy2st.errors import EngineError
from dy2st.runtime.engines import ENGINES, NUMPY, Engine, engine_named
from dy2st.static import InputSpec

X = np.arange(6, dtype="float32").reshape(2, 3) - 2


@pytest.fixture
def noting(monkeypatch):
    """The engine `noting`, which hasn't been imported and has run nothing."""
    monkeypatch.setitem(ENGINES, "noting", Engine("noting", "support.noting_engine"))
    monkeypatch.delitem(sys.modules, "support.noting_engine", raising=False)
    yield lambda: sys.modules["support.noting_engine"]
    sys.modules.pop("support.noting_engine", None)


def doubled(x):
    if x.sum() > 0:
        return x * 2
    return x


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.calls = paddle.zeros([1])

    def forward(self, x):
        return self.linear(x).tanh()

    def counted(self, x):
        self.calls = self.calls + x.sum()
        return self.calls * 2


def test_names():
    assert engine_named(None) is engine_named("numpy") is NUMPY
    for ask in (jit.to_static, lambda f, backend: jit.load("nowhere", backend=backend)):
        with pytest.raises(ValueError, match="one of 'numpy', 'onnxruntime', 'jax', not 'tensorrt'"):
            ask(doubled, backend="tensorrt")
        with pytest.raises(TypeError, match="name of an engine or None, not int"):
            ask(doubled, backend=1)


def test_an_engine_is_imported_by_the_first_call(noting):
    static = jit.to_static(doubled, backend="noting")
    assert "support.noting_engine" not in sys.modules
    static(paddle.to_tensor(X))
    assert noting().calls == ["main"]


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    static = jit.to_static(doubled, backend="onnxruntime")
    with pytest.raises(ImportError, match=r"onnxruntime: pip install '\.\[onnx\]'"):
        static(paddle.to_tensor(X))


@pytest.mark.parametrize("make", [
    lambda: jit.to_static(doubled, backend="noting"),
    lambda: jit.to_static(backend="noting")(doubled),
    lambda: jit.to_static(jit.to_static(doubled, backend="noting")),
    lambda: jit.to_static(jit.to_static(doubled), backend="noting"),
    lambda: copy.deepcopy(jit.to_static(doubled, backend="noting")),
])  # fmt: skip
def test_functions(noting, make):
    static = make()
    for count in (1, 2, 3):  # the second call is written, the third runs what was written
        np.testing.assert_array_equal(static(paddle.to_tensor(X)).numpy(), np.where(X.sum() > 0, X * 2, X))
        assert noting().calls == ["main"] * count
    jit.to_static(static, backend="numpy")(paddle.to_tensor(X))
    jit.to_static(static, backend="CINN")(paddle.to_tensor(X))
    assert len(noting().calls) == 3


def test_layers_and_their_methods(noting):
    class Decorated(Net):
        forward = jit.to_static(Net.forward, backend="noting")

    nets = [jit.to_static(Net(), backend="noting"), Decorated(), copy.deepcopy(jit.to_static(Net(), backend="noting"))]
    for made, net in enumerate(nets, 1):
        plain = net.linear(paddle.to_tensor(X)).tanh()
        for _ in range(3):
            np.testing.assert_allclose(net(paddle.to_tensor(X)).numpy(), plain.numpy(), rtol=1e-6)
        assert noting().calls == ["main"] * 3 * made


def test_what_is_called_in_a_program_runs_on_the_engine_of_that_program(noting):
    inner = jit.to_static(doubled)
    static = jit.to_static(lambda x: inner(x) + 1, backend="noting")
    static(paddle.to_tensor(X))
    assert len(noting().compiled) == 1 and inner.program_cache == []


def test_gradients_run_on_the_engine(noting):
    net, other = Net(), Net()
    other.set_state_dict(net.state_dict())
    static = jit.to_static(other, backend="noting")
    for _ in range(2):
        for model in (net, static):
            model(paddle.to_tensor(X)).sum().backward()
    np.testing.assert_allclose(other.linear.weight.grad.numpy(), net.linear.weight.grad.numpy(), rtol=1e-6)
    assert noting().calls.count("main") == 1 and len(set(noting().calls)) == 3  # then forward and backward
    static.forward.release()
    assert noting().calls.count("released") == 2


def test_state(noting):
    net, plain = Net(), Net()
    static = jit.to_static(net.counted, backend="noting")
    with paddle.no_grad():
        for _ in range(3):
            np.testing.assert_array_equal(static(paddle.to_tensor(X)).numpy(), plain.counted(paddle.to_tensor(X)).numpy())
    np.testing.assert_array_equal(net.calls.numpy(), plain.calls.numpy())
    assert noting().calls == ["main"] * 3


def test_what_an_engine_cannot_run_is_refused_at_the_first_call(noting):
    static = jit.to_static(lambda x: x.sin(), backend="noting")
    for _ in range(2):
        with pytest.raises(EngineError, match=r"test_engines_by_name.py:\d+: backend='noting' has no sin"):
            static(paddle.to_tensor(X))


def test_gradients_that_need_the_tape_are_refused(noting):
    static = jit.to_static(lambda x: (x * x).sum(), backend="noting")
    x = paddle.to_tensor(X, stop_gradient=False)
    (slope,) = paddle.grad([static(x)], [x])
    np.testing.assert_array_equal(slope.numpy(), 2 * X)
    with pytest.raises(EngineError, match="backend='noting' has no gradients of this call.*one by one.*no_grad"):
        paddle.grad([static(x)], [x], create_graph=True)


def test_who_asks_for_no_gradient_gets_the_result_of_a_program_without_a_backward_one(noting):
    net = Net()
    counted = jit.to_static(net.counted, backend="noting")
    x = paddle.to_tensor(X, stop_gradient=False)
    results = [counted(x) for _ in range(2)]
    assert [result.item() for result in results] == [2 * X.sum(), 4 * X.sum()]
    with pytest.raises(EngineError, match=r"no gradients of this call \(.*state.set has no backward form"):
        results[1].backward()


def test_an_engine_that_cannot_run_the_backward_program(noting):
    static = jit.to_static(lambda x: x.cos().sum(), backend="noting")  # whose gradient takes sin
    x = paddle.to_tensor(X, stop_gradient=False)
    for _ in range(2):
        loss = static(x)
        np.testing.assert_allclose(loss.numpy(), np.cos(X).sum(), rtol=1e-6)
        with pytest.raises(EngineError, match=r"no gradients of this call \(.*.py:\d+: backend='noting' has no sin"):
            loss.backward()


def test_a_gradient_through_a_list_that_the_caller_has_is_refused(noting):
    def filled(xs, y):
        xs.append(y * 2)
        return xs[0]

    static = jit.to_static(filled, backend="noting")
    with pytest.raises(EngineError, match="call it under no_grad"):
        static([paddle.ones([1])], trainable())
    with paddle.no_grad():
        xs = [paddle.ones([1])]
        static(xs, trainable())
        assert len(xs) == 2


def trainable():
    return paddle.to_tensor([1.0], stop_gradient=False)


# --- loaded models ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path):
    net = Net()
    jit.to_static(net, [InputSpec([None, 3], "float32", "x")])
    jit.save(net, str(tmp_path / "net"))
    return str(tmp_path / "net")


def test_loaded_models(noting, path):
    expected = jit.load(path)(X).numpy()
    loaded = jit.load(path, backend="noting")
    assert len(noting().compiled) == 1
    out = np.empty((2, 2), "float32")
    run = loaded.bind(X, out=out)
    for count in (1, 2, 3):
        np.testing.assert_array_equal(loaded(X).numpy(), expected)
        np.testing.assert_array_equal(run(), expected)
        assert len(noting().calls) == 2 * count
    np.testing.assert_array_equal(copy.deepcopy(loaded)(X).numpy(), expected)
    assert len(noting().calls) == 7
    loaded.linear.bias.set_value(np.ones(2, "float32"))
    assert not np.array_equal(loaded(X).numpy(), expected)
    loaded(X).sum().backward()
    assert loaded.linear.weight.grad is not None and len(set(noting().calls)) == 3
    loaded.release()
    assert noting().calls.count("released") == 2


def test_what_an_engine_cannot_run_is_refused_by_load(noting, tmp_path):
    jit.save(jit.to_static(lambda x: x.sin(), [InputSpec([3])]), str(tmp_path / "sin"))
    with pytest.raises(EngineError, match="backend='noting' has no sin"):
        jit.load(str(tmp_path / "sin"), backend="noting")


def test_loaded_state_through_which_gradients_flow(noting, tmp_path):
    jit.save(jit.to_static(Net().counted, [InputSpec([2, 3], "float32", "x")]), str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"), backend="noting")
    x = paddle.to_tensor(X, stop_gradient=False)
    results = [loaded(x) for _ in range(2)]
    assert [result.item() for result in results] == [2 * X.sum(), 4 * X.sum()]
    with pytest.raises(EngineError, match="call it under no_grad"):
        results[0].backward()


def test_loaded_scripts(noting, tmp_path):
    scripted = jit.script(Net())
    scripted.save(str(tmp_path / "net.dy2st"))
    loaded = jit.load(str(tmp_path / "net.dy2st"), backend="noting")
    with pytest.raises(EngineError, match="call it under no_grad"):
        loaded(paddle.to_tensor(X))
    with paddle.no_grad():
        np.testing.assert_allclose(loaded(paddle.to_tensor(X)).numpy(), scripted(paddle.to_tensor(X)).numpy(), rtol=1e-6)
    assert len(noting().calls) == 1


def test_a_file_says_nothing_of_engines(noting, path, tmp_path):
    loaded = jit.load(path, backend="noting")
    jit.save(loaded, str(tmp_path / "again"))
    for part in (".model.json", ".info.json", ".params.safetensors"):
        assert (tmp_path / f"again{part}").read_bytes() == (tmp_path / f"net{part}").read_bytes()


def test_the_command_line(noting, path, tmp_path, capsys):
    np.save(tmp_path / "x.npy", X)
    assert main(["run", path, "--input", str(tmp_path / "x.npy"), "--backend", "noting"]) == 0
    assert "out: float32[2, 2]" in capsys.readouterr().out and len(noting().calls) == 1
    with pytest.raises(SystemExit):
        main(["run", path, "--backend", "tensorrt"])


def test_without_jax_one_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    for name in [name for name in sys.modules if name.startswith("dy2st.jax.")]:
        monkeypatch.delitem(sys.modules, name)
    static = jit.to_static(doubled, backend="jax")
    with pytest.raises(ImportError, match=r"jax: pip install '\.\[jax\]'"):
        static(paddle.to_tensor(X))
