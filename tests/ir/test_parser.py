"""print -> parse -> print is the identity; what isn't a Program's text says why."""

import pytest
from hypothesis import HealthCheck, given, settings
from ir.programs import by_name
from ir.strategies import programs
from support.sampling import amount

from dy2st.errors import ParseError
from dy2st.ir.parser import parse_program
from dy2st.ir.printer import print_function, print_program


@pytest.mark.long
@settings(max_examples=amount(100, 8), deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_random_programs_read_back(program):
    for locs in (False, True):
        text = print_program(program, locs)
        assert print_program(parse_program(text), locs) == text


def test_the_text_is_for_people():
    program = by_name("if_yields").build()
    assert print_function(program.entry) == (
        "def main(%flag: bool, %x: float32[2]) -> float32[2]:\n"
        "  %0 = if %flag : float32[2]\n"
        "    then:\n"
        "      %1 = add %x, %x : float32[2]\n"
        "      yield %1\n"
        "    else:\n"
        "      yield %x\n"
        "  return %0"
    )
    assert str(program) == print_program(program)


def test_locations_come_as_comments():
    program = by_name("tensor_and_parameter").build()
    assert "  %0 = add %x, %weight : float32[2]  # net.py:7 forward @ linear\n" in print_program(program, locs=True)
    op = list(parse_program(print_program(program, locs=True)).walk())[1]
    assert (str(op.loc), op.loc.function, op.path) == ("net.py:7", "forward", "linear")


def test_remarks_mean_nothing():
    program = parse_program("# a remark\n\ndef main(%x: int) -> int:   # another\n  # more\n  return %x # said by whom\n")
    assert print_program(program) == "def main(%x: int) -> int:\n  return %x\n"


GOOD = """def main(%x: int) -> int:
  %y = py.add %x, %x : int
  return %y
"""


@pytest.mark.parametrize(
    "change, reason",
    [
        (("%x, %x", "%x, %z"), "line 2: %z is used before it is defined"),
        (("%y = py", "%x = py"), "line 2: %x is defined twice"),
        ((": int\n  return", ": floof\n  return"), "line 2: no type or dtype is called floof"),
        (("-> int", "-> float"), "line 1: main is declared to return float, its body returns int"),
        (("  return", "     return"), "line 3: indented by 5 columns, expected 4"),
        (("  return %y", "    then:"), "line 2: blocks then, expected block0"),
        (("%x, %x :", "%x, value= :"), "line 2: expected a literal, found :"),
        (("py.add", "py.add ="), "line 2: expected a name"),
        (("def main", "fed main"), "line 1"),
        (("%x, %x : int", "%x, %x"), "line 2: 1 results and 0 types"),
        (("%x, %x :", "%x, %x, a=1, a=2 :"), "line 2: 'a' is declared twice"),
        (("%x, %x :", "%x, %x, a=[1 :"), "line 2: expected ,"),
        (("%x, %x :", '%x, %x, a="open :'), "line 2: can't read"),
    ],
)
def test_broken_text_names_the_line(change, reason):
    with pytest.raises(ParseError) as error:
        parse_program(GOOD.replace(*change))
    assert reason in str(error.value)


def test_deep_nesting_is_refused():
    lines = ["def main(%c: bool):"]
    for k in range(300):
        lines += ["  " + "    " * k + "if %c", "    " + "    " * k + "then:"]
    with pytest.raises(ParseError, match="nested deeper"):
        parse_program("\n".join(lines))
    with pytest.raises(ParseError, match="nested deeper"):
        parse_program("def main():\n  const value=" + "[" * 100000)


def test_whose_errors_a_program_has_is_read_back():
    program = parse_program("errors torch\n\ndef main(%x: float32[2]) -> float32[2]:\n  return %x\n")
    assert program.errors == "torch"
    assert parse_program(str(program)).errors == "torch"
