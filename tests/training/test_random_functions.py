"""Gradients through random functions: plain, static and loaded agree, with each other and with finite differences."""

from __future__ import annotations

import importlib.util
import warnings

import numpy as np
import pytest
from support.rates import fewest
from support.sampling import random_functions, seed_in_failure

import dy2st as paddle
from dy2st import jit
from dy2st.errors import JoinWarning
from dy2st.runtime.tensors.tape import OverwrittenError
from dy2st.static import InputSpec

from .random_functions import Writer

AS_PROGRAMS = 0.95  # of all random functions have a backward Program
LOADED_EVERY = 32  # what is loaded is the same Program
SPECS = [InputSpec([None, 3], "float64"), InputSpec([3, 3], "float64")]


def load_function(folder, seed, writer=Writer):
    path = folder / f"random_{seed}.py"
    path.write_text(writer(seed).text(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def loaded_form(static, folder, seed):
    path = str(folder / f"saved_{seed}")
    jit.save(static, path)
    return jit.load(path)


def outcome(function, rows, weight):
    """The result and its gradients."""
    x, w = (paddle.to_tensor(a, stop_gradient=False) for a in (rows, weight))
    result = function(x, w)
    result.backward()
    return [float(result), *(None if t.grad is None else t.grad.numpy() for t in (x, w))]


def check_slope(function, rows, weight, gradient):
    """Compare with the slope along one direction, where it has one: where two widths see the same."""
    direction = np.random.RandomState(0).uniform(-1, 1, rows.shape)

    def value(step):
        with paddle.no_grad():
            return float(function(*(paddle.to_tensor(a) for a in (rows + step * direction, weight))))

    wide, narrow = ((value(h) - value(-h)) / (2 * h) for h in (2e-5, 1e-5))
    if np.isclose(wide, narrow, rtol=1e-5, atol=1e-7):
        np.testing.assert_allclose((gradient * direction).sum(), narrow, rtol=1e-4, atol=1e-6)


def may_be_zeros(static):
    """Whether the backward finds gradients in containers, where what nobody has looked at has zeros, not None."""
    pairs = filter(None, static.concrete_program.gradients._pairs.values())
    return any(op.name == "adjoint.ledger" for pair in pairs for op in pair.executable.program.walk())


def check(folder, seed):
    """Compare on inputs that take different paths; whether it trained through a backward Program."""
    random = np.random.RandomState(seed)
    function = load_function(folder, seed)
    static = jit.to_static(function, input_spec=SPECS)
    turn = seed // 8  # the writer goes by the last digits
    forms = [static, *([loaded_form(static, folder, seed)] if turn % LOADED_EVERY == 0 else ())]
    kept_at_once = turn % 2 == 0  # as if a gradient had been asked for before
    static.concrete_program.gradients.asked = kept_at_once
    for n in (1, 3):
        rows, weight = random.uniform(-1, 1, (n, 3)), random.uniform(-1, 1, (3, 3))
        try:
            expected = outcome(function, rows, weight)
        except OverwrittenError:
            for form in forms:
                with pytest.raises(OverwrittenError):
                    outcome(form, rows, weight)
            continue
        if n > 1 and Writer(seed).smooth:
            check_slope(function, rows, weight, expected[1])
        for form in forms:
            for one, other in zip(outcome(form, rows, weight), expected):
                if other is None:
                    assert one is None or may_be_zeros(static) and not np.any(one), Writer(seed).text()
                else:
                    np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9, err_msg=Writer(seed).text())
    return static.concrete_program.gradients.reason is None


@pytest.mark.long
@random_functions(2000, 25)
def test_random_functions(seeds, tmp_path):
    as_programs = 0
    for seed in seeds:
        with warnings.catch_warnings(), seed_in_failure(seed, __file__):
            warnings.simplefilter("ignore", JoinWarning)
            as_programs += check(tmp_path, seed)
    assert as_programs >= fewest(AS_PROGRAMS, len(seeds))
