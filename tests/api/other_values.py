"""Calls with one argument more: each parameter that a recorded call leaves out, set to another value than its default."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from nn.recorded.case import Case, array, call, layer, network, positive, run
from nn.recorded.record import FAMILIES, cases

import dy2st

# Of texts, what else a parameter with this default may say.
TEXTS = {
    "mean": "sum", "NCHW": "NHWC", "NCL": "NLC", "NCDHW": "NDHWC", "constant": "reflect", "nearest": "bilinear",
    "zeros": "border", "bilinear": "nearest", "upscale_in_train": "downscale_in_infer", "relu": "gelu", "tanh": "relu",
    "forward": "bidirect",
}  # fmt: skip
F = "nn.functional."
ODD, SMALL = array(1, 2, 5, 5), array(3, 4, scale=0.01)
LATE, LABELS, LENGTHS = array(2, 1, 3), np.array([[1, 1, 1]], "int32"), (np.array([2]), np.array([3]))
TRIPLET = (array(3, 4, seed=1), array(3, 4, seed=2), array(3, 4, seed=2) + 0.1)
# Where what is recorded doesn't show a parameter: windows that don't fill a length, small numbers, more layers, dropout.
SHOWING = [
    layer("nn.AvgPool1D", 2, 2)(ODD[:, :, 0]),
    layer("nn.AvgPool3D", 2, 2, 1)(array(1, 1, 4, 4, 4)),
    call(F + "avg_pool1d", ODD[:, :, 0], 2, 2),
    call(F + "avg_pool2d", ODD, 2, 2),
    call(F + "lp_pool2d", ODD, 2.0, 2, 2),
    call(F + "max_pool1d", ODD[:, :, 0], 2, 2),
    call(F + "max_pool3d", array(1, 1, 5, 5, 5), 2, 2),
    layer("nn.CTCLoss", gradients=False)(LATE, LABELS, *LENGTHS),
    call(F + "ctc_loss", LATE, LABELS, *LENGTHS, gradients=False),
    layer("nn.CosineEmbeddingLoss")(array(3, 4), array(3, 4) + 0.1, -np.ones(3, "float32")),
    layer("nn.CosineSimilarity")(SMALL, SMALL),
    call(F + "cosine_similarity", SMALL, SMALL),
    call(F + "normalize", SMALL),
    layer("nn.Dropout3D", 0.5)(array(2, 3, 2, 4, 5)),
    layer("nn.Pad1D", 1)(array(2, 3, 4)),
    layer("nn.Pad3D", 1)(array(1, 2, 2, 3, 4)),
    call(F + "pad", array(2, 3), [1, 0, 0, 0]),
    layer("nn.PoissonNLLLoss", False)(positive(3, 4), positive(3, 4)),
    layer("nn.SimpleRNN", 3, 2, 2)(array(2, 4, 3)),
    layer("nn.SpectralNorm", [4, 3], 0, 1, gradients=False)(array(4, 3, scale=1e-6)),
    layer("nn.TripletMarginLoss")(*TRIPLET),
    layer("nn.TripletMarginWithDistanceLoss")(*TRIPLET),
    call(F + "triplet_margin_loss", *TRIPLET),
    call(F + "triplet_margin_with_distance_loss", *TRIPLET),
    call(F + "scaled_dot_product_attention", array(2, 5, 4, 3), array(2, 6, 2, 3), array(2, 6, 2, 3), dropout_p=0.5),
    call(F + "upsample", ODD, [7, 7], mode="bilinear"),
]


def other(default: Any) -> Any:
    """Another value of the kind of a default; None where none is known."""
    if isinstance(default, bool):
        return not default
    if isinstance(default, int | float):
        return default + 1 if isinstance(default, int) else default * 2 + 0.25
    return TEXTS.get(default) if isinstance(default, str) else None


def left_out(case: Case) -> dict[str, Any]:
    """The parameters that a case doesn't give, with other values than their defaults."""
    target: Any = dy2st
    for part in case.path.split("."):
        target = getattr(target, part)
    signature = inspect.signature(target)
    given = (case.args, case.kwargs) if case.init is None else (case.init, case.options)
    bound = signature.bind(*given[0], **given[1]).arguments
    rest = {name: other(p.default) for name, p in signature.parameters.items() if name not in bound and name != "name"}
    return {name: value for name, value in rest.items() if value is not None}


def with_argument(case: Case, name: str, value: Any) -> Case:
    """The case with one argument more."""
    if case.init is None:
        return replace(case, kwargs={**case.kwargs, name: value})
    return replace(case, options={**case.options, name: value})


def results(case: Case) -> dict[str, np.ndarray]:
    """Results, gradients and state, with the same random numbers each time."""
    dy2st.seed(7)
    return run(dy2st, network(dy2st, case), case)


def same(one: dict[str, np.ndarray], two: dict[str, np.ndarray]) -> bool:
    return one.keys() == two.keys() and all(
        a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(one.values(), two.values())
    )


def calls() -> Iterator[tuple[str, Case, dict[str, Any]]]:
    """Each case that leaves parameters out."""
    for case in [*(case for family in FAMILIES for case in cases(family).values()), *SHOWING]:
        if rest := left_out(case):
            yield case.path, case, rest


def effects(path: str) -> dict[str, bool]:
    """Of each parameter that some case of `path` leaves out: whether it changed a result, or was refused, in one of them."""
    found: dict[str, bool] = {}
    for case, rest in ((case, rest) for given, case, rest in calls() if given == path):
        for mode in (replace(case, evaluating=False), replace(case, evaluating=True)):
            expected = results(mode)
            for name, value in rest.items():
                found[name] = found.get(name) or _changes(with_argument(mode, name, value), expected)
    return found


def _changes(case: Case, expected: dict[str, np.ndarray]) -> bool:
    try:
        return not same(results(case), expected)
    except (ValueError, TypeError, RuntimeError, IndexError):
        return True
