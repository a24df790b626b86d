"""What is known about a code object, found out once.

By identity: equal code objects may stand in different files, and comparing deeply nested ones takes forever.
"""

from __future__ import annotations

import dis
import functools
import opcode
import weakref
from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

from ...converted_code import codes_in

Found = TypeVar("Found")


class Notes:
    """What is noted about code objects, for as long as they live."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, weakref.ref]] = {}

    def note(self, code: CodeType, what: Any) -> Any:
        key, known = id(code), self.known
        known[key] = what, weakref.ref(code, lambda _: known.pop(key, None))
        return what

    def get(self, code: CodeType) -> Any:
        """What is noted of this very code object, or None."""
        entry = self.known.get(id(code))
        return None if entry is None else entry[0]


def per_code(find_out: Callable[[CodeType], Found]) -> Callable[[CodeType], Found]:
    """`find_out`, which remembers its answer for as long as the code object lives, in `known` by its id."""
    notes = Notes()
    known = notes.known

    @functools.wraps(find_out)
    def found(code: CodeType) -> Found:
        entry = known.get(id(code))
        return notes.note(code, find_out(code)) if entry is None else entry[0]

    found.known = known  # type: ignore[attr-defined]
    return found


def has_instruction(code: CodeType, *names: str) -> bool:
    """Whether code, without that of the functions inside it, has one of these instructions; far cheaper than `dis`."""
    return not {opcode.opmap[name] for name in names}.isdisjoint(code.co_code[::2])


def is_comparison(code: CodeType, offset: int) -> bool:
    """Whether the instruction at an offset compares two values."""
    return code.co_code[offset] == opcode.opmap["COMPARE_OP"]


@per_code
def reads_items(code: CodeType) -> bool:
    """Whether code may read an item, `a[i]`: from Python 3.14 on, that is one of the binary operators."""
    if "BINARY_SUBSCR" in opcode.opmap:
        return has_instruction(code, "BINARY_SUBSCR")
    operator, subscript = opcode.opmap["BINARY_OP"], [name for name, _ in opcode._nb_ops].index("NB_SUBSCR")  # type: ignore[attr-defined]
    return any(pair == (operator, subscript) for pair in zip(code.co_code[::2], code.co_code[1::2]))


@per_code
def import_statements(code: CodeType) -> tuple[tuple[int, str], ...]:
    """The dots and the name of each import: the dots are loaded two instructions before, and what it takes is between them."""
    if not has_instruction(code, "IMPORT_NAME"):
        return ()
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    return tuple((steps[i - 2].argval, step.argval) for i, step in enumerate(steps) if step.opname == "IMPORT_NAME")


@per_code
def nested_code(code: CodeType) -> frozenset[int]:
    """The ids of the code objects of all functions that stand inside a function."""
    return frozenset(id(inner) for inner in codes_in(code) if inner is not code)


@per_code
def mentioned(code: CodeType) -> tuple[str, ...]:
    """The names of globals and attributes in a function and the functions inside it."""
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in mentioned(constant)]
    return tuple(dict.fromkeys([*code.co_names, *inner]))
