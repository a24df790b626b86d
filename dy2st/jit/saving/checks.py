"""What can't be saved, or would be another model once it is loaded: refused."""

from __future__ import annotations

from typing import Any

from ...errors import ConversionError
from ...ir.core import Operation
from ...ir.names import TEXT
from ...runtime.engine.exceptions import says_itself
from ...runtime.where.hints import hint_for
from ..static.concrete import ConcreteProgram
from ..static.nameless import refusal, refuse_nameless


def refuse_unfit(concrete: ConcreteProgram) -> None:
    """ConversionError for a Program that a file can't hold."""
    refuse_nameless(concrete)
    _refuse_hopeless(concrete.program)
    _refuse_speechless(concrete)


def _refuse_hopeless(program: Any) -> None:
    """A function that raises whatever its inputs are is no model to ship."""
    end = program.entry.block.terminator
    if end is not None and end.name == "raise" and not _comes_after_raises(end):
        before = _before(end)
        if before is not None and before.name == "call" and not before.results:
            always = f", since {before.attrs['function']} raises or calls itself again whatever it is given"
            instead = "there is nothing to save: return from it under a condition"
            raise refusal(end, f"every call of this function raises{always}; {instead}")
        raise refusal(end, f"every call of this function raises {_raised(end)}; there is nothing to save")


def _raised(end: Operation) -> str:
    """The class of what an Operation raises; its message where that is known, and what to write."""
    kind, message = end.attrs["exception"], end.operands[0].owner if end.operands else None
    if not isinstance(message, Operation) or message.name != "const":
        return kind
    text = str(message.attrs["value"])
    hint = hint_for(kind, text)
    return f"{kind}: {text}" + (f" ({hint})" if hint else "")


def _comes_after_raises(end: Operation) -> bool:
    """Whether a raise at the end of a Block is never reached, since every branch of the `if` before it raises."""
    before = _before(end)
    return before is not None and before.name == "if" and not before.results


def _before(end: Operation) -> Operation | None:
    return end.parent.ops[-2] if end.parent is not None and len(end.parent.ops) > 1 else None


def _refuse_speechless(concrete: ConcreteProgram) -> None:
    """An exception whose class says its text itself, where the Program couldn't ask for that when it raises it."""
    for op in concrete.program.walk():
        name = op.attrs.get("exception", "") if op.name in ("raise", "exception.new") else ""
        cls = concrete.staged.exceptions.get(name)
        if cls is not None and says_itself(cls) and TEXT not in op.attrs.get("fields", ()):
            raise ConversionError(
                f"{op.loc}: the text of {name} is what its __str__ makes of it later, which a file can't hold; give the text "
                "to super().__init__"
            )
