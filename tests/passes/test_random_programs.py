"""Random Programs give, after the passes, what the reference interpreter gives without: results, inputs, parameters, sharing."""

from __future__ import annotations

import copy
import random

import pytest
from engine.random_programs import Generator, random_inputs
from engine.reference import Interpreter, identical
from engine.test_random_programs import sharing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.answers import answer
from support.sampling import amount

from dy2st import passes
from dy2st.ir.parser import parse_program
from dy2st.ir.printer import print_program
from dy2st.runtime.engine import compile_program


def check(choices: random.Random, *names: str) -> None:
    program = Generator(choices).program()
    changed = parse_program(print_program(program))  # as loaded from a file
    for name, parameter in program.parameters.items():
        parameter.data, changed.parameters[name].data = parameter.data.copy(), parameter.data.copy()
    passes.run(changed, *names)
    plain, optimized = Interpreter(program), compile_program(changed)
    for _ in range(2):
        inputs = random_inputs(choices)
        mine, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
        got, expected = answer(optimized, *mine), answer(plain, *theirs)
        assert identical(got, expected), optimized.source
        assert identical(mine, theirs), optimized.source
        assert all(identical(data, plain.parameters[name]) for name, data in optimized.parameters.items())
        assert sharing(mine, got) <= sharing(theirs, expected), optimized.source


@pytest.mark.long
@settings(max_examples=amount(60, 10), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_all_passes(choices):
    check(choices)


@pytest.mark.parametrize("name", [p.name for p in passes.PASSES.values() if p.exact])
def test_each_pass_alone(name):
    for seed in range(12):
        check(random.Random(seed), name)
