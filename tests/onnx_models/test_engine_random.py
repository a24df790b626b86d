"""Random Programs by the engine `onnxruntime` and by that on NumPy: results, exceptions, and what calls write, agree."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest
from engine.random_programs import Generator, random_inputs
from onnx_models.running import assert_same
from support.answers import Raised, answer
from support.sampling import sampled

from dy2st.errors import EngineError
from dy2st.runtime.engine import compile_program

pytest.importorskip("onnxruntime", reason="the engine needs the extra 'onnx'")
pytest.importorskip("onnx", reason="the engine needs the extra 'onnx'")

from dy2st.onnx import engine  # noqa: E402


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(500), 50))
def test_random_programs(seed):
    choices = random.Random(seed)
    with np.errstate(all="ignore"):
        program = Generator(choices).program()
        for parameter in program.parameters.values():
            parameter.data = parameter.data.copy()
        twin = copy.deepcopy(program)
        try:
            ours = engine.compile_program(program)
        except EngineError as error:
            pytest.skip(f"refused: {error}")
        theirs = compile_program(twin)
        for call in range(2):  # parameters written in place live on
            inputs = random_inputs(choices)
            mine, other = copy.deepcopy(inputs), copy.deepcopy(inputs)
            given = answer(ours, *mine)
            if isinstance(given, Raised) and "two inputs share memory" in given.text:
                pytest.skip(f"refused: {given.text}")
            expected = answer(theirs, *other)
            if isinstance(expected, Raised):
                assert given == expected
            else:
                assert_same(expected, given, f"call {call}")
            assert_same(list(other), list(mine), f"arguments of call {call}")
            assert_same(list(theirs.parameters.values()), list(ours.parameters.values()), f"parameters after call {call}")
