"""The walk over a Program: each operation in order, with the things that its Values stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ...ir.core import Operation, Program, Value
from ...ir.spoken import spoken_operator
from ...ir.types import BOOL, CellType, ClassType, DictType, ListType, SetType, Type
from ...ops.registry import OPERATORS
from .adjoints import adjoint_operation
from .cells import cell_operation
from .contents import Contents
from .dicts import dict_operator
from .lists import list_operator
from .loops import rewrite_loop
from .making import NO_CONSTANT, constant_of
from .objects import object_operator
from .outside import Outside
from .pure_types import has_references
from .raising import Errors
from .references import reference_operator
from .refusals import refuse
from .sets import set_operator
from .state import mapped_content
from .things import Choice, Element, Location, OpenSum, Thing, mapped_thing
from .tuples import sum_operation, tuple_operator

_REFUSED = {
    "try": "`try`: test beforehand what would raise (`if i < len(xs)` for `except IndexError`); it has no counterpart",
    "call": "recursion has no counterpart: write a loop, with a list of what is still to be done",
    "caught": "an exception as a value has no counterpart",
    "exception.new": "an exception as a value has no counterpart: raise it where it is made",
    "gradients": "backward() and grad() inside have no counterpart: take the gradient of the function",
}
_FOLDED = ("py.eq", "py.ne", "py.not", "py.lt", "py.le", "py.gt", "py.ge")  # of constants


class Walk(Contents):
    """Rewrites the entry of a Program; `learnt` is what loops have found out about what their bodies change."""

    def __init__(self, program: Program, telling: Collection[Operation] = (), leaves_at_raise: bool = True):
        super().__init__(program, telling)
        self.leaves_at_raise = leaves_at_raise
        self.learnt: dict[Operation, Any] = {}
        self.errors = Errors(self)
        self.outside = Outside(self)

    def thing(self, value: Value) -> Thing:
        """What a Value of the original Program stands for."""
        return self.env[value]

    def value(self, value: Value) -> Value:
        """The plain Value that stands for one of the original Program."""
        return self.pure(self.env[value])

    def bind(self, value: Value, thing: Thing) -> None:
        """A Value of the original Program stands for a thing from here on."""
        if isinstance(thing, Value | Location) and not thing.name:
            thing.name = value.name
        self.env[value] = thing

    # --- Blocks --------------------------------------------------------------------------------------------------------

    def run(self, ops: Sequence[Operation], types: Sequence[Type]) -> list[Thing] | None:
        """Walk operations up to the terminator; the things that it hands on, of the types given, None where it isn't reached."""
        for k, op in enumerate(ops):
            self.at_operation(op)
            if op.name in ("yield", "return"):
                things = [self.fitted(self.thing(v), t) for v, t in zip(op.operands, types, strict=True)]
                return things if op.name == "yield" else self._copies(things)  # where something was raised, nothing is read
            if op.name == "raise":
                self.errors.raised(op)
                return None
            rest = ops[k + 1 :]
            if op.name == "if" and (raising := _raising(op)) is not None:
                return self._guard(op, raising, rest, types)
            if not self.operation(op):
                return None
            if self.state.error is not None:
                return self._if_no_error(rest, types)
        raise AssertionError("a Block without terminator")

    def _guard(self, op: Operation, raising: int, rest: Sequence[Operation], types: Sequence[Type]) -> list[Thing] | None:
        """An `if` of which one Block raises: the other one goes on with the rest."""
        arriving = op.blocks[1 - raising]

        def go_on() -> list[Thing] | None:
            with self.live.without(op.blocks[raising]):
                things = self.run(arriving.ops, [v.type for v in op.results])
                if things is None:
                    return None
                self._bind_all(op, things)
                return self.run(rest, types) if self.state.error is None else self._if_no_error(rest, types)

        def stop() -> None:
            return self.run(op.blocks[raising].ops, [])  # type: ignore[return-value]

        arms: list[Callable[[], Any]] = [stop, go_on] if raising == 0 else [go_on, stop]
        return self.branch(self.value(op.operands[0]), arms[0], arms[1], after=self.live.end[rest[-1]])

    def _if_no_error(self, rest: Sequence[Operation], types: Sequence[Type]) -> list[Thing] | None:
        """What may have been raised ends the Block: the rest is walked where nothing was."""
        error = self.state.error
        assert error is not None

        def go_on() -> list[Thing] | None:
            self.state.error = None
            return self.run(rest, types)

        is_none = self.make("py.eq", [error, self.const(0)], BOOL)
        return self.branch(is_none, go_on, lambda: None, after=self.live.end[rest[-1]])

    def _bind_all(self, op: Operation, things: list[Thing]) -> None:
        for value, thing in zip(op.results, things, strict=True):
            self.bind(value, self.fitted(thing, value.type))

    def operation(self, op: Operation) -> bool:
        """Rewrite one operation; whether the walk goes on behind it."""
        things = self.result_of(op)
        if things is None:
            return False
        self._bind_all(op, things)
        return True

    def result_of(self, op: Operation) -> list[Thing] | None:
        """What the results of an operation stand for; None where it raises for sure."""
        if op.name in _REFUSED or op.name.startswith("caught"):
            raise refuse(op, _REFUSED.get(op.name, _REFUSED["caught"]))
        family, _, is_member = op.name.partition(".")
        if op.name in _HANDLERS:
            return _HANDLERS[op.name](self, op)
        if op in self.errors.texts:
            return [self.undef(op.result.type)]
        if is_member and family in _FAMILIES:
            k = self._undecided(op)
            return _FAMILIES[family](self, op) if k is None else self._decided(op, k)
        return self.plain(op)

    def _undecided(self, op: Operation) -> int | None:
        """The number of an operand that is looked into, and is one of two references."""
        definition = OPERATORS.get(op.name)
        looked_into = sorted({0, *definition.reads} if definition is not None else {0})
        return next((k for k in looked_into if k < len(op.operands) and isinstance(self.thing(op.operands[k]), Choice)), None)

    def _decided(self, op: Operation, k: int) -> list[Thing] | None:
        """The operation on each of the two references, by the condition."""
        choice = self.env[op.operands[k]]
        assert isinstance(choice, Choice)

        def on(thing: Thing) -> list[Thing] | None:
            before, self.env[op.operands[k]] = self.env[op.operands[k]], thing
            try:
                return self.result_of(op)
            finally:
                self.env[op.operands[k]] = before

        return self.branch(choice.condition, lambda: on(choice.then), lambda: on(choice.orelse))

    # --- operations ----------------------------------------------------------------------------------------------------

    def plain(self, op: Operation) -> list[Thing] | None:
        """An operation on plain Values."""
        definition = OPERATORS.get(op.name)
        if definition is not None and (definition.mutates or definition.calls_python):
            raise refuse(op, f"{spoken_operator(op.name)} changes an object in a way that has no counterpart on values")
        if any(has_references(v.type) for v in (*op.operands, *op.results)):
            return self._on_references(op)
        values = [self.value(v) for v in op.operands]
        constants = [constant_of(v) for v in values]
        if op.name in _FOLDED and NO_CONSTANT not in constants and definition is not None:
            return [self.const(definition.kernel(*constants))]
        types = [self.types.of(v.type) for v in op.results]
        made = self.core(op.name, values, dict(op.attrs), types, count=op.n_positional)
        return list(made.results)

    def _on_references(self, op: Operation) -> list[Thing] | None:
        """An operator that isn't one of a container, on containers."""
        if op.name == "str.join":
            return [self.make(op.name, [self.value(v) for v in op.operands], op.result.type)]
        comparable = op.name == "container.compare" and all(_is_list_of_values(v.type) for v in op.operands)
        if not comparable or type(op.operands[0].type) is not type(op.operands[1].type):
            raise refuse(op, f"{spoken_operator(op.name)} of a {_kind(op)} has no counterpart on values; do it item by item")
        return [self.make(op.name, [self.value(v) for v in op.operands], BOOL, dict(op.attrs))]

    def _deep_copy(self, op: Operation) -> list[Thing]:
        return self._copies([self.thing(op.operands[0])])

    def _copies(self, things: list[Thing]) -> list[Thing]:
        """New objects in place of all that things lead to."""
        made: dict[Location, Location] = {}

        def copy(thing: Thing) -> Thing:
            if isinstance(thing, Location):
                if thing not in made:
                    made[thing] = self.new(thing.type, self.state.contents[thing])
                    self.state.contents[made[thing]] = mapped_content(copy, self.state.contents[thing])
                return made[thing]
            if isinstance(thing, Element | OpenSum):
                return self.spread(self.pure(thing), thing.type)
            return mapped_thing(copy, thing)

        return list(map(copy, things))

    def _const(self, op: Operation) -> list[Thing]:
        return list(self.core(op.name, (), dict(op.attrs), [v.type for v in op.results]).results)

    def _undef(self, op: Operation) -> list[Thing]:
        return [self.blank(op.result.type)]

    def _is(self, op: Operation) -> list[Thing] | None:
        """Whether two names are of one object."""
        things = [self.thing(v) for v in op.operands]
        if not any(has_references(v.type) for v in op.operands):
            return self.plain(op)
        k = next((k for k, thing in enumerate(things) if isinstance(thing, Choice)), None)
        if k is not None:
            return self._decided(op, k)
        known = [isinstance(thing, Location) for thing in things]
        if all(known) and not any(thing in self.state.frozen for thing in things):
            return [self.const(things[0] is things[1])]
        if any(known) and not all(has_references(v.type) for v in op.operands):
            return [self.const(False)]
        raise refuse(op, "`is` between lists or objects that lie in lists; compare a number that each of them has")

    def _if(self, op: Operation) -> list[Thing] | None:
        types = [v.type for v in op.results]
        then, orelse = op.blocks

        def walk(block: Any, other: Any) -> list[Thing] | None:
            with self.live.without(other):
                return self.run(block.ops, types)

        condition = self.value(op.operands[0])
        return self.branch(condition, lambda: walk(then, orelse), lambda: walk(orelse, then), after=self.live.end[op])


