"""Random functions that write through views: what plain Python gives, functionalized and saved and loaded, in both modes."""

from __future__ import annotations

import importlib.util
import random
import warnings

import numpy as np
import pytest
from func.random_mutations import Writer

import dy2st
from dy2st import jit
from dy2st.func import functionalize
from dy2st.passes.functionalize import FunctionalizeError

COUNT, SAVED = 80, 10
REFUSED = 0.45  # what can't be told without running is refused: here, names for elements of lists, and names that a try rebinds
MATRIX = np.arange(12, dtype="float32").reshape(3, 4)
INPUTS = [(MATRIX - 4, MATRIX[::-1] - 6), (-2 * MATRIX - 4, MATRIX * 0 - 1), (5 * MATRIX - 4, -MATRIX)]


def function_of(seed: int, folder):
    """The random function of a seed."""
    file = folder / f"written_{seed}.py"
    file.write_text("import dy2st\n\n\n" + Writer(random.Random(seed)).function(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f, file


def arrays(value) -> list:
    if isinstance(value, (list, tuple)):
        return [a for v in value for a in arrays(v)]
    return [value.numpy() if isinstance(value, dy2st.Tensor) else np.asarray(value)]


def outcome(f, given: tuple) -> list:
    """What a function gives and leaves in its inputs."""
    tensors = [dy2st.to_tensor(x.copy()) for x in given]
    return arrays(f(*tensors)) + arrays(tensors)


def check(f, static, given: tuple, file) -> None:
    for mine, theirs in zip(outcome(static, given), outcome(f, given), strict=True):
        np.testing.assert_array_equal(mine, theirs, err_msg=file.read_text())


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
def test_random_functions(remove, tmp_path):
    refused = 0
    for seed in range(COUNT):
        f, file = function_of(seed, tmp_path)
        static = functionalize(f, remove=remove)
        try:
            for given in INPUTS:
                check(f, static, given, file)
        except FunctionalizeError:
            refused += 1
            continue
        if seed < SAVED:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                jit.save(static, str(tmp_path / f"{seed}"))
            for given in INPUTS:
                check(f, jit.load(str(tmp_path / f"{seed}")), given, file)
    assert refused <= REFUSED * COUNT
