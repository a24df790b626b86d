"""Random Programs give, compiled, exactly what the reference interpreter gives: values, dtypes, side effects, shared memory."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest
from engine.random_programs import Generator, random_inputs
from engine.reference import Interpreter, arrays_in, identical
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.answers import answer
from support.sampling import amount, sampled

from dy2st.runtime.engine import compile_program


def sharing(inputs, result) -> set[tuple[int, int]]:
    """Which pairs of arrays, among what the caller holds, share memory."""
    arrays = [*inputs, *arrays_in(result)]
    return {(i, j) for j, b in enumerate(arrays) for i, a in enumerate(arrays[:j]) if np.shares_memory(a, b)}


def check(choices: random.Random) -> None:
    program = Generator(choices).program()
    for parameter in program.parameters.values():
        parameter.data = parameter.data.copy()
    executable, interpreter = compile_program(program), Interpreter(copy.copy(program))
    interpreter.parameters = {name: data.copy() for name, data in interpreter.parameters.items()}
    for _ in range(2):  # parameters written in place live on
        inputs = random_inputs(choices)
        mine, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
        got, expected = answer(executable, *mine), answer(interpreter, *theirs)
        assert identical(got, expected), executable.source
        assert identical(mine, theirs), executable.source
        assert identical(executable.parameters, interpreter.parameters), executable.source
        assert sharing(mine, got) <= sharing(theirs, expected), executable.source


@pytest.mark.long
@settings(max_examples=amount(150, 25), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_programs(choices):
    check(choices)


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(150), 25))
def test_seeded_programs(seed):
    check(random.Random(seed))
