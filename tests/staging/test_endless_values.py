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
def test_an_argument_that_holds_itself_is_refused_by_its_name(kind):
    @paddle.jit.to_static
    def function(x, ring):
        return x + len(ring)

    with pytest.raises(EndlessTypeError, match="argument ring: a list, dict or object that holds itself"):
        function(paddle.to_tensor([0.0]), ring_of(kind))
