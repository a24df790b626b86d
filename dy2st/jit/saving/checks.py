"""What can't be saved, or would be another model once it is loaded: refused."""

from __future__ import annotations

from typing import Any

from ...errors import ConversionError
from ...ir.core import Operation
from ...ir.names import TEXT
from ...ir.types import AtomType, ClassType, Type
from ...runtime.engine.exceptions import says_itself
from ...runtime.pythons import FACTORIES, NAMED
from ...runtime.where.hints import hint_for
from ...runtime.where.tracebacks import lead_through
from ..static.concrete import ConcreteProgram


def refuse_unfit(concrete: ConcreteProgram) -> None:
    """ConversionError for a Program that a file can't hold."""
    _refuse_nameless(concrete)
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
            raise _refusal(end, f"every call of this function raises{always}; {instead}")
        raise _refusal(end, f"every call of this function raises {_raised(end)}; there is nothing to save")


def _raised(end: Operation) -> str:
    """The class of what an Operation raises; its message where that is known, and what to write."""
    kind, message = end.attrs["exception"], end.operands[0].owner if end.operands else None
    if not isinstance(message, Operation) or message.name != "const":
        return kind
    text = str(message.attrs["value"])
    hint = hint_for(kind, text)
    return f"{kind}: {text}" + (f" ({hint})" if hint else "")


def _refusal(op: Operation, text: str) -> ConversionError:
    """What is raised at the user's line of an Operation."""
    return lead_through(op.loc, ConversionError(f"{op.loc}: {text}"))


def _comes_after_raises(end: Operation) -> bool:
    """Whether a raise at the end of a Block is never reached, since every branch of the `if` before it raises."""
    before = _before(end)
    return before is not None and before.name == "if" and not before.results


def _before(end: Operation) -> Operation | None:
    return end.parent.ops[-2] if end.parent is not None and len(end.parent.ops) > 1 else None


def _refuse_nameless(concrete: ConcreteProgram) -> None:
    """A result that is one of several Python objects can be given back by this process, and by no other."""
    end = concrete.program.entry.block.terminator
    assert end is not None
    pending = list(concrete.result_types)
    while pending:
        type_ = pending.pop()
        pending.extend(part for part in type_.parts() if not _is_factory(type_, part))
        if isinstance(type_, AtomType):
            kept = f"the result may be the Python object {type_.text}, which a file can't hold"
            raise _refusal(end, f"{kept}; return its fields, or make a new object on each path")


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


def _is_factory(owner: Type, part: Type) -> bool:
    """Whether a part of a result is what makes a defaultdict's values, and one of Python's own: any process knows it by name."""
    if not isinstance(owner, ClassType) or not isinstance(part, AtomType) or part.text not in FACTORIES:
        return False
    return owner.name in NAMED or {"_items", "default_factory"} <= {name for name, _ in owner.fields or ()}
