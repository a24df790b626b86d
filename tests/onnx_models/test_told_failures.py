"""What an operator doesn't take, by a Session: the class that the engine on NumPy raises, at the user's line; never a value."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.nn import functional as F
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

import dy2st.onnx  # noqa: E402

X, Y, Z = np.ones((2, 3), "float32"), np.ones((4, 3), "float32"), np.ones((2, 2, 2), "float32")
FAR, BELOW, IDS = np.array([0, 9]), np.array([-1, 0]), np.array([[1, -9], [0, 7]])
MASK, IMAGE = np.array([True, False, True]), np.ones((1, 1, 2, 2), "float32")
NONE = X[:, :0]
TABLE = paddle.ones([4, 2])


def put(x, index, value):
    x = x * 1
    x[index] = value
    return x


def place(x, n):
    y = x * 1
    y[int(n)] = 5.0
    return y


def in_a_loop(x, n):
    total = x.sum()
    for k in range(int(n)):
        total = total + x[k].sum()
    return total


def in_a_branch(x, n):
    return x[int(n)] if n > 1 else x[0]


def in_a_buffer(x, n):
    return TABLE[int(n)] + x.sum()


BY_VALUE = {  # what is called, with what: indices and counts that are none
    "x[n]": (lambda x, n: x[int(n)], X, 2),
    "x[-n]": (lambda x, n: x[-int(n)], X, 3),
    "x[:, n]": (lambda x, n: x[:, int(n)], X, 3),
    "x[..., n]": (lambda x, n: x[..., int(n)], X, -4),
    "x[0] of nothing": (lambda x: x[0], X[:0]),
    "x[5]": (lambda x: x[5], X),
    "x[-5]": (lambda x: x[-5], X),
    "x[ids]": (lambda x, ids: x[ids], X, FAR),
    "x[ids, ids]": (lambda x, ids: x[ids, ids], X, FAR),
    "x[ids, ids] below": (lambda x, ids: x[ids, ids], X, np.array([-9, 0])),
    "x[ids, other ids]": (lambda x, a, b: x[a, b], X, np.array([0, 1, 0]), np.array([0, 1])),
    "x[mask]": (lambda x, mask: x[mask], X, MASK),
    "x[:, mask]": (lambda x, mask: x[:, mask], X, MASK[:2]),
    "x[n] = 5": (place, X, 2),
    "x[ids] = 1": (lambda x, ids: put(x, ids, 1.0), X, FAR),
    "x[ids] = y": (put, X, np.array([0, 1]), Y),
    "x[mask] = 1": (lambda x, mask: put(x, mask, 1.0), X, MASK),
    "x[0] = y": (lambda x, y: put(x, 0, y), X, np.ones(2, "float32")),
    "x[n] in a loop": (in_a_loop, X, 3),
    "x[n] in a branch": (in_a_branch, X, 2),
    "a buffer": (in_a_buffer, X, 4),
    "embedding": (lambda ids: F.embedding(ids, TABLE), FAR),
    "embedding below": (lambda ids: F.embedding(ids, TABLE), BELOW),
    "embedding, ids of an open table": (lambda ids, x: F.embedding(ids, x), FAR, X),
    "gather": (lambda x, ids: paddle.gather(x, ids), X, FAR),
    "gather below": (lambda x, ids: paddle.gather(x, ids), X, np.array([-3])),
    "gather along 1": (lambda x, ids: paddle.gather(x, ids, axis=1), X, FAR),
    "index_select": (lambda x, ids: paddle.index_select(x, ids), X, FAR),
    "take_along_axis": (lambda x, ids: paddle.take_along_axis(x, ids, 1), X, IDS),
    "take_along_axis of other rows": (lambda x, ids: paddle.take_along_axis(x, ids, 1), Y, IDS * 0),
    "put_along_axis": (lambda x, ids: paddle.put_along_axis(x, ids, 1.0, 1), X, IDS),
    "index_add": (lambda x, ids, y: paddle.index_add(x, ids, 0, y), X, FAR, X),
    "scatter": (lambda x, ids, y: paddle.scatter(x, ids, y), X, FAR, X),
    "cross_entropy": (lambda x, ids: F.cross_entropy(x, ids), X, FAR),
    "topk of n": (lambda x, n: x.topk(int(n), 1), X, 4),
    "reshape to n": (lambda x, n: x.reshape([int(n), 2]), X, 2),
    "reshape to n and the rest": (lambda x, n: x.reshape([int(n), -1]), X, 4),
    "expand to n": (lambda x, n: x.expand([int(n), 3]), X, 4),
    "expand to less": (lambda x, n: x.expand([int(n), 3]), X, 1),
    "arange": (lambda n: paddle.arange(0, 3, int(n)), 0),
    "linspace": (lambda n: paddle.linspace(0, 1, int(n)), 0),
    "zeros": (lambda n: paddle.zeros([int(n), 2]), -1),
    "full": (lambda n: paddle.full([2, int(n)], 1.0), -3),
    "bincount": (lambda ids: paddle.bincount(ids), BELOW),
    "inverse": (lambda x: paddle.inverse(x), np.ones((2, 2), "float32")),
    "solve": (lambda x, y: paddle.linalg.solve(x, y), np.ones((2, 2), "float32"), X),
    "cholesky": (lambda x: paddle.linalg.cholesky(x), -np.eye(2, dtype="float32")),
}
BY_SHAPE = {  # shapes that don't fit, and axes that are too short
    "add": (lambda x, y: x + y, X, Y),
    "subtract": (lambda x, y: x - y, X, Y),
    "multiply": (lambda x, y: x * y, X, Y),
    "divide": (lambda x, y: x / y, X, Y),
    "maximum": (lambda x, y: paddle.maximum(x, y), X, Y),
    "pow": (lambda x, y: x**y, X, Y),
    "less": (lambda x, y: x < y, X, Y),
    "equal": (lambda x, y: x == y, X, Y),
    "where": (lambda x, y: paddle.where(x > 0, x, y), X, Y),
    "floor_divide of ints": (lambda x, y: x // y, X.astype("int64"), Y.astype("int64")),
    "matmul": (lambda x, y: paddle.matmul(x, y), X, X),
    "matmul of batches": (lambda x, z: paddle.matmul(x, z), Z, np.ones((3, 2, 2), "float32")),
    "matmul with a vector": (lambda x, y: paddle.matmul(x, y), X, np.ones(2, "float32")),
    "matmul of ints": (lambda x, y: paddle.matmul(x, y), X.astype("int64"), X.astype("int64")),
    "linear": (lambda x, w, b: F.linear(x, w, b), X, X, X[0]),
    "linear with a bias": (lambda x, w, b: F.linear(x, w, b), X, np.ones((3, 3), "float32"), np.ones(2, "float32")),
    "linear of a known weight": (lambda x: F.linear(x, TABLE), X),
    "einsum": (lambda x, y: paddle.einsum("ij,jk->ik", x, y), X, X),
    "concat": (lambda x, y: paddle.concat([x, y], axis=1), X, Y),
    "stack": (lambda x, y: paddle.stack([x, y]), X, Y),
    "stack of a list": (lambda x: paddle.stack([x[:k] for k in range(x.shape[0])]), X),
    "stack of no list": (lambda x: paddle.stack([row for row in x]), X[:0]),
    "concat of a list": (lambda x: paddle.concat([x[:, :k] for k in range(x.shape[0])]), X),
    "reshape": (lambda x: x.reshape([4, 2]), X),
    "reshape to none and the rest": (lambda x: x.reshape([x.shape[0], -1]), X[:0]),
    "reshape of a batch": (lambda x: x.reshape([x.shape[0], 5]), X),
    "broadcast_to": (lambda x: paddle.broadcast_to(x, [5, 2, 4]), X),
    "split": (lambda x: paddle.split(x, 2, axis=1), X),
    "chunk": (lambda x: paddle.split(x, [2, 2], axis=1), X),
    "max": (lambda x: x.max(), NONE),
    "max of an axis": (lambda x: x.max(1), NONE),
    "amin": (lambda x: x.amin(1), NONE),
    "argmax": (lambda x: x.argmax(1), NONE),
    "argmin": (lambda x: x.argmin(), NONE),
    "topk": (lambda x: x.topk(5, 1), X),
    "kthvalue": (lambda x: x.kthvalue(4, 1), X),
    "conv2d": (lambda x, w: F.conv2d(x, w), IMAGE, np.ones((1, 1, 3, 3), "float32")),
    "conv2d of other channels": (lambda x, w: F.conv2d(x, w), IMAGE, np.ones((1, 2, 1, 1), "float32")),
    "max_pool2d": (lambda x: F.max_pool2d(x, 3, 1), IMAGE),
    "avg_pool2d": (lambda x: F.avg_pool2d(x, 3, 1), IMAGE),
    "inverse of no square": (lambda x: paddle.inverse(x), X),
    "solve of other rows": (lambda x, y: paddle.linalg.solve(x, y), np.eye(2, dtype="float32"), Y),
    "lerp": (lambda x, y: paddle.lerp(x, y, 0.5), X, Y),
    "addmm": (lambda x, y: paddle.addmm(x, y, y), X, Y),
    "roll": (lambda x, y: paddle.roll(x, 1) + y, X, Y),
    "cumsum": (lambda x, y: paddle.cumsum(x, 0) + y, X, Y),
    "layer_norm": (lambda x, y: F.layer_norm(x, 3) * y, X, Y),
    "clip": (lambda x, y: paddle.clip(x, 0.0, 1.0) + y, X, Y),
    "cat": (lambda x, z: paddle.concat([x, z]), X, np.ones((2, 2), "float32")),
    "diagonal": (lambda x, y: paddle.diagonal(x) + y, X, Y),
}


def outcome(function, arrays):
    """The class of the exception and the user's line; what is given, where there is none."""
    try:
        return function(*map(paddle.to_tensor, arrays))
    except Exception as error:
        return type(error), getattr(getattr(error, "dy2st_loc", None), "line", None)


