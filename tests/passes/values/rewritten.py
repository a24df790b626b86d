"""The lines of a test of the pass `values`: text before, text after, and inputs on which both give the same."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest
from support.answers import assert_some_answer
from support.without_heap import Beside

from dy2st.ir.parser import parse_program
from dy2st.passes.values import Interface, ValuesError, values_program


def program(text: str):
    """The Program of a text."""
    return parse_program(dedent(text).strip() + "\n")


def becomes(before: str, after: str, *inputs: tuple, raises: bool = False, state: dict[str, Any] | None = None) -> Interface:
    """Check that the pass makes one text of the other, and that both agree on each tuple of inputs."""
    beside = Beside(program(before))
    assert str(beside.program) == str(program(after))
    results = [beside.check(given, state={} if state is None else state) for given in inputs]
    if inputs:
        assert_some_answer(results, raises)
    return beside.interface


def agrees(text: str, *inputs: tuple, raises: bool = False) -> None:
    """Check that a Program gives the same without a heap."""
    beside = Beside(program(text))
    assert_some_answer([beside.check(given) for given in inputs], raises)


def refuses(text: str, message: str) -> None:
    """Check that the pass refuses a Program, in these words."""
    with pytest.raises(ValuesError, match=message):
        values_program(program(text))
