"""Functions of Paddle's names on special numbers: by NumPy, eagerly, and as Programs with fixed and with dynamic lengths.

cd tests && python -m api.special_numbers [--write]

--write: into `docs/grids.md`. NumPy is the truth. Signs of zero count, but in ONNX Runtime and JAX, whose kernels have their own.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from support.sections import write_section

import dy2st as paddle
from dy2st.errors import Dy2stError
from dy2st.static import InputSpec

COMMAND = "cd tests && python -m api.special_numbers --write"
NAN, INF = float("nan"), float("inf")
LONG = np.iinfo(np.int64)
OF_FLOATS = (  # the result is float32 where x holds integers or bools
    "cos sin tan exp expm1 log log1p log2 log10 sqrt sinh cosh tanh deg2rad rad2deg copysign hypot nextafter divide atan2 "
    "reciprocal rsqrt asin acos atan mean nanmean std var logsumexp"
).split()
FILLINGS: dict[str, np.ndarray] = {
    "nan": np.float32([1, NAN, -2, 0.5, NAN, 3]),
    "infinities": np.float32([INF, 1, -INF, 0.5, 2, INF]),
    "signed zeros": np.float32([-0.0, 0.0, -0.0, 1, 0.0, -1]),
    "halves": np.float32([0.5, 1.5, 2.5, -0.5, -1.5, -2.5]),
    "ties": np.float32([1, 2, 1, 2, 1, 1]),
    "no elements": np.zeros(0, np.float32),
    "one element": np.float32([-1.5]),
    "float64": np.array([NAN, -0.0, INF, -INF, 1e300, 1e-300]),
    "int extremes": np.array([LONG.max, LONG.min, 0, 1, -1, LONG.min]),
    "int32 extremes": np.array([2**31 - 1, -(2**31), 0, 1, -1, 7], np.int32),
    "int ties": np.array([1, 2, 1, 2, 1, 1]),
    "no ints": np.zeros(0, np.int64),
    "bools": np.array([True, False, True, True, False, False]),
}
# By a name of Paddle's: the function of the module, and NumPy's. Both take the array; two-operand functions meet it turned round.
_SAME = (
    "abs ceil floor cos sin tan exp expm1 log log1p log2 log10 sqrt square sign sinh cosh tanh trunc isnan isinf isfinite "
    "logical_not bitwise_not deg2rad rad2deg"
)
_TURNED = (
    "add subtract multiply maximum minimum fmax fmin equal not_equal less_than less_equal greater_than greater_equal "
    "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor copysign hypot nextafter gcd lcm "
    "isclose divide mod floor_divide pow atan2"
)
_OF_NUMPY = {
    "equal": "equal", "less_than": "less", "greater_than": "greater", "divide": "true_divide", "pow": "power", "atan2": "arctan2",
}  # fmt: skip


def _like(number: int, x: np.ndarray) -> np.ndarray:
    return np.asarray(number, np.int64 if x.dtype == bool else x.dtype)


FUNCTIONS: dict[str, tuple[Callable, Callable]] = {
    **{name: (getattr(paddle, name), getattr(np, name)) for name in _SAME.split()},
    **{
        name: (
            lambda x, own=getattr(paddle, name): own(x, paddle.flip(x, [0])),
            lambda x, right=getattr(np, _OF_NUMPY.get(name, name)): right(x, x[::-1]),
        )
        for name in _TURNED.split()
    },
    "heaviside": (  # of NaN 0, as in Paddle and in PyTorch
        lambda x: paddle.heaviside(x, paddle.flip(x, [0])),
        lambda x: np.where(x == 0, x[::-1], x > 0).astype(x.dtype),
    ),
    "round": (paddle.round, np.round),
    "neg": (paddle.neg, np.negative),
    "reciprocal": (paddle.reciprocal, lambda x: 1 / x),
    "rsqrt": (paddle.rsqrt, lambda x: 1 / np.sqrt(x)),
    "asin": (paddle.asin, np.arcsin),
    "acos": (paddle.acos, np.arccos),
    "atan": (paddle.atan, np.arctan),
    "sum": (paddle.sum, np.sum),
    "prod": (paddle.prod, np.prod),
    "mean": (paddle.mean, np.mean),
    "max": (paddle.max, np.max),
    "min": (paddle.min, np.min),
    "amax": (paddle.amax, np.max),
    "amin": (paddle.amin, np.min),
    "all": (paddle.all, np.all),
    "any": (paddle.any, np.any),
    "std": (paddle.std, lambda x: np.std(x, ddof=1)),
    "var": (paddle.var, lambda x: np.var(x, ddof=1)),
    "nansum": (paddle.nansum, np.nansum),
    "nanmean": (paddle.nanmean, np.nanmean),
    "argmax": (paddle.argmax, np.argmax),
    "argmin": (paddle.argmin, np.argmin),
    "cumsum": (paddle.cumsum, np.cumsum),
    "cumprod": (lambda x: paddle.cumprod(x, 0), np.cumprod),
    "sort": (lambda x: paddle.sort(x, stable=True), lambda x: np.sort(x, stable=True)),
    "argsort": (lambda x: paddle.argsort(x, stable=True), lambda x: np.argsort(x, stable=True)),
    "flip": (lambda x: paddle.flip(x, [0]), lambda x: x[::-1]),
    "roll": (lambda x: paddle.roll(x, 2), lambda x: np.roll(x, 2)),
    "unique": (paddle.unique, np.unique),
    "nonzero": (paddle.nonzero, lambda x: np.stack(np.nonzero(x), 1)),
    "count_nonzero": (paddle.count_nonzero, np.count_nonzero),
    "clip": (lambda x: paddle.clip(x, -1, 1), lambda x: np.clip(x, -1, 1)),
    "nan_to_num": (paddle.nan_to_num, np.nan_to_num),
    "where": (lambda x: paddle.where(x > 0, x, -x), lambda x: np.where(x > 0, x, -x)),
    "diff": (paddle.diff, np.diff),
    "logsumexp": (paddle.logsumexp, lambda x: np.logaddexp.reduce(x)),
    "x % 3": (lambda x: x % 3, lambda x: x % _like(3, x)),
    "x // -2": (lambda x: x // -2, lambda x: x // _like(-2, x)),
    "3 % x": (lambda x: 3 % x, lambda x: _like(3, x) % x),
    "x ** 2": (lambda x: x**2, lambda x: x ** _like(2, x)),
    "x[-1]": (lambda x: x[-1], lambda x: x[-1]),
    "x[::-2]": (lambda x: x[::-2], lambda x: x[::-2]),
    "x[-3:]": (lambda x: x[-3:], lambda x: x[-3:]),
    "x[5:2]": (lambda x: x[5:2], lambda x: x[5:2]),
    "gather of -1": (lambda x: x[paddle.to_tensor([-1, 0])], lambda x: x[[-1, 0]]),
    "take": (lambda x: paddle.take(x, paddle.to_tensor([-1, 0])), lambda x: np.take(x, [-1, 0])),
    "astype int64": (lambda x: x[x == x].clip(-9, 9).astype("int64"), lambda x: np.clip(x[x == x], -9, 9).astype("int64")),
    "astype bool": (lambda x: x.astype("bool"), lambda x: x.astype("bool")),
    "astype float16": (lambda x: x.astype("float16"), lambda x: x.astype("float16")),
}
BACKENDS = {"loaded": None, "ONNX Runtime": "onnxruntime", "JAX": "jax"}
FORMS = ("eager", "fixed lengths", "dynamic lengths", *BACKENDS)
CASES = [
    (name, filling, form)
    for name in FUNCTIONS
    for filling in FILLINGS
    for form in FORMS
    if not (name in ("mean", "nanmean") and filling == "int32 extremes")  # ints become float32 before the sum, or after it
]


def outcome(case: tuple[str, str, str]) -> tuple[str, str]:
    """What became of one case, and the words: equal, raises (NumPy does, too), refused, wrong."""
    name, filling, form = case
    own, right = FUNCTIONS[name]
    given = FILLINGS[filling]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = _tried(right, given.astype(np.float32) if name in OF_FLOATS and given.dtype.kind != "f" else given.copy())
        found = _tried(_in_form(own, given, form), paddle.to_tensor(given))
    if isinstance(found, Exception):
        is_refused = isinstance(found, Dy2stError)
        return ("raises" if isinstance(expected, Exception) else "refused" if is_refused else "wrong"), repr(found)[:200]
    if isinstance(expected, Exception):
        return "wrong", f"{found}, not {expected!r}"
    told = _difference(np.asarray(found.numpy()), np.asarray(expected), form not in ("ONNX Runtime", "JAX"))
    return ("wrong" if told else "equal"), told


def _tried(function: Callable, given: Any) -> Any:
    try:
        return function(given)
    except Exception as error:
        return error


def _in_form(own: Callable, given: np.ndarray, form: str) -> Callable:
    if form == "eager":
        return own
    length = len(given) if form == "fixed lengths" else None
    static = paddle.jit.to_static(lambda x: own(x), input_spec=[InputSpec([length], str(given.dtype))])
    return _loaded(static, BACKENDS[form]) if form in BACKENDS else static


def _loaded(static: Callable, backend: str | None) -> Callable:
    def call(x: Any) -> Any:
        with TemporaryDirectory() as folder:
            paddle.jit.save(static, f"{folder}/model")
            return paddle.jit.load(f"{folder}/model", **({"backend": backend} if backend else {}))(x)

    return call


def _difference(found: np.ndarray, expected: np.ndarray, has_signs: bool) -> str:
    if found.shape != expected.shape:
        return f"shape {found.shape}, not {expected.shape}"
    with np.errstate(all="ignore"):
        close = np.isclose(found.astype(expected.dtype), expected, rtol=1e-5, atol=0, equal_nan=True)
        if has_signs and expected.dtype.kind == "f":
            close &= np.isnan(expected) | (np.signbit(found) == np.signbit(expected))
    return "" if close.all() else f"{found}, not {expected}"


def main(is_written: bool) -> int:
    """Try all, print what isn't equal. 1: a cell is wrong."""
    counts: dict[str, Counter] = {form: Counter() for form in FORMS}
    for case in CASES:
        kind, words = outcome(case)
        counts[case[2]][kind] += 1
        if kind in ("wrong", "refused"):
            print(*case, kind, words.replace("\n", " "), sep=" | ")
    total = sum(counts.values(), Counter())
    print(dict(total))
    if is_written:
        write_section("grids.md", COMMAND, _table(counts))
    return int(total["wrong"] > 0)


def _table(counts: dict[str, Counter]) -> str:
    kinds = ("equal", "raises", "refused", "wrong")
    lines = ["| calls | tried | equal | raises as NumPy | refused | wrong |", "|---|---|---|---|---|---|"]
    for form, found in counts.items():
        lines.append(f"| {form} | {found.total():,} | " + " | ".join(f"{found[kind]:,}" for kind in kinds) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv))
