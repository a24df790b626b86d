"""Each type and core operation, as a hand-built Program, through print, parse, verify and both forms of saving.

`tests/runtime` runs the same Programs.
"""

import io

import numpy as np
import pytest
from ir.programs import CASES

from dy2st import ops  # noqa: F401
from dy2st.ir.core_rules import CORE
from dy2st.ir.effects import CORE_EFFECTS, EffectAnalysis
from dy2st.ir.parser import parse_program
from dy2st.ir.printer import print_program
from dy2st.ir.types import Type
from dy2st.ir.verify import verify
from dy2st.ops.registry import OPERATORS
from dy2st.saving import Info, read_files, write_files

pytestmark = pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)


def test_print_and_parse(case):
    for locs in (False, True):
        text = print_program(case.build(), locs)
        assert print_program(parse_program(text), locs) == text


def test_verify(case):
    verify(case.build(), OPERATORS)
    verify(parse_program(print_program(case.build())), OPERATORS)


def test_save_and_load(case, tmp_path):
    program = case.build()
    info = Info(entries={"forward": program.entry.name})
    archive = io.BytesIO()
    for target in (tmp_path / "net", tmp_path / "net.dy2st", archive):
        write_files(target, program, info)
        archive.seek(0)
        loaded, again = read_files(target)
        assert print_program(loaded, locs=True) == print_program(program, locs=True)
        assert again.entries == info.entries
        for name, parameter in program.parameters.items():
            np.testing.assert_array_equal(loaded.parameters[name].data, parameter.data)
        verify(loaded, OPERATORS)


def test_effects_are_known(case):
    program = case.build()
    effects = EffectAnalysis(program, OPERATORS)
    for op in program.walk():
        assert effects.effects_of(op) is not None and effects.can_remove(op) in (True, False)


def test_every_operation_and_type_has_a_case(case):
    """Asked once, of all cases together."""
    if case is not CASES[0]:
        return
    programs = [c.build() for c in CASES]
    written_out = {"gradients"}  # before a Program runs or is saved
    assert set(CORE) == set(CORE_EFFECTS) <= {op.name for p in programs for op in p.walk()} | written_out
    found: set[type] = set()

    def collect(type_):
        found.add(type(type_))
        for part in type_.parts():
            collect(part)

    for program in programs:
        for op in program.walk():
            for value in (*op.operands, *op.results):
                collect(value.type)
    assert found == set(Type.__subclasses__())
