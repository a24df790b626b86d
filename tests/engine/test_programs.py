"""Every hand-built Program of `tests/ir/programs.py`, run by the engine."""

from __future__ import annotations

import pytest
from engine.reference import Interpreter, identical
from ir.programs import CASES

from dy2st.runtime.engine import compile_program


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_engine_gives_what_the_program_says(case):
    check(case, compile_program(case.build()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_reference_gives_what_the_program_says(case):
    check(case, Interpreter(case.build()), bases=False)


def check(case, run, bases=True):
    for call in case.calls():
        if call.raises is not None:
            with pytest.raises(Exception) as caught:
                run(*call.inputs)
            assert type(caught.value).__name__ == call.raises.name
            assert not bases or isinstance(caught.value, call.raises.base)
            assert call.raises.args is ... or caught.value.args == call.raises.args
        else:
            assert identical(run(*call.inputs), call.expected)
        assert call.after is None or identical(tuple(call.inputs), call.after)
