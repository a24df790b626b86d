"""Random functions that write through views and other names, functionalized, saved and loaded, do what plain Python does."""

from __future__ import annotations

import io
import random
import re
from collections import Counter

import numpy as np
import pytest
from func.random_mutations import PRELUDE, Writer
from property.modules import forget, module_of
from property.shrink import shrink
from support.rates import most
from support.sampling import random_functions, seed_in_failure

import dy2st
from dy2st import jit
from dy2st.func import functionalize
from dy2st.garbage import without_collections
from dy2st.passes.functionalize import REMOVE, FunctionalizeError

REFUSED = 0.01  # of all random functions
REFUSALS = {
    r"reshape gives a view or a copy": "a reshape of what may lie in memory in any order",
}
MATRIX = np.arange(12, dtype="float32").reshape(3, 4)
INPUTS = [(MATRIX - 4, MATRIX[::-1] - 6), (-2 * MATRIX - 4, MATRIX * 0 - 1), (5 * MATRIX - 4, -MATRIX)]


def text_of(seed: int) -> str:
    return PRELUDE + Writer(random.Random(seed)).function()


def arrays(value) -> list:
    if isinstance(value, (list, tuple)):
        return [a for v in value for a in arrays(v)]
    return [value.numpy()]


def outcome(f) -> list:
    """What a function gives and leaves in its inputs, for all the inputs."""
    found = []
    for given in INPUTS:
        tensors = [dy2st.to_tensor(x.copy()) for x in given]
        found.append((f(*tensors), tensors))
    return [array for pair in found for array in arrays(pair)]


def loaded(static):
    """A functionalized function in its saved form."""
    file = io.BytesIO()
    jit.save(static, file)
    file.seek(0)
    return jit.load(file)


def difference(text: str, remove: str) -> str:
    """What one of the forms of a function does otherwise than plain Python, or nothing."""
    module = module_of(text)
    try:
        static = functionalize(module.f, remove=remove)
        expected = outcome(module.f)
        for form, got in (("functionalized", outcome(static)), ("loaded", outcome(loaded(static)))):
            if len(got) != len(expected) or not all(map(_identical, got, expected)):
                return f"{form}: {got}\nplain: {expected}"
    finally:
        forget(module)
    return ""


def _identical(a: np.ndarray, b: np.ndarray) -> bool:
    return (a.dtype, a.shape) == (b.dtype, b.shape) and np.array_equal(a, b, equal_nan=True)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@random_functions(2000, 25)
def test_random_functions_mean_the_same(seeds):
    refused: Counter[str] = Counter()
    with without_collections():  # a quarter of the time
        for seed in seeds:
            with seed_in_failure(seed, __file__):
                text, remove = text_of(seed), REMOVE[seed % 2]
                try:
                    assert not difference(text, remove), explain(text, remove)
                except FunctionalizeError as error:
                    reason = next((why for pattern, why in REFUSALS.items() if re.search(pattern, str(error))), None)
                    assert reason, f"refused for no known reason: {error}\n{text}"
                    refused[reason] += 1
    print(f"{len(seeds)} functions; refused: {dict(refused)}")
    assert sum(refused.values()) <= most(REFUSED, len(seeds))


def explain(text: str, remove: str) -> str:
    """The failure of a function, made small."""
    small = shrink(text, lambda candidate: bool(_told(candidate, remove)))
    return f"{remove}, made small:\n\n{small}\n{_told(small, remove)}\n\n(original)\n{text}"


def _told(text: str, remove: str) -> str:
    try:
        return difference(text, remove)
    except Exception:
        return ""
