"""TfIdfVectorizer: how often runs of numbers occur."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import ConversionError
from ....ops import compare, elementwise, reduce
from ....ops.cast import cast
from ....ops.creation import full
from ....ops.mutate_index import index_add
from ....ops.views import reshape, unsqueeze
from ....runtime.convert.calls.calls import convert_call
from ....runtime.tensors.tensor import Tensor
from ..registry import node
from ..slices import part
from ..values import few


@node("TfIdfVectorizer", folds=False)
def tf_idf(
    x: Tensor, *, max_gram_length: int, max_skip_count: int, min_gram_length: int, mode: str, ngram_counts: list[int],
    ngram_indexes: list[int], pool_int64s: list[int] | None = None, pool_strings: Any = None, weights: Any = None,
) -> Tensor:  # fmt: skip
    """For each row of x and each run of the pool: whether it occurs, or how often, times its weight."""
    if pool_int64s is None:
        raise ConversionError("TfIdfVectorizer of texts can't be loaded: of integers it can")
    rows = unsqueeze(x, axis=[0]) if x.ndim == 1 else x
    width = max(ngram_indexes) + 1
    found = full(shape=[rows.shape[0], width], fill_value=0, dtype="float32")
    ends = [*ngram_counts[1:], len(pool_int64s)]
    first = 0
    for n, (start, end) in enumerate(zip(ngram_counts, ends), 1):
        runs = np.array(pool_int64s[start:end], np.int64).reshape(-1, n)
        places = np.array(ngram_indexes[first : first + len(runs)], np.int64)
        first += len(runs)
        if min_gram_length <= n <= max_gram_length and len(runs):
            found = index_add(found, Tensor(places), _counts(rows, runs, 0 if n == 1 else max_skip_count), axis=1)
    found = _weighed(found, mode, weights, ngram_indexes, width)
    return reshape(found, shape=[width]) if x.ndim == 1 else found


def _counts(rows: Tensor, runs: np.ndarray, skips: int) -> Tensor:
    """How often each run occurs in each row, with up to so many numbers left out between any two."""
    total, n = None, runs.shape[1]
    for gap in range(1, few(skips, "max_skip_count") + 2):
        count = convert_call(max)(rows.shape[1] - (n - 1) * gap, 0)
        hit: Any = None
        for k in range(few(n, "the length of a run")):
            numbers = cast(part(rows, 1, k * gap, k * gap + count), dtype="int64")
            same = compare.equal(unsqueeze(numbers, axis=[2]), Tensor(np.ascontiguousarray(runs[:, k])))
            hit = same if hit is None else compare.logical_and(hit, same)
        counted = cast(reduce.reduce_sum(cast(hit, dtype="int64"), axis=1), dtype="float32")
        total = counted if total is None else elementwise.add(total, counted)
    return total  # type: ignore[return-value]


def _weighed(counts: Tensor, mode: str, weights: Any, indexes: list[int], width: int) -> Tensor:
    if mode == "TF":
        return counts
    factors = np.ones(width, np.float32)
    if weights is not None:
        factors[indexes] = weights
    occurs = cast(counts > 0, dtype="float32") if mode == "IDF" else counts
    return elementwise.multiply(occurs, Tensor(factors))
