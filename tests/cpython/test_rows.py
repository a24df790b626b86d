"""A few rows of the table: rewritten code gives what plain Python gives. `python -m cpython.run` runs all of them."""

import pytest
from support.sampling import sampled

from .phases import NO_TESTS, ORDINARY, Options, compare, has_tests, run_phase
from .run import unexpected

OPTIONS = Options(count=True)


@pytest.mark.long
@pytest.mark.skipif(not has_tests(), reason=NO_TESTS)
@pytest.mark.parametrize("phase", ORDINARY)
@pytest.mark.parametrize("row", sampled(["heapq", "textwrap", "string", "reprlib", "colorsys"], 1))
def test_rewritten_modules_of_the_library_pass_cpythons_own_tests(row, phase):
    found = compare(row, run_phase(row, "baseline", OPTIONS), run_phase(row, phase, OPTIONS))
    assert found.compared and found.phase.finished, found.phase.load_error
    assert unexpected(phase, found) == {} and found.asserts == {} and found.phase.figures["refused"] == {}
    assert found.phase.figures["converted"] > 3 and found.phase.figures["jst_calls"] > 50
