"""Functions that sum, with inputs for which sums in half precision fail: long sums, large magnitudes, small increments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F


class Case(NamedTuple):
    """A function of torch's, its inputs in float32, and the same function under Paddle's names (None: there is none).

    by: how many of the inputs, the first ones, a gradient is taken by.
    """

    function: Callable
    inputs: tuple
    paddle: Callable | None = None
    by: int = 9


def full(*shape: int, value: float = 1.0) -> torch.Tensor:
    return torch.full(shape, value)


def drawn(*shape: int, size: float = 1.0, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed + 31 * len(shape) + sum(shape))) * size


def part(*shape: int, seed: int = 0) -> torch.Tensor:
    """Numbers between .05 and .95."""
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed + sum(shape))) * 0.9 + 0.05


def places(*shape: int, below: int = 4) -> torch.Tensor:
    return torch.randint(0, below, shape, generator=torch.Generator().manual_seed(sum(shape)))


LONG, LARGE, SMALL = full(5000), full(1024, value=8.0), torch.cat([full(1, value=2048.0), full(2000, value=0.5)])
ROWS, WIDE = drawn(3, 3000) + 1, drawn(4, 700, size=200.0)
IMAGE, HIGH = drawn(2, 4, 40, 40) + 3, full(1, 1, 64, 64, value=20.0) + drawn(1, 1, 64, 64)
A, B = drawn(6, 900) + 1, drawn(900, 5, seed=1) + 1
LOGITS, CLASSES = drawn(600, 9, size=3.0), places(600, below=9)
X, Y = drawn(3000, size=3.0), drawn(3000, size=3.0, seed=1)


def reductions() -> dict[str, Case]:
    return {
        "sum of ones": Case(lambda x: x.sum(), (LONG,), lambda x: x.sum()),
        "sum of small increments": Case(lambda x: torch.sum(x), (SMALL,), lambda x: x.sum()),
        "sum of rows": Case(lambda x: x.sum(1), (ROWS,), lambda x: x.sum(1)),
        "sum of columns": Case(lambda x: x.sum(0), (ROWS.T.contiguous(),), lambda x: x.sum(0)),
        "nansum": Case(lambda x: torch.nansum(x), (LONG,)),
        "mean": Case(lambda x: x.mean(), (full(70000, value=3.0),), lambda x: x.mean()),
        "mean of rows": Case(lambda x: x.mean(-1), (ROWS,), lambda x: x.mean(-1)),
        "prod": Case(lambda x: x.prod(), (full(300, value=1.01),), lambda x: x.prod()),
        "norm": Case(lambda x: x.norm(), (LARGE,), lambda x: x.norm()),
        "norm of rows": Case(lambda x: x.norm(dim=1), (WIDE,), lambda x: x.norm(axis=1)),
        "vector_norm 1": Case(lambda x: torch.linalg.vector_norm(x, 1), (SMALL,), lambda x: x.norm(p=1)),
        "vector_norm 3": Case(lambda x: torch.linalg.vector_norm(x, 3), (full(100, value=50.0),), lambda x: x.norm(p=3.0)),
        "vector_norm 0": Case(lambda x: torch.linalg.vector_norm(x, 0), (LONG,), None, 0),
        "matrix_norm": Case(lambda x: torch.linalg.matrix_norm(x), (WIDE,)),
        "frobenius": Case(lambda x: torch.norm(x, "fro", [0, 1]), (WIDE,), lambda x: x.norm("fro", [0, 1])),
        "dist": Case(lambda x, y: torch.dist(x, y), (LARGE, LARGE * 0), None),
        "var": Case(lambda x: x.var(), (WIDE,), lambda x: x.var()),
        "var of rows": Case(lambda x: x.var(1, unbiased=False), (WIDE,), lambda x: x.var(1, unbiased=False)),
        "std": Case(lambda x: x.std(), (drawn(4000) + 100,), lambda x: x.std()),
        "std of rows": Case(lambda x: torch.std(x, 1), (WIDE,), lambda x: x.std(1)),
        "var_mean": Case(lambda x: torch.var_mean(x), (WIDE,)),
        "std_mean": Case(lambda x: torch.std_mean(x, 1), (WIDE,)),
        "logsumexp": Case(lambda x: x.logsumexp(0), (full(70000, value=1.0),), lambda x: x.logsumexp(0)),
        "logcumsumexp": Case(lambda x: torch.logcumsumexp(x, 0), (full(4000),), lambda x: x.logcumsumexp(0)),
        "cumsum": Case(lambda x: x.cumsum(0), (full(3000),), lambda x: x.cumsum(0)),
        "cumsum of rows": Case(lambda x: x.cumsum(1), (ROWS,), lambda x: x.cumsum(1)),
        "cumprod": Case(lambda x: x.cumprod(0), (full(500, value=1.003),), lambda x: x.cumprod(0)),
        "trace": Case(lambda x: x.trace(), (drawn(80, 80) * 0 + 40.0,), lambda x: x.trace()),
        "cov": Case(lambda x: torch.cov(x), (WIDE / 4,)),
        "corrcoef": Case(lambda x: torch.corrcoef(x), (WIDE,)),
        "trapezoid": Case(lambda x: torch.trapezoid(x), (full(4000),)),
        "count_nonzero": Case(lambda x: torch.count_nonzero(x), (LONG,), None, 0),
        "median": Case(lambda x: x.median(), (ROWS,), None, 0),
        "renorm": Case(lambda x: torch.renorm(x, 2, 0, 100.0), (WIDE,), None, 0),
        "softmax": Case(lambda x: F.softmax(x, 0), (full(70000),), lambda x: P().softmax(x, 0)),
        "softmax of rows": Case(lambda x: x.softmax(1), (ROWS,), lambda x: P().softmax(x, 1)),
        "log_softmax": Case(lambda x: F.log_softmax(x, 1), (ROWS,), lambda x: P().log_softmax(x, 1)),
        "softmin": Case(lambda x: F.softmin(x, 1), (ROWS,)),
    }


def products() -> dict[str, Case]:
    return {
        "matmul": Case(lambda x, y: x @ y, (A, B), lambda x, y: x @ y),
        "mm": Case(lambda x, y: torch.mm(x, y), (A, B), lambda x, y: paddle().mm(x, y)),
        "bmm": Case(lambda x, y: torch.bmm(x, y), (A[None], B[None]), lambda x, y: paddle().bmm(x, y)),
        "mv": Case(lambda x, y: torch.mv(x, y), (A, B[:, 0]), lambda x, y: paddle().mv(x, y)),
        "dot": Case(lambda x, y: torch.dot(x, y), (SMALL, full(2001)), lambda x, y: paddle().dot(x, y)),
        "inner": Case(lambda x, y: torch.inner(x, y), (A, B.T.contiguous()), lambda x, y: paddle().inner(x, y)),
        "einsum": Case(lambda x, y: torch.einsum("ij,jk->ik", x, y), (A, B), lambda x, y: paddle().einsum("ij,jk->ik", x, y)),
        "tensordot": Case(lambda x, y: torch.tensordot(x, y, 1), (A, B), lambda x, y: paddle().tensordot(x, y, 1)),
        "linear": Case(lambda x, w, b: F.linear(x, w, b), (A, B.T.contiguous(), drawn(5)), None),
        "bilinear": Case(lambda x, y, w: F.bilinear(x, y, w), (A[:, :60], A[:, 60:130], drawn(3, 60, 70))),
        "addmm": Case(lambda c, x, y: torch.addmm(c, x, y), (drawn(6, 5), A, B), lambda c, x, y: paddle().addmm(c, x, y)),
        "addmm scaled": Case(lambda c, x, y: torch.addmm(c, x, y, beta=0.5, alpha=0.1), (drawn(6, 5), A, B)),
        "baddbmm": Case(lambda c, x, y: torch.baddbmm(c, x, y), (drawn(1, 6, 5), A[None], B[None])),
        "addbmm": Case(lambda c, x, y: torch.addbmm(c, x, y), (drawn(6, 5), A[None], B[None])),
        "addmv": Case(lambda c, x, y: torch.addmv(c, x, y), (drawn(6), A, B[:, 0])),
        "chain_matmul": Case(lambda x, y: torch.linalg.multi_dot([x, y]), (A, B)),
        "conv1d": Case(lambda x, w: F.conv1d(x, w), (drawn(2, 8, 80) + 1, drawn(3, 8, 60) + 1), None),
        "conv2d": Case(lambda x, w, b: F.conv2d(x, w, b), (IMAGE, drawn(3, 4, 24, 24) + 1, drawn(3))),
        "conv2d strided": Case(lambda x, w: F.conv2d(x, w, stride=3, padding=2), (IMAGE, drawn(3, 4, 24, 24) + 1)),
        "conv3d": Case(lambda x, w: F.conv3d(x, w), (drawn(1, 3, 8, 9, 9) + 1, drawn(2, 3, 7, 7, 7) + 1)),
        "conv_transpose2d": Case(lambda x, w: F.conv_transpose2d(x, w), (drawn(1, 300, 5, 5) + 1, drawn(300, 2, 3, 3) + 1)),
        "lstm_cell": Case(_lstm_cell, (drawn(2, 600), drawn(2, 5), drawn(2, 5), drawn(20, 600), drawn(20, 5))),
        "scaled_dot_product_attention": Case(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
            (drawn(1, 2, 6, 300), drawn(1, 2, 2500, 300), drawn(1, 2, 2500, 4) + 3),
        ),
        "causal attention": Case(
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
            (drawn(1, 2, 90, 64, size=3.0), drawn(1, 2, 90, 64, size=3.0), drawn(1, 2, 90, 4)),
        ),
    }


def _lstm_cell(x: Any, h: Any, c: Any, w: Any, u: Any) -> Any:
    return torch.lstm_cell(x, (h, c), w, u)


def windows() -> dict[str, Case]:
    return {
        "avg_pool1d": Case(lambda x: F.avg_pool1d(x, 600), (full(1, 1, 1200, value=200.0),)),
        "avg_pool2d": Case(lambda x: F.avg_pool2d(x, 64), (HIGH,), lambda x: P().avg_pool2d(x, 64)),
        "avg_pool2d strided": Case(lambda x: F.avg_pool2d(x, 50, 7, 3), (HIGH,)),
        "avg_pool3d": Case(lambda x: F.avg_pool3d(x, 14), (full(1, 1, 14, 14, 14, value=30.0),)),
        "adaptive_avg_pool1d": Case(lambda x: F.adaptive_avg_pool1d(x, 2), (full(1, 1, 6000, value=20.0),)),
        "adaptive_avg_pool2d": Case(lambda x: F.adaptive_avg_pool2d(x, 1), (HIGH,), lambda x: P().adaptive_avg_pool2d(x, 1)),
        "adaptive_avg_pool2d 3": Case(lambda x: F.adaptive_avg_pool2d(x, 3), (HIGH,), lambda x: P().adaptive_avg_pool2d(x, 3)),
        "adaptive_avg_pool3d": Case(lambda x: F.adaptive_avg_pool3d(x, 1), (full(1, 1, 14, 14, 14, value=30.0),)),
        "lp_pool1d": Case(lambda x: F.lp_pool1d(x, 2, 400), (full(1, 1, 800, value=12.0),)),
        "lp_pool2d": Case(lambda x: F.lp_pool2d(x, 2, 32), (HIGH,)),
        "local_response_norm": Case(lambda x: F.local_response_norm(x, 5), (drawn(2, 9, 12, size=200.0),)),
        "fold": Case(lambda x: F.fold(x, (50, 50), 40), (full(1, 1600, 121, value=3.0),)),
        "bilinear interpolation": Case(
            lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (IMAGE * 50,), None
        ),
        "bicubic interpolation": Case(lambda x: F.interpolate(x, size=(17, 13), mode="bicubic"), (IMAGE,)),
        "area interpolation": Case(lambda x: F.interpolate(x, size=(2, 2), mode="area"), (HIGH,)),
        "antialiased interpolation": Case(lambda x: F.interpolate(x, size=(3, 3), mode="bilinear", antialias=True), (IMAGE,)),
        "grid_sample": Case(lambda x, g: F.grid_sample(x, g, align_corners=False), (IMAGE, drawn(2, 5, 5, 2, size=0.5))),
    }


def scattered() -> dict[str, Case]:
    ones, zeros, one = full(3000), full(4) * 0, torch.zeros(3000, dtype=torch.int64)
    return {
        "scatter_add": Case(lambda x, i, y: x.scatter_add(0, i, y), (zeros, one, ones)),
        "scatter_reduce sum": Case(lambda x, i, y: x.scatter_reduce(0, i, y, "sum"), (zeros, one, ones)),
        "scatter_reduce mean": Case(lambda x, i, y: x.scatter_reduce(0, i, y, "mean"), (zeros + 40, one, ones * 30)),
        "index_add": Case(
            lambda x, i, y: x.index_add(0, i, y), (zeros, one, ones), lambda x, i, y: paddle().index_add(x, i, 0, y)
        ),
        "index_add of rows": Case(lambda x, i, y: x.index_add(0, i, y), (full(4, 2) * 0, one, full(3000, 2))),
        "index_put": Case(lambda x, i, y: x.index_put((i,), y, accumulate=True), (zeros, one, ones)),
        "index_select gradient": Case(lambda x, i: x.index_select(0, i), (zeros + 1, one)),
        "gather gradient": Case(lambda x, i: x.gather(0, i), (zeros + 1, one)),
        "x[i] gradient": Case(lambda x, i: x[i], (zeros + 1, one), lambda x, i: x[i]),
        "expand gradient": Case(lambda x: x.expand(3000, 4), (zeros + 1,), lambda x: x.expand([3000, 4])),
        "repeat gradient": Case(lambda x: x.repeat(3000), (zeros + 1,), lambda x: x.tile([3000])),
        "broadcast gradient": Case(lambda x, y: x + y, (drawn(3000, 4), zeros), lambda x, y: x + y),
        "product gradient": Case(lambda x, y: x * y, (drawn(3000, 4) + 2, zeros + 1), lambda x, y: x * y),
        "embedding gradient": Case(lambda w, i: F.embedding(i, w), (drawn(4, 3), one), lambda w, i: P().embedding(i, w)),
        "embedding_bag": Case(lambda w, i: F.embedding_bag(i[None], w, mode="sum"), (full(4, 3), one)),
        "embedding_bag mean": Case(lambda w, i: F.embedding_bag(i[None], w, mode="mean"), (full(4, 3, value=30.0), one)),
        "segment_reduce": Case(lambda x, n: torch.segment_reduce(x, "sum", lengths=n), (ones, torch.tensor([2900, 100]))),
    }


def norms() -> dict[str, Case]:
    image = IMAGE * 90
    w, b = drawn(4) + 1, drawn(4)
    return {
        "layer_norm": Case(lambda x: F.layer_norm(x, [700]), (WIDE,), lambda x: P().layer_norm(x, [700])),
        "layer_norm weighted": Case(lambda x, w, b: F.layer_norm(x, [700], w, b), (WIDE, drawn(700), drawn(700))),
        "rms_norm": Case(lambda x: F.rms_norm(x, [700]), (WIDE * 2,), lambda x: P().rms_norm(x, [700], eps=1e-7)),
        "rms_norm weighted": Case(lambda x, w: F.rms_norm(x, [700], w), (WIDE * 2, drawn(700))),
        "group_norm": Case(lambda x, w, b: F.group_norm(x, 2, w, b), (image, w, b)),
        "instance_norm": Case(lambda x: F.instance_norm(x), (image,), lambda x: P().instance_norm(x)),
        "batch_norm": Case(lambda x, w, b: F.batch_norm(x, None, None, w, b, True), (image, w, b)),
        "batch_norm in use": Case(lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b), (image, w, b, b, w.abs() * 90), None, 3),
        "normalize": Case(lambda x: F.normalize(x), (WIDE,), lambda x: P().normalize(x)),
        "normalize 0": Case(lambda x: F.normalize(x, dim=0), (LARGE,), lambda x: P().normalize(x, axis=0)),
        "cosine_similarity": Case(lambda x, y: F.cosine_similarity(x, y), (WIDE, WIDE.flip(0) + WIDE)),
        "pairwise_distance": Case(lambda x, y: F.pairwise_distance(x, y), (WIDE, WIDE.flip(0))),
        "cdist": Case(lambda x, y: torch.cdist(x, y), (WIDE, WIDE.flip(0) / 2)),
        "cdist 1": Case(lambda x, y: torch.cdist(x, y, p=1.0), (WIDE, WIDE.flip(0) / 2)),
        "pdist": Case(lambda x: F.pdist(x), (WIDE,)),
        "weight_norm": Case(lambda v, g: torch._weight_norm(v, g, 0), (WIDE, drawn(4, 1))),
    }


def losses() -> dict[str, Case]:
    near, p, q = X + 0.1 * Y, part(3000), part(3000, seed=1)
    return {
        "mse_loss": Case(lambda x, y: F.mse_loss(x, y), (X, Y), lambda x, y: P().mse_loss(x, y)),
        "mse_loss sum": Case(lambda x, y: F.mse_loss(x, y, reduction="sum"), (X, near)),
        "l1_loss": Case(lambda x, y: F.l1_loss(x, y), (X, Y), lambda x, y: P().l1_loss(x, y)),
        "l1_loss sum": Case(lambda x, y: F.l1_loss(x, y, reduction="sum"), (X, Y)),
        "smooth_l1_loss": Case(lambda x, y: F.smooth_l1_loss(x, y, reduction="sum"), (X, near)),
        "huber_loss": Case(lambda x, y: F.huber_loss(x, y, reduction="sum", delta=0.5), (X, near)),
        "cross_entropy": Case(lambda x, y: F.cross_entropy(x, y), (LOGITS, CLASSES), lambda x, y: P().cross_entropy(x, y)),
        "cross_entropy sum": Case(lambda x, y: F.cross_entropy(x, y, reduction="sum"), (LOGITS, CLASSES)),
        "cross_entropy smoothed": Case(lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), (LOGITS, CLASSES)),
        "nll_loss": Case(lambda x, y: F.nll_loss(x, y, reduction="sum"), (LOGITS, CLASSES)),
        "binary_cross_entropy_with_logits": Case(
            lambda x, y: F.binary_cross_entropy_with_logits(x, y), (X, p), lambda x, y: P().binary_cross_entropy_with_logits(x, y)
        ),
        "kl_div": Case(lambda x, y: F.kl_div(x, y, reduction="sum"), (p.log(), q)),
        "poisson_nll_loss": Case(lambda x, y: F.poisson_nll_loss(x, y, reduction="sum"), (p, q)),
        "gaussian_nll_loss": Case(lambda x, y, v: F.gaussian_nll_loss(x, y, v, reduction="sum"), (X, near, p)),
        "soft_margin_loss": Case(lambda x, y: F.soft_margin_loss(x, y, reduction="sum"), (X, torch.sign(Y)), None, 1),
        "hinge_embedding_loss": Case(lambda x, y: F.hinge_embedding_loss(x, y, reduction="sum"), (X, torch.sign(Y))),
        "margin_ranking_loss": Case(lambda x, y, t: F.margin_ranking_loss(x, y, t, reduction="sum"), (X, Y, torch.sign(X * Y))),
        "cosine_embedding_loss": Case(lambda x, y, t: F.cosine_embedding_loss(x, y, t), (WIDE, WIDE.flip(0), full(4))),
        "triplet_margin_loss": Case(lambda x, y, z: F.triplet_margin_loss(x, y, z), (WIDE, WIDE.flip(0), WIDE / 2)),
        "multi_margin_loss": Case(lambda x, y: F.multi_margin_loss(x, y, reduction="sum"), (LOGITS, CLASSES)),
    }


def paddle() -> Any:
    import dy2st

    return dy2st


def P() -> Any:  # noqa: N802 - as the functions of nn are often called
    return paddle().nn.functional


CASES = reductions() | products() | windows() | scattered() | norms() | losses()
