"""What is known about a code object, found out once.

By identity: equal code objects may stand in different files, and comparing deeply nested ones takes forever.
"""

from __future__ import annotations

import functools
import opcode
import weakref
from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

Found = TypeVar("Found")


def per_code(find_out: Callable[[CodeType], Found]) -> Callable[[CodeType], Found]:
    """`find_out`, which remembers its answer for as long as the code object lives."""
    known: dict[int, tuple[Any, weakref.ref]] = {}

    @functools.wraps(find_out)
    def found(code: CodeType) -> Found:
        entry = known.get(id(code))
        if entry is None:
            key = id(code)
            entry = known[key] = (find_out(code), weakref.ref(code, lambda _: known.pop(key, None)))
        return entry[0]

    return found


def has_instruction(code: CodeType, *names: str) -> bool:
    """Whether code, without that of the functions inside it, has one of these instructions; far cheaper than `dis`."""
    return not {opcode.opmap[name] for name in names}.isdisjoint(code.co_code[::2])
