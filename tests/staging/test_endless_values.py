"""Lists and dicts that hold themselves, as state and as arguments: what plain Python gives, or a refusal that says so."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.errors import EndlessTypeError


def ring_of(kind):
    made = [] if kind == "list" else {}
    if kind == "list":
        made.append(made)
        made.append(0)
    else:
        made.update(me=made, n=0)
    return made


def changed(ring):
    key = 1 if isinstance(ring, list) else "n"
    ring[key] += 1
    return ring[key]


@pytest.mark.parametrize("kind", ["list", "dict"])
@pytest.mark.filterwarnings("ignore:.*is staged anew at each call")
def test_state_that_holds_itself_is_staged_for_each_call(kind):
    ring = ring_of(kind)

    @paddle.jit.to_static
    def function(x):
        return x + changed(ring)

    assert [function(paddle.to_tensor([0.0])).item() for _ in range(3)] == [1.0, 2.0, 3.0]
    assert ring[0 if kind == "list" else "me"] is ring


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_an_argument_that_holds_itself_is_refused_by_its_name(kind):
    @paddle.jit.to_static
    def function(x, ring):
        return x + len(ring)

    with pytest.raises(EndlessTypeError, match="argument ring: a list, dict or object that holds itself"):
        function(paddle.to_tensor([0.0]), ring_of(kind))
