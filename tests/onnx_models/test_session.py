"""`dy2st.onnx.Session`: arguments, state, exceptions, dtypes. What whole models compute is in `test_exported_programs.py`."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError, DTypeError, EngineError, ModelFileError, ShapeError
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
onnx = pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

import dy2st.onnx  # noqa: E402
from dy2st.onnx import export  # noqa: E402

X, N = InputSpec([None, 3], "float32", "x"), InputSpec([], "int64", "n")
ROWS, TWO = paddle.ones([2, 3]), paddle.to_tensor(2)


def scaled(x, n):
    return x * n


def session_of(function, folder, *specs, **options):
    return dy2st.onnx.Session(export(function, folder / "model", [*specs], **options))


@pytest.mark.parametrize("args, kwargs, error, text", [
    ((ROWS,), {}, TypeError, "the argument 'n' is missing; it takes x, n"),
    ((ROWS, TWO, TWO), {}, TypeError, r"takes 2 arguments \(x, n\), not 3"),
    ((ROWS, TWO), {"x": ROWS}, TypeError, "'x' is given twice"),
    ((ROWS, TWO), {"z": TWO}, TypeError, "'z' is unknown"),
    ((ROWS.astype("float64"), TWO), {}, DTypeError, "x has dtype float64; the model takes float32"),
    ((ROWS[0], TWO), {}, ShapeError, r"x has shape \[3\]; the model takes \[None, 3\]"),
    ((ROWS, 2), {}, TypeError, "n is a tensor or an array, not int"),
])  # fmt: skip
def test_arguments_that_do_not_fit(tmp_path, args, kwargs, error, text):
    session = session_of(scaled, tmp_path, X, N)
    with pytest.raises(error, match=text):
        session(*args, **kwargs)
    np.testing.assert_array_equal(session(ROWS, n=TWO).numpy(), 2 * np.ones((2, 3), "float32"))


class Counter(nn.Layer):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.total = paddle.zeros([])
        self.seen = []

    def forward(self, x, n):
        self.count += 1
        self.total = self.total + x.sum()
        self.seen.append(x.sum())
        if n > 3:
            raise ValueError("large", int(n))
        self.count += 6 // int(n)
        return self.count, self.total, self.seen


def shown(result):
    count, total, seen = result
    return int(count), float(total), [float(x) for x in seen]


def test_state_of_each_session(tmp_path):
    path = export(Counter(), tmp_path / "counter", [X, N])
    plain, first, second = Counter(), dy2st.onnx.Session(path), dy2st.onnx.Session(path)
    for _ in range(3):
        assert shown(first(ROWS, TWO)) == shown(plain(ROWS, TWO))
    assert shown(second(ROWS, TWO)) == shown(Counter()(ROWS, TWO))
    first.reset()
    assert first.state == {}
    assert shown(first(ROWS, TWO)) == shown(Counter()(ROWS, TWO))


class Running(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", paddle.zeros([3]))
        self.weight = self.create_parameter([3])
        self.calls = 0

    def forward(self, x):
        self.mean = self.mean * 0.5 + x.sum(0)
        self.calls += 1
        return x * self.weight - self.mean


class Nested(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", paddle.zeros([]))
        self.parts, self.norm = nn.LayerList([Running(), Running()]), nn.BatchNorm1D(3)

    def forward(self, x):
        self.seen = self.seen + x.sum()
        for part in self.parts:
            x = part(x)
        return self.norm(x)


def test_parameters_and_buffers_have_the_names_of_the_state_dict(tmp_path):
    net = Nested()
    graph = onnx.load(export(net, tmp_path / "model", [X])).graph
    held = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    for name, tensor in net.state_dict().items():
        np.testing.assert_array_equal(held[name], tensor.numpy(), err_msg=name)
    assert {"self.parts.0.calls", "parts.1.mean", "norm._mean", "seen"} <= {one.name for one in graph.input}
    assert {"self.parts.0.calls.next", "parts.1.mean.next", "norm._mean.next"} <= {one.name for one in graph.output}


@pytest.mark.parametrize("size", [0, 1, 5])
def test_state_at_each_batch_size(tmp_path, size):
    paddle.seed(1)
    plain, x = Nested(), paddle.ones([size, 3])
    session = session_of(plain, tmp_path, X)
    for _ in range(3):
        np.testing.assert_allclose(session(x).numpy(), plain(x).numpy(), rtol=1e-5, atol=1e-5)
    assert int(session.state["self.parts.0.calls"]) == 3
    for name in ("seen", "parts.1.mean"):
        np.testing.assert_allclose(session.state[name].numpy(), plain.state_dict()[name].numpy(), rtol=1e-5, err_msg=name)


def test_state_after_a_raise_is_that_of_python(tmp_path):
    plain, session = Counter(), session_of(Counter(), tmp_path, X, N)
    for form in (plain, session):
        with pytest.raises(ValueError) as caught:
            form(ROWS, paddle.to_tensor(7))
        assert caught.value.args == ("large", 7)
        assert "test_session.py" in str(caught.getrepr(style="short"))
    assert shown(session(ROWS, TWO)) == shown(plain(ROWS, TWO))


def test_state_after_a_check_is_that_before_the_call(tmp_path):
    session = session_of(Counter(), tmp_path, X, N)
    session(ROWS, TWO)
    before = session.state
    with pytest.raises(ZeroDivisionError):
        session(ROWS, paddle.to_tensor(0))
    assert shown((before["self.count"], before["total"], before["self.seen"])) == (4, 6.0, [6.0])
    assert shown(session(ROWS, TWO)) == (8, 12.0, [6.0, 6.0])


def written(x, n):
    x[0] = 5.0
    return x.sum() + 6 // int(n)


def test_arguments_after_a_check_are_as_before_the_call(tmp_path):
    session, x = session_of(written, tmp_path, X, N), paddle.ones([2, 3])
    with pytest.raises(ZeroDivisionError):
        session(x, paddle.to_tensor(0))
    np.testing.assert_array_equal(x.numpy(), np.ones((2, 3)))
    session(x, TWO)
    np.testing.assert_array_equal(x.numpy(), [[5, 5, 5], [1, 1, 1]])


def picked(x, n):
    return x[int(n)]


def test_what_fails_in_onnxruntime_names_the_line(tmp_path):
    where = rf"getitem\w*:{picked.__code__.co_firstlineno + 1}"
    with pytest.raises(IndexError, match=rf"onnxruntime can't compute {where} for these values: indices element out of"):
        session_of(picked, tmp_path, X, N)(ROWS, TWO)


def grown(x, n):
    return x.tile([int(n) * 10**7, 10**7])


def test_what_is_too_large_for_onnxruntime_is_no_fault_of_the_user(tmp_path):
    with pytest.raises(EngineError, match="onnxruntime can't compute tile"):
        session_of(grown, tmp_path, X, N)(ROWS, TWO)


def narrow(x):
    while x.sum() < 100:
        x = x * 2
    return x, x.sum(), x.astype("float32")


def test_bfloat16(tmp_path):
    x = paddle.to_tensor([[1.5, -0.25], [3.0, 2.0]]).astype("bfloat16")
    specs = [InputSpec([None, 2], "bfloat16", "x")]
    static = paddle.jit.to_static(narrow, input_spec=specs, backend="onnxruntime")
    for form in (session_of(narrow, tmp_path, *specs), static):
        for a, b in zip(narrow(x), form(x)):
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_array_equal(a.astype("float32").numpy(), b.astype("float32").numpy())


def rows_of(x):
    return [x[:k].astype("bfloat16") for k in range(x.shape[0])]


def rows_beside(x):
    return x.astype("bfloat16"), [x[:k] for k in range(x.shape[0])]


def test_lists_of_open_lengths_and_bfloat16(tmp_path):
    with pytest.raises(ConversionError, match=r"test_session.py:\d+: .*no sequences of bfloat16.*: cast them to float32"):
        session_of(rows_of, tmp_path, X)
    with pytest.raises(EngineError, match="hands over no list of tensors .* cast"):
        session_of(rows_beside, tmp_path, X)(ROWS)


def twice(x):
    rows, y = [row * 2 for row in x], x * 1
    return rows, (rows, y), {"of": rows}, y


def test_what_occurs_twice_in_a_result_is_one_object(tmp_path):
    rows, (again, y), _, other = session_of(twice, tmp_path, X)(ROWS)
    assert again is rows and other is y


def test_files_that_are_none():
    for data in (b"", b"no model", onnx.ModelProto().SerializeToString()):
        with pytest.raises(ModelFileError, match="the data is no ONNX model"):
            dy2st.onnx.Session(data)


def test_models_of_others():
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in "xy")
    graph = onnx.helper.make_graph([onnx.helper.make_node("Abs", ["x"], ["y"])], "foreign", [x], [y])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)
    with pytest.raises(ModelFileError, match="wasn't written by dy2st.onnx.export: use onnxruntime.InferenceSession"):
        dy2st.onnx.Session(model.SerializeToString())


class Pyramid(paddle.nn.Layer):
    """Each call makes the list anew, and none reads that of before, whose tensors have open shapes and no place in a file."""

    def __init__(self):
        super().__init__()
        self.levels = [paddle.ones([1, 2])]

    def forward(self, x):
        self.levels = [x]
        while self.levels[-1].shape[0] > 1:
            self.levels.append(self.levels[-1][::2])
        return sum(level.sum() for level in self.levels)


def test_a_list_that_no_call_reads_is_an_output_alone(tmp_path):
    net = Pyramid()
    session = session_of(net, tmp_path, InputSpec([None, 2], "float32", "x"))
    assert [node.name for node in session.session.get_inputs()] == ["x"]
    for count in (5, 1, 8):
        x = paddle.to_tensor(np.arange(2.0 * count, dtype="float32").reshape(count, 2))
        assert session(x).item() == net(x).item()
        (levels,) = session.state.values()
        assert [level.shape for level in levels] == [level.shape for level in net.levels]
