"""What a Program may raise: what its operators declare, what it raises itself, and what any computation may come to.

Types and attributes of a file are checked before it runs. An alternative of a sum and a field of an object are what the file says
they are. Where that is a lie, an operator meets a value that it doesn't take. It fails with an exception that no operation of the
Program may raise.
"""

from __future__ import annotations

from ...errors import Dy2stError, EngineError
from ...ir.core import Program
from ...ops.registry import OPERATORS

_ANY = (Dy2stError, ArithmeticError, TypeError, ValueError, IndexError, MemoryError, RecursionError, OSError)


def honest(error: Exception, program: Program) -> Exception:
    """The error, or an EngineError where no operation of `program` may raise it."""
    if isinstance(error, _ANY) or not {c.__name__ for c in type(error).__mro__}.isdisjoint(_declared(program)):
        return error
    where = getattr(error, "dy2st_loc", None)
    return EngineError(
        f"{f'{where}: ' if where else ''}the Program fails with {type(error).__name__}: {str(error)[:200]}, which none of its "
        "operations may raise: its types or attributes aren't what they are said to be"
    )


def _declared(program: Program) -> set[str]:
    """The names of the exceptions that operations raise, and those of their bases."""
    found: set[str] = set()
    for op in program.walk():
        if op.name in ("raise", "exception.new"):
            found.update((op.attrs.get("exception") or "", *(op.attrs.get("bases") or ())))
        elif op.name in OPERATORS:
            found.update(OPERATORS[op.name].raises)
            if OPERATORS[op.name].mutates:
                found.add("RuntimeError")  # that of a leaf of which gradients are asked
    if program.errors:
        found.add("RuntimeError")  # that of shapes
    return found