def specs_of(arrays, is_open):
    return [InputSpec([None] * x.ndim if is_open else x.shape, x.dtype.name, f"x{k}") for k, x in enumerate(arrays)]


CASES = [(name, BY_VALUE[name], is_open) for name in BY_VALUE for is_open in (True, False)]
CASES += [(name, BY_SHAPE[name], True) for name in BY_SHAPE]


@pytest.mark.parametrize("name, case, is_open", CASES, ids=[f"{name}, {'open' if o else 'known'}" for name, _, o in CASES])
def test_class_and_line_are_those_of_the_numpy_engine(name, case, is_open, tmp_path):
    function, *arrays = case
    arrays = [np.asarray(x) for x in arrays]
    specs = specs_of(arrays, is_open)
    expected = outcome(jit.to_static(function, input_spec=specs), arrays)
    assert isinstance(expected, tuple) and isinstance(expected[0], type), f"it gives {expected}"
    try:
        session = dy2st.onnx.Session(dy2st.onnx.export(function, tmp_path / "model", specs))
    except Exception as error:
        assert type(error) is expected[0], "it is refused otherwise"
        return
    assert outcome(session, arrays) == expected
    assert outcome(jit.to_static(function, input_spec=specs, backend="onnxruntime"), arrays) == expected


def stacked(x, y):
    return paddle.stack([x, y], axis=1)


