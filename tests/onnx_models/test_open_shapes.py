"""Operators on open lengths, each with shapes that fit and shapes that don't, of no elements too: as the engine on NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from onnx_models.test_told_failures import outcome, put
from support.sampling import case_in_failure, sampled

import dy2st as paddle
import dy2st.onnx
from dy2st import jit
from dy2st.nn import functional as F
from dy2st.static import InputSpec

S, V = [(2, 3), (0, 3), (2, 0), (1, 3), (3, 2)], [(3,), (2,), (0,), (1,)]
ID, IDS = [(2,), (0,), (3,), "int64"], [(2, 3), (0, 3), (2, 0), (2, 1), (1, 3), "int64"]
IMAGES = [(1, 2, 4, 4), (0, 2, 4, 4), (1, 2, 0, 4), (1, 2, 1, 4), (0, 3, 4, 4)]
KERNELS = [(3, 2, 3, 3), (2, 1, 3, 3), (3, 3, 3, 3), (0, 2, 3, 3)]


def sum_rows(x, y):
    for r in x:
        y = y + r
    return y


def scan(x, y):
    out = []
    for r in x:
        y = paddle.tanh(y * 0.5 + r)
        out.append(y)
    return paddle.stack(out)


CASES = {  # an operator, and the shapes of its operands
    "linear3": (lambda x, w, b: F.linear(x, w, b), [S, S, V]),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, [3], w, b), [S, V, V]),
    "batch_norm": (lambda x, m, v: F.batch_norm(x, m, v + 1.0), [S, V, V]),
    "addmm": (lambda a, x, y: paddle.addmm(a, x, y), [S, S, S]),
    "lerp": (lambda a, x, y: paddle.lerp(a, x, y), [S, S, S]),
    "where3": (lambda a, x, y: paddle.where(a > 0, x, y), [S, S, S]),
    "where3b": (lambda a, x, y: paddle.where(a > 0, x, y), [S, V, V]),
    "cross": (lambda x, i: F.cross_entropy(x, i), [S, ID]),
    "emb": (lambda x, i: F.embedding(i, x), [S, ID]),
    "gather": (lambda x, i: paddle.gather(x, i), [S, ID]),
    "gather1": (lambda x, i: paddle.gather(x, i, axis=1), [S, ID]),
    "adv": (lambda x, i: x[i], [S, ID]),
    "adv2": (lambda x, i, j: x[i, j], [S, ID, ID]),
    "adv2d": (lambda x, i: x[i], [S, IDS]),
    "adv:": (lambda x, i: x[:, i], [S, ID]),
    "setadv": (lambda x, i, v: put(x, i, v), [S, ID, S]),
    "setadvrow": (lambda x, i, v: put(x, i, v), [S, ID, V]),
    "setall": (lambda x, v: put(x, slice(None), v), [S, S]),
    "set1": (lambda x, v: put(x, slice(1, None), v), [S, S]),
    "setstep": (lambda x, v: put(x, slice(None, None, 2), v), [S, S]),
    "index_add": (lambda x, i, v: paddle.index_add(x, i, 0, v), [S, ID, S]),
    "scatter": (lambda x, i, v: paddle.scatter(x, i, v), [S, ID, S]),
    "put_along": (lambda x, i, v: paddle.put_along_axis(x, i, v, 1), [S, IDS, S]),
    "take_along": (lambda x, i: paddle.take_along_axis(x, i, 0), [S, IDS]),
    "conv": (lambda x, w: F.conv2d(x, w), [IMAGES, KERNELS]),
    "convg": (lambda x, w: F.conv2d(x, w, padding=1, groups=2), [IMAGES, KERNELS]),
    "pool": (lambda x: F.max_pool2d(x, 2), [IMAGES]),
    "apool": (lambda x: F.avg_pool2d(x, 2), [IMAGES]),
    "adapt": (lambda x: F.adaptive_avg_pool2d(x, 1), [IMAGES]),
    "bmm": (lambda x, y: paddle.matmul(x, y, transpose_y=True), [S, S]),
    "mv": (lambda x, y: paddle.matmul(x, y), [S, V]),
    "vm": (lambda x, y: paddle.matmul(x, y), [V, S]),
    "vv": (lambda x, y: paddle.matmul(x, y), [V, V]),
    "outer": (lambda x, y: paddle.outer(x, y), [V, V]),
    "einsum3": (lambda x, y, z: paddle.einsum("ij,kj,j->ik", x, y, z), [S, S, V]),
    "einsumb": (lambda x, y: paddle.einsum("ij,ij->i", x, y), [S, S]),
    "expand_as": (lambda x, y: paddle.expand_as(x, y), [S, S]),
    "bto": (lambda x, y: paddle.broadcast_to(x, y.shape), [S, S]),
    "reshape_as": (lambda x, y: paddle.reshape(x, [y.shape[0], y.shape[1]]), [S, S]),
    "view": (lambda x, y: paddle.reshape(x, [-1, y.shape[0]]), [S, V]),
    "concat3": (lambda x, y, z: paddle.concat([x, y, z], axis=1), [S, S, S]),
    "hstack": (lambda x, y: paddle.hstack([x, y]), [S, S]),
    "vstackv": (lambda x, y: paddle.vstack([x, y]), [S, V]),
    "stackv": (lambda x, y, z: paddle.stack([x, y, z]), [V, V, V]),
    "kron": (lambda x, y: paddle.kron(x, y), [S, S]),
    "dist": (lambda x, y: ((x.unsqueeze(1) - y) ** 2).sum(-1), [S, S]),
    "maskfill": (lambda x, y: paddle.masked_fill(x, y > 0, 1.0), [S, S]),
    "maskfillv": (lambda x, y: paddle.masked_fill(x, y > 0, 1.0), [S, V]),
    "clip": (lambda x, y: paddle.minimum(paddle.maximum(x, y), x), [S, V]),
    "mse": (lambda x, y: F.mse_loss(x, y), [S, S]),
    "bce": (lambda x, y: F.binary_cross_entropy_with_logits(x, y), [S, S]),
    "cos": (lambda x, y: F.cosine_similarity(x, y), [S, S]),
    "searchs": (lambda x, y: paddle.searchsorted(x.sort(), y), [V, V]),
    "repeat": (lambda x, y: paddle.repeat_interleave(x, 2, 0) + y, [S, S]),
    "split": (lambda x: paddle.split(x, 3, axis=1), [S]),
    "chunk": (lambda x: paddle.chunk(x, 2, axis=0), [S]),
    "unstack": (lambda x: x.reshape([2, -1]), [S]),
    "cumsum": (lambda x, y: paddle.cumsum(x, 1) * y, [S, V]),
    "roll": (lambda x: paddle.roll(x, 1, 0), [S]),
    "flip": (lambda x: paddle.flip(x, [0]), [S]),
    "tril": (lambda x: paddle.tril(x), [S]),
    "softmax": (lambda x: F.softmax(x, 0), [S]),
    "median": (lambda x: paddle.median(x, 1), [S]),
    "norm": (lambda x: paddle.linalg.norm(x, axis=1), [S]),
    "std": (lambda x: x.std(0), [S]),
    "prod": (lambda x: x.prod(1), [S]),
    "argsort": (lambda x: x.argsort(1), [S]),
    "sort": (lambda x: x.sort(0), [S]),
    "topk1": (lambda x: x.topk(1, 0)[0], [S]),
    "unique": (lambda x: paddle.unique(x), [S]),
    "nonzero": (lambda x: paddle.nonzero(x), [S]),
    "onehot": (lambda i: F.one_hot(i, 3), [ID]),
    "diag": (lambda x: paddle.diag(x), [V]),
    "trace": (lambda x: paddle.trace(x), [S]),
    "meshgrid": (lambda x, y: paddle.meshgrid(x, y)[0], [V, V]),
    "pad": (lambda x: F.pad(x, [1, 1], value=1.0), [S]),
    "loop": (lambda x, y: sum_rows(x, y), [S, V]),
    "rnn": (lambda x, y: scan(x, y), [S, V]),
}


def arrays_of(kinds, shapes):
    """Indices that are in range where there are two rows; floats that aren't 0."""
    for k, (kind, shape) in enumerate(zip(kinds, shapes)):
        random = np.random.default_rng(k)
        yield random.integers(0, 2, shape) if "int64" in kind else random.uniform(0.5, 2, shape).astype("float32")


def assert_same(expected, given):
    if isinstance(expected, tuple) and isinstance(expected[0], type):
        assert given == expected
    else:
        several = isinstance(expected, tuple | list)
        for a, b in zip(expected if several else [expected], given if several else [given], strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.long
def test_shapes_that_fit_and_shapes_that_do_not(tmp_path):
    for name in sampled([*CASES], 12):
        function, kinds = CASES[name]
        first = arrays_of(kinds, [kind[0] for kind in kinds])
        specs = [InputSpec([None] * x.ndim, x.dtype.name, f"x{k}") for k, x in enumerate(first)]
        static = jit.to_static(function, input_spec=specs)
        session = dy2st.onnx.Session(dy2st.onnx.export(function, tmp_path / "model", specs))
        for shapes in itertools.product(*([shape for shape in kind if shape != "int64"] for kind in kinds)):
            with case_in_failure(f"{name} of {shapes}"):
                arrays = [*arrays_of(kinds, shapes)]
                assert_same(outcome(static, arrays), outcome(session, arrays))
