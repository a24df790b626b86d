"""The operations that the walk appends, and branches of the Program that is made."""

from __future__ import annotations

from typing import Any

from ...ir.core import Operation, Value
from ...ir.types import BOOL, FLOAT, INT, NONE, STR, UNBOUND, AtomType, Type
from ...ops.registry import OPERATORS
from .heap import Heap
from .things import Choice, KnownSum, Thing

_LITERALS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}
NO_CONSTANT = object()


def constant_of(thing: Thing) -> Any:
    """The Python value of a constant; NO_CONSTANT for anything else."""
    op = thing.owner if isinstance(thing, Value) else None
    return op.attrs["value"] if isinstance(op, Operation) and op.name == "const" else NO_CONSTANT


class Making(Heap):
    """What appends operations to the Block that is open."""

    def make(self, name: str, operands: list[Value], type_: Type, attrs: dict[str, Any] | None = None) -> Value:
        """Append an operation with one result."""
        return self.core(name, operands, attrs, [type_]).result

    def const(self, value: Any) -> Value:
        """A constant."""
        return self.make("const", [], _LITERALS[type(value)], {"value": value})

    def undef(self, type_: Type) -> Value:
        """A value that nobody reads."""
        return self.make("undef", [], type_)

    def unbound(self) -> Value:
        """The absence of a value."""
        return self.make("unbound", [], UNBOUND)

    def single(self, like: Value) -> Value:
        """The value of a type that has only one, once more."""
        made = like.owner
        known = isinstance(made, Operation) and made.name in ("const", "unbound", "atom")
        if isinstance(like.type, AtomType):
            return self.make("atom", [], like.type, dict(made.attrs) if known else {"text": like.type.text})  # type: ignore[union-attr]
        return self.unbound() if like.type == UNBOUND else self.const(None)

    def compared(self, operator: str, value: Value, constant: Any, type_: Type = BOOL) -> Value:
        """A comparison with a constant."""
        known = constant_of(value)
        if known is not NO_CONSTANT:
            return self.const(OPERATORS[operator].kernel(known, constant))
        return self.make(operator, [value, self.const(constant)], type_)

    # --- by conditions -------------------------------------------------------------------------------------------------

    def by_tag(self, thing: KnownSum, act: Any) -> list[Thing]:
        """`act(k)` for the alternative that a sum is; what it gives."""
        first, *others = thing.parts
        if not others:
            return act(first)
        rest = KnownSum(thing.type, thing.tag, {k: thing.parts[k] for k in others})
        is_first = self.compared("py.eq", thing.tag, first)
        return self.branch(is_first, lambda: act(first), lambda: self.by_tag(rest, act))  # type: ignore[return-value]

    def chosen(self, thing: Choice, act: Any) -> list[Thing]:
        """`act(part)` for the reference that a Choice is; what it gives."""
        return self.branch(thing.condition, lambda: act(thing.then), lambda: act(thing.orelse))  # type: ignore[return-value]

    def branch(self, condition: Value, then: Any, orelse: Any, after: int | None = None) -> list[Thing] | None:
        """Walk both paths, and join what they leave."""
        from .joined_things import Arm
        from .joins import Join

        if (known := constant_of(condition)) is not NO_CONSTANT:
            return (then if known else orelse)()
        start, here = self.state, self.at
        walk: Any = self  # which is all of a walk
        arms = []
        for act in (then, orelse):
            self.state = start.copy()
            arms.append(Arm.of(walk, act))
            self.at = here
        self.state = start
        return Join(walk, condition, arms, after).run()
