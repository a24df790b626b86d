"""What the objects in a Program's exceptions say of themselves: a process that loads it knows no more of them than a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from ...ir.core import Operation, Program
from ...ir.native import Atom
from ...ir.types import AtomType, Type
from ...runtime.where.faults import as_the_user

ASKED: dict[str, Callable[[object], str]] = {"repr": repr, "str": str}  # what `str` says is mostly what `repr` says
LONGEST = 4096  # characters of a text that is told: a file is no place for all that a large constant holds
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+>")  # which is of this process


def tell_texts(program: Program, objects: Mapping[str, object]) -> None:
    """Write the texts that objects in exceptions have now into the Operations that name them. objects: by their names."""
    held = {text for op in program.walk() if op.name in ("raise", "exception.new") for text in _names_in(op)}
    for op in program.walk():
        if op.name == "atom" and op.attrs["text"] in held:
            name = op.attrs["text"]
            op.attrs = {"text": name, **_texts_of(name, objects[name])}


def _names_in(op: Operation) -> Iterator[str]:
    pending: list[Type] = [value.type for value in op.operands]
    while pending:
        type_ = pending.pop()
        pending.extend(type_.parts())
        if isinstance(type_, AtomType):
            yield type_.text


def _texts_of(name: str, value: object) -> dict[str, str]:
    """What `str` and `repr` of an object give, where a name alone doesn't tell."""
    found: dict[str, str] = {}
    for asked, ask in ASKED.items():
        with suppress(Exception):  # of a method that raises, as it would where the exception is printed
            text = as_the_user(ask, value)
            if len(text) <= LONGEST and not _ADDRESS.search(text) and text != ask(Atom(name, **found)):
                found[asked] = text
    return found
