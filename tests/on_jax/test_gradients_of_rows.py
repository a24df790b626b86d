"""Gradients through tensors of a length that only the run knows: those of eager code."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.nn import functional as F  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

# Of rows `s`, [n, 3], and `w`, [3].
OPERATORS = {
    "elementwise": [
        lambda s, w: F.relu(s), lambda s, w: s.abs(), lambda s, w: s**2, lambda s, w: s.abs() ** w,
        lambda s, w: s.clip(-0.3, 0.3),
        lambda s, w: paddle.log(s.abs()), lambda s, w: paddle.log((s * w).abs()), lambda s, w: paddle.sqrt(s.abs()),
        lambda s, w: w / s, lambda s, w: s / w, lambda s, w: paddle.acosh(s.abs() + 1.5), lambda s, w: paddle.log1p(s.abs()),
        lambda s, w: paddle.maximum(s, w), lambda s, w: paddle.atan2(s, w), lambda s, w: s.abs() % (w.abs() + 0.1),
        lambda s, w: F.gelu(s), lambda s, w: F.softplus(s), lambda s, w: F.elu(s), lambda s, w: F.hardswish(s),
        lambda s, w: F.leaky_relu(s), lambda s, w: paddle.erf(s), lambda s, w: paddle.lgamma(s.abs()),
        lambda s, w: paddle.where(s > 0, s, w * s), lambda s, w: F.smooth_l1_loss(s, s * 0 + w),
    ],
    "along the rows": [
        lambda s, w: F.softmax(s, 0) * s, lambda s, w: s.mean(0), lambda s, w: s.var(), lambda s, w: s.std(0),
        lambda s, w: s.prod(0),
        lambda s, w: paddle.logsumexp(s), lambda s, w: paddle.logsumexp(s, 0), lambda s, w: s.cumsum(0),
        lambda s, w: s.cumprod(0),
        lambda s, w: s.sort(0), lambda s, w: s.topk(2, axis=0)[0], lambda s, w: s.flip(0), lambda s, w: s[::2],
        lambda s, w: s[-1], lambda s, w: s[1:] - s[:-1], lambda s, w: paddle.norm(s, p=1), lambda s, w: s.t() @ s,
        lambda s, w: s.t().reshape([-1])[::2], lambda s, w: s.max(), lambda s, w: s.max(0), lambda s, w: s.min(0),
        lambda s, w: s.norm(), lambda s, w: s.amin(0), lambda s, w: paddle.norm(s, p=np.inf, axis=0),
    ],
    "along another axis": [
        lambda s, w: F.softmax(s, -1) * s, lambda s, w: s.max(-1), lambda s, w: s.min(axis=1), lambda s, w: s.amax(1),
        lambda s, w: s.prod(1), lambda s, w: s.std(1), lambda s, w: paddle.norm(s, axis=1), lambda s, w: paddle.logsumexp(s, 1),
        lambda s, w: s.cumsum(1), lambda s, w: s.sort(-1), lambda s, w: s.topk(2, axis=1)[0], lambda s, w: F.layer_norm(s, [3]),
        lambda s, w: F.cosine_similarity(s, s * w + 0.1, axis=1), lambda s, w: F.normalize(s, axis=1),
        lambda s, w: F.cross_entropy(s, s.argmax(-1)), lambda s, w: paddle.einsum("nd,d->n", s, w),
        lambda s, w: s @ w.unsqueeze(-1),
    ],
}  # fmt: skip


def grown_by_a_while(x, w):
    outs = []
    while x.abs().max() > 0.2:
        x = x * 0.7 * w
        outs.append(x)
    return paddle.stack(outs)


def grown_by_branches(x, w):
    outs = [x * 2, x * w]
    if x.sum() > 0:
        outs.append(x.sin())
    if x.mean() < 1:
        outs.append(x.cos())
    return paddle.stack(outs, axis=1).t()


def losses(uses, rows):
    """One function of all uses, each with a weight of its own: to compile one takes as long as to compile them all."""

    def function(x, w):
        s = rows(x, w)
        return paddle.stack([use(s, w).sum() * (k + 1) for k, use in enumerate(uses)])

    return function


def gradients_of_eager(function, x, w, count):
    found = []
    for k in range(count):
        given = [paddle.to_tensor(v, stop_gradient=False) for v in (x, w)]
        function(*given)[k].backward()
        found.append([v.grad.numpy() for v in given])
    return [np.stack(parts) for parts in zip(*found)]


@pytest.mark.parametrize("rows", [grown_by_a_while, grown_by_branches])
@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_of_operators(name, rows):
    function, count = losses(OPERATORS[name], rows), len(OPERATORS[name])
    f, params = dy2st.jax.function(function, [InputSpec([3], "float32", "x"), InputSpec([3], "float32", "w")])
    rng = np.random.default_rng(len(name))
    found = jax.jit(jax.vmap(lambda one, x, w: jax.vjp(lambda x, w: f(params, x, w)[0], x, w)[1](one), (0, None, None)))
    for _ in range(3):
        x, w = (rng.normal(size=3) * 1.3 + 0.5).astype("float32"), rng.uniform(0.5, 1.1, 3).astype("float32")
        wanted = gradients_of_eager(function, x, w, count)
        for one, other in zip(found(np.eye(count, dtype="float32"), x, w), wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-4)


EXTREMES = {
    "max": lambda s: s.max(0),
    "min": lambda s: s.min(0),
    "amax": lambda s: s.amax(0),
    "amin": lambda s: s.amin(0),
    "max over all": lambda s: s.max() * 3,
    "min with keepdim": lambda s: s.min([0, 1], keepdim=True) * 3,
    "norm inf": lambda s: paddle.linalg.vector_norm(s, np.inf, [0, 1]) * 3,
}


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("at", [np.inf, -np.inf, 1.0, 0.0])
def test_padding_is_no_tie(name, at):
    """All rows are the same. The shares of one gradient sum to it, whatever the number of rows."""

    def function(x, w):
        return EXTREMES[name](grown_by_branches(x, w) * 0 + (x + at)).sum()

    f, params = dy2st.jax.function(function, [InputSpec([3], "float32", "x"), InputSpec([3], "float32", "w")])
    x, w = np.asarray([0.5, -0.5, 0.25], "float32"), np.ones(3, "float32")
    given = [paddle.to_tensor(v, stop_gradient=False) for v in (x, w)]
    function(*given).backward()
    found = jax.grad(lambda x, w: f(params, x, w)[0], (0, 1))(x, w)
    assert np.abs(found[0]).sum() == pytest.approx(3)
    for one, other in zip(found, given, strict=True):
        np.testing.assert_allclose(one, other.grad.numpy(), rtol=1e-5)
