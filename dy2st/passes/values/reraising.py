"""A `try` whose handler only raises becomes its body: a `raise` in it is the handler's, and operators are known to raise so.

    %0 = try handlers=[["ValueError"]]                   %0 = reshape %x, shape=[2, -1]
      body:
        %1 = reshape %x, shape=[2, -1]          ->       and where `reshape` is: a ShapeError is raised as RuntimeError("bad")
        yield %1
      except:
        raise "bad", exception="RuntimeError"

The exception that a `raise` comes of isn't kept: engines repeat a call that raises on NumPy, and a file tells class and message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...ir.core import Block, Loc, Operation, Program, Value
from ...ir.types import STR
from ...ops.registry import OPERATORS
from ...runtime.engine.exceptions import exception_class
from ..copying import Copy

_OF_CAUGHT = ("caught", "caught.text")


@dataclass(frozen=True)
class Reraised:
    """What a handler raises in place of exceptions. caught: their classes by name. bases: of the new one, itself the first.

    text: its message, where that is constant; None: nobody knows before the run. No `bases`: the same exception goes on.
    """

    caught: tuple[str, ...]
    bases: tuple[str, ...]
    text: str | None

    def takes(self, exception: str) -> bool:
        """Whether the handler catches an exception of this class."""
        return _is_one_of([exception], self.caught)


def without_reraising(program: Program) -> dict[Loc, tuple[Reraised, ...]]:
    """Put the body in place of each `try` whose handlers only raise; what they raise for operators, by these' locations."""
    tries = [op for op in program.walk() if op.name == "try"]
    found: dict[Loc, tuple[Reraised, ...]] = {}
    for op in reversed(tries):
        if _only_raises(op):
            _taken_out(op, program, found)
    return found


def _only_raises(op: Operation) -> bool:
    """Whether each handler is a `raise` of a new exception, or of the one that was caught."""
    body, *handlers = op.blocks
    if op.attrs.get("finally") or len(handlers) != 1:
        return False
    (*ops, end), inner = handlers[0].ops, [x for x in body.walk() if x.name == "raise"]
    is_new = end.name == "raise" and (not end.operands or bool(end.attrs.get("exception")))
    caught = {x.result for x in ops if x.name == "caught"}
    texts = [x for x in ops if x.name == "caught.text"]
    others = [x for x in ops if x.name not in _OF_CAUGHT]
    is_read = any(value in caught for x in others for value in x.operands)
    is_plain = not is_read and not any(x.attrs.get("repr") for x in texts) and all(map(_only_computes, others))
    return is_new and is_plain and all(map(_is_told, inner)) and all(x.name != "try" for x in body.walk())


def _only_computes(op: Operation) -> bool:
    """Whether an operation does nothing but give a result: what a text is made of."""
    known = OPERATORS.get(op.name)
    return op.name == "const" or known is not None and not (known.mutates or known.calls_python or known.random or known.io)


def _is_told(op: Operation) -> bool:
    """Whether a `raise` makes an exception whose text is known: of one text, and no class that tells another."""
    arguments = _arguments(op)
    is_text = not arguments or len(arguments) == 1 and arguments[0].type == STR
    return bool(op.attrs.get("exception")) and is_text and not op.attrs.get("fields") and op.attrs["exception"] != "KeyError"


def _arguments(op: Operation) -> list[Value]:
    """What an exception is made of, without what it comes from."""
    return [*op.operands[: len(op.operands) - bool(op.attrs.get("cause"))]]


def _taken_out(op: Operation, program: Program, found: dict[Loc, tuple[Reraised, ...]]) -> None:
    """The body in place of the `try`."""
    body, handler = op.blocks
    (names,) = op.attrs["handlers"]
    reraised = _reraised(names, handler.ops[-1])
    for inner in [*body.walk()]:
        if inner.name == "raise" and reraised.bases and _is_one_of([inner.attrs["exception"], *inner.attrs["bases"]], names):
            _raise_instead(inner, handler)
        elif inner.loc is not None and inner.name in OPERATORS and OPERATORS[inner.name].may_raise(inner):
            found[inner.loc] = (*found.get(inner.loc, ()), reraised)
    _splice(op, body, program)


def _reraised(names: list[str], end: Operation) -> Reraised:
    arguments = _arguments(end)
    owner = arguments[0].owner if len(arguments) == 1 else None
    is_known = isinstance(owner, Operation) and owner.name == "const" and arguments[0].type == STR
    bases = (end.attrs["exception"], *end.attrs.get("bases", ())) if end.operands or end.attrs.get("exception") else ()
    text = str(owner.attrs["value"]) if isinstance(owner, Operation) and is_known else None if arguments else ""
    return Reraised(tuple(names), tuple(dict.fromkeys(bases)), text)


def _raise_instead(op: Operation, handler: Block) -> None:
    """The handler's operations in place of a `raise` that it catches."""
    block, copy = op.parent, Copy()
    assert block is not None
    at = block.ops.index(op)
    arguments = _arguments(op)
    del block.ops[at:]
    for inner in handler.ops:
        if inner.name == "caught":
            continue
        if inner.name == "caught.text":
            copy.values[inner.result] = arguments[0] if arguments else _constant(block, "")
            continue
        if inner.name == "raise":
            values = [copy.values.get(value, value) for value in _arguments(inner)]
            attrs = {key: value for key, value in inner.attrs.items() if key != "cause"}
            block.append(Operation("raise", values, attrs, (), (), inner.loc, inner.path))
            continue
        block.append(copy.operation(inner))


def _constant(block: Block, text: str) -> Value:
    made = Operation("const", [], {"value": text}, [STR])
    block.append(made)
    return made.result


def _splice(op: Operation, body: Block, program: Program) -> None:
    """The operations of a Block in place of the one that holds it."""
    block = op.parent
    assert block is not None
    at, (*ops, end) = block.ops.index(op), body.ops
    if end.name == "raise":
        block.ops[at:] = [*ops, end]
    else:
        block.ops[at : at + 1] = ops
    for inner in body.ops:
        inner.parent = block
    if end.name != "raise":
        _replace(program, dict(zip(op.results, end.operands)))


def _replace(program: Program, instead: dict[Value, Value]) -> None:
    for other in program.walk():
        if any(value in instead for value in other.operands):
            other.operands = [instead.get(value, value) for value in other.operands]


def _is_one_of(names: list[str], caught: tuple[str, ...] | list[str]) -> bool:
    """Whether the class of these names, its own and its bases', is one of the others."""
    return not {cls.__name__ for cls in exception_class(names).__mro__}.union(names).isdisjoint(caught)


def without_causes(program: Program) -> None:
    """A `raise` of a new exception, outside of any `try`, tells nothing of the one that it comes of."""
    inside = {op for one in program.walk() if one.name == "try" for block in one.blocks for op in block.walk()}
    for op in program.walk():
        if op.name == "raise" and op.attrs.get("exception") and op.attrs.get("cause") and op not in inside:
            op.operands = _arguments(op)
            op.n_positional = len(op.operands)
            del op.attrs["cause"]


def raisers(reraised: tuple[Reraised, ...], exception: str) -> Iterator[Reraised]:
    """The handlers that an exception goes through, from the innermost on."""
    for handler in reraised:
        if handler.takes(exception):
            if handler.bases:
                yield handler
                exception = handler.bases[0]
