"""Random functions give the same log, value and exception before and after rewriting."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_runtime import converted
from random_functions import Writer, compile_function, run
from support.sampling import amount


@pytest.mark.long
@settings(max_examples=amount(300, 30), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.lists(st.lists(st.booleans(), max_size=12), min_size=1, max_size=4))
def test_same_as_plain_python(random, all_answers):
    text = Writer(random).write()
    plain = compile_function(text)
    if plain is None:
        return
    bodies = [converted(plain), converted(plain, outside=True)]
    for answers in all_answers:
        expected = run(plain, answers)
        assert [run(body, answers) for body in bodies] == [expected, expected], text