def of_a_list(x, y):
    parts = [x[:k] for k in range(x.shape[0] + 1)]
    parts.append(y)
    return paddle.concat(parts)


def of_a_list_beside(x, y):
    parts = [x for _ in range(x.shape[0] + 1)]
    parts.append(y)
    return paddle.concat(parts, axis=1)


def of_a_list_stacked(x, y):
    parts = [x for _ in range(x.shape[0] + 1)]
    parts.append(y)
    return paddle.stack(parts)


TWO = {  # of two matrices
    "concat": lambda x, y: paddle.concat([x, y]),
    "concat along 1": lambda x, y: paddle.concat([x, y], axis=1),
    "concat along -1": lambda x, y: paddle.concat([x, y], axis=-1),
    "stack": stacked,
    "concat of a list": of_a_list,
    "concat of a list along 1": of_a_list_beside,
    "stack of a list": of_a_list_stacked,
    "add": lambda x, y: x + y,
    "where": lambda x, y: paddle.where(x > 0, x, y),
    "maximum": lambda x, y: paddle.maximum(x, y),
    "matmul": lambda x, y: x.matmul(y),
    "matmul of batches": lambda x, y: x.unsqueeze(0).matmul(y.unsqueeze(0)),
    "linear": lambda x, y: F.linear(x, y),
    "einsum": lambda x, y: paddle.einsum("ij,jk->ik", x, y),
    "einsum of columns": lambda x, y: paddle.einsum("ij,kj->ik", x, y),
    "put_along_axis": lambda x, y: paddle.put_along_axis(x, y.astype("int64"), 2.0, 1),
    "take_along_axis": lambda x, y: paddle.take_along_axis(x, y.astype("int64") * 0, 1),
    "a written row": lambda x, y: put(x, 0, y[0]),
    "written rows": lambda x, y: put(x, slice(0, 2), y),
    "a reshape": lambda x, y: x.reshape([y.shape[0], y.shape[1]]),
    "a reshape to the rest": lambda x, y: x.reshape([y.shape[0], -1]),
}
SHAPES = [(2, 3), (2, 0), (0, 3), (0, 0), (1, 3), (2, 1), (3, 2), (0, 4)]


@pytest.mark.parametrize("name", TWO)
def test_matrices_with_and_without_elements(name, tmp_path):
    function, pair = TWO[name], [np.ones((2, 3), "float32")] * 2
    session = dy2st.onnx.Session(dy2st.onnx.export(function, tmp_path / "model", specs_of(pair, True)))
    static = jit.to_static(function, input_spec=specs_of(pair, True))
    for a in SHAPES:
        for b in SHAPES:
            arrays = [np.full(a, 2, "float32"), np.full(b, 3, "float32")]
            expected, given = (outcome(form, arrays) for form in (static, session))
            if isinstance(expected, tuple):
                assert given == expected, f"{a} and {b}"
            else:
                np.testing.assert_allclose(given.numpy(), expected.numpy(), err_msg=f"{a} and {b}")
                assert list(given.shape) == list(expected.shape), f"{a} and {b}"