def _raising(op: Operation) -> int | None:
    """Which Block of an `if` raises, where the other one arrives."""
    ends = [block.ops[-1].name == "raise" for block in op.blocks]
    return ends.index(True) if sum(ends) == 1 else None


def _is_list_of_values(type_: Type) -> bool:
    return not has_references(type_) or (isinstance(type_, ListType) and _is_list_of_values(type_.elem))


def _kind(op: Operation) -> str:
    words = {ListType: "list", DictType: "dict", SetType: "set", ClassType: "object", CellType: "variable"}
    found = [cls for cls in words for v in (*op.operands, *op.results) if v.type.holds(cls)]
    return words[found[0]]


_HANDLERS: dict[str, Callable[[Walk, Operation], list[Thing] | None]] = {
    **dict.fromkeys(("const", "atom", "unbound"), Walk._const),
    "undef": Walk._undef,
    "py.is": Walk._is,
    "container.deepcopy": Walk._deep_copy,
    "if": Walk._if,
    "while": rewrite_loop,
    "param": lambda walk, op: walk.outside.parameter(op),
    "copy_": lambda walk, op: walk.outside.copy(op),
    "state.get": lambda walk, op: walk.outside.get(op),
    "state.set": lambda walk, op: walk.outside.set(op),
}
_FAMILIES: dict[str, Callable[[Walk, Operation], list[Thing] | None]] = {
    "list": list_operator,
    "tuple": tuple_operator,
    "sequence": tuple_operator,
    "sum": sum_operation,
    "dict": dict_operator,
    "object": object_operator,
    "cell": cell_operation,
    "reference": reference_operator,
    "set": set_operator,
    "adjoint": adjoint_operation,
}
