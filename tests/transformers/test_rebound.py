"""What the bodies of loops surely give another value."""

import pytest
from random_functions import compile_function

from dy2st.transformers import transpile
from dy2st.transformers.rebound import COMPUTED, COUNTED


def rebound(*body):
    lines = ["def f(x, n):", "    i = 0", "    while i < n:", *(f"        {line}" for line in body), "    return x, i", ""]
    return transpile(compile_function("\n".join(lines))).rebound


@pytest.mark.parametrize("body, how", [
    (["i += 1"], COUNTED), (["i -= 2"], COUNTED), (["i = i + 3"], COUNTED), (["i = i - 3"], COUNTED),
    (["i += 0"], COMPUTED), (["i = 1 + i"], COMPUTED), (["i = i * 2"], COMPUTED), (["i += 0.5"], COMPUTED),
    (["i = 5", "i += 1"], COMPUTED), (["i += n"], COMPUTED), (["i = x - n"], COMPUTED),
    (["i = n"], None), (["i = -i"], None), (["i = f(i)"], None), (["i += 1", "i = 4"], None),
    (["if x > 0:", "    i += 1"], None), (["i, j = n, n"], None), (["with no_grad():", "    i += 1"], None)])
def test_how_a_name_is_bound(body, how):
    (names,) = (names for _, names in rebound(*body))
    assert names["i"] == how


def test_an_inner_loop_stands_for_its_body():
    outer, inner = rebound("j = 0", "while j < n:", "    j += 1", "    x = x * 2", "i += 1")
    assert inner[1] == {"j": COUNTED, "x": COMPUTED}
    assert outer[1]["x"] is inner[0] and outer[1]["i"] == COUNTED
