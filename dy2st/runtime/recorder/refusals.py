"""Words for the moment when a staged value is used where only a known one will do.

The line, the use, and what to write instead.
"""

from __future__ import annotations

from ...config import limits
from ...ir.core import Loc
from ...ir.types import (
    AtomType,
    ClassType,
    DictType,
    ListType,
    ScalarType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
)
from ..where.lines import source_line

INSTEAD = {
    "x.numpy()": "keep the tensor and call dy2st's function of the same name on it (dy2st.sin for np.sin, "
    "dy2st.randn for np.random.randn)",
    "a NumPy function": "call dy2st's function of the same name instead (dy2st.sin for np.sin)",
    "bool(x)": "a condition on it is staged where converted code asks for it (if, while, and, or, not), but here a function or "
    "method does that isn't converted: write that as a loop or an if",
    "a format string": "print the value, or format it after the call",
    "str(x)": "write str(x) or an f-string in converted code, or print the value",
    "iteration": "iterate in converted code, or over a length that is known while staging; to unpack it, give it a name "
    "first: xs = ..., then a, b = xs",
    "hash(x)": "what isn't converted needs keys that are known while staging: use a dict or a set, whose keys may be staged "
    "numbers, texts and tuples of them; of an object, write a tuple of its fields",
    "a copy or pickle": "make a new list, tuple or dict of its items",
    "value in x": "write (x == value).any()",
    "a function that asks for an int": "write it with operators, or call it on what the function returns",
    "an index or a length": "write it with operators, or call it on what the function returns",
}


def message(loc: Loc | None, type_: Type, use: str) -> str:
    """One line of error text."""
    hint = INSTEAD.get(use, "write it with dy2st functions, or pass it in as a Python value")
    line = source_line(loc) if use == "bool(x)" else ""  # which no one has written there
    where = f", in `{line}`" if line else ""
    return f"{loc or '?'}: {use} needs a value that is known only when the Program runs (here: {in_words(type_)}{where}); {hint}"


_CONTAINERS = {ListType: "list", DictType: "dict", SetType: "set", TupleType: "tuple", SequenceType: "tuple"}


def in_words(type_: Type) -> str:
    """What a user calls values of a type."""
    if isinstance(type_, SumType):
        *first, last = dict.fromkeys(map(in_words, type_.alternatives))
        return f"{', '.join(first)} or {last}" if first else last
    if isinstance(type_, TensorType):
        return str(type_)
    if isinstance(type_, ScalarType):
        return {"none": "None", "number": "int or float"}.get(type_.name, type_.name)
    if isinstance(type_, ClassType):
        return type_.name
    if isinstance(type_, AtomType):
        return type_.text.partition(" #")[0]
    return next((name for known, name in _CONTAINERS.items() if isinstance(type_, known)), str(type_))


def unconvertible(loc: Loc | None, what: object, instead: str) -> str:
    return f"{loc or '?'}: {what} can't become part of a Program; {instead}"


def raises_too_late(loc: Loc | None) -> str:
    """An exception while an object from outside holds another value than at the end of the call."""
    return f"{loc or '?'}: this can raise after a change to Python state that cannot be undone; make the change after it"


def too_deep(loc: Loc | None, name: str) -> str:
    """A recursion that neither ends while staging nor can be left to the Program."""
    return (
        f"{loc or '?'}: {name} calls itself more than {limits.recursion_depth} calls deep while staging, with Python objects "
        "that differ from call to call; pass tensors, numbers, tuples or lists instead, write it as a loop, or raise the limit "
        "DY2ST_RECURSION_DEPTH"
    )


def made_anew(loc: Loc | None, name: str, recursion: str) -> str:
    """A function among the arguments of a recursion, which holds the variables of the call that made it."""
    return (
        f"{loc or '?'}: {name} is made anew in each call of {recursion} and handed to the next, in a recursion whose depth is "
        "known only when the Program runs; pass the values that it needs"
    )


def never_again(loc: Loc | None, name: str, depth: int) -> str:
    """A recursion whose calls have nothing in common that a Function of the Program could take as arguments."""
    return (
        f"{loc or '?'}: {name} is called {depth} calls deep inside itself while staging, each time as a function, "
        "a generator or arguments made anew, which a Program can't hold; pass the values that it needs, append to a list "
        "instead of yielding, or write it as a loop"
    )


def out_of_stack(loc: Loc | None) -> str:
    """Staging itself recursed more than Python lets it."""
    return (
        f"{loc or '?'}: staging runs out of Python's stack here, in calls or generators inside each other whose end only the "
        "Program knows, or in a list that holds itself; write it as a loop, or append to a list instead of yielding"
    )
