"""The marks by which transformers tell each other about nodes.

A mark lies on the node beside its fields, so copies of the node (`copy.copy`, `copy.deepcopy`) have it, too. Its comment says on
which nodes it may lie; the files that set it -> the files that read it: its meaning.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import gast

if TYPE_CHECKING:
    from .analysis.events import Event
    from .analysis.plan import Plan

T = TypeVar("T")


class Mark(Generic[T]):
    """A note of one type on nodes; a node without it has the default."""

    def __init__(self, name: str, default: T):
        self.name, self.default = name, default

    def of(self, node: gast.AST) -> T:
        return node.__dict__.get(self.name, self.default)

    def set(self, node: gast.AST, value: T) -> None:
        node.__dict__[self.name] = value


# --- results of analyses, kept for the next one that asks --------------------------------------------------------------------

# Function; base, generators, resumable, transpile -> base: whether a `yield` is in its own body. None: nobody has asked yet.
IS_GENERATOR: Mark[bool | None] = Mark("is_generator", None)

# Expression, simple statement; events -> events: the names that it loads, stores and deletes, in order.
NAME_EVENTS: Mark[list[Event] | None] = Mark("name_events", None)

# Function, and its copies; plain_bodies -> gast_trees, plain_bodies: its body as the user wrote it, with the calls converted.
PLAIN_BODY: Mark[Any] = Mark("plain_body", None)

# Function; plain_bodies -> plain_bodies: how many functions that may have a plain body are around it.
FUNCTION_DEPTH: Mark[int] = Mark("function_depth", 0)

# --- statements -------------------------------------------------------------------------------------------------------------

# If, While, For, Try, With; plan -> control_flow: the interface of its functions. None: it stays a statement.
PLAN: Mark[Plan | None] = Mark("plan", None)

# For; break_continue -> for_loops, liveness, unbound: the flags that end the loop, as Names.
STOP_FLAGS: Mark[Sequence[gast.Name]] = Mark("stop_flags", ())

# While; walrus -> break_continue: the statements that compute its test anew at the end of each round.
RETEST: Mark[Sequence[gast.stmt]] = Mark("retest", ())

# While; resumable -> loops: the variable that is above 0 where the generator goes on inside the loop's body.
RESUMED_AT: Mark[str | None] = Mark("resumed_at", None)

# Lambda; own_names -> unbound: it tells whether its name has a value, so that the read isn't checked.
TELLS_A_NAME: Mark[bool] = Mark("tells_a_name", False)

# ExceptHandler; plan, unbound -> handlers: code outside of the handler uses its name, too.
NAME_OUTLIVES_HANDLER: Mark[bool] = Mark("name_outlives_handler", False)

# Assign, For; container_operators, resumable -> for_loops, iterables: `_jst.unpack` unpacks results of calls, too.
CAREFUL_UNPACKING: Mark[bool] = Mark("careful_unpacking", False)

# --- names ------------------------------------------------------------------------------------------------------------------

# Name; unbound -> inplace, plain_bodies, unbound: it may have no value here, so it is checked; as a local or a free variable.
MAY_BE_UNBOUND: Mark[Literal["local", "free"] | None] = Mark("may_be_unbound", None)

# Name in a `del`; unbound -> unbound: the `del` becomes an assignment of `_jst.Unbound`.
UNBINDS: Mark[bool] = Mark("unbinds", False)

# FunctionDef; unbound -> transpile: the free variables that may have no value when it runs.
UNBOUND_CAPTURES: Mark[Set[str]] = Mark("unbound_captures", frozenset())

# FunctionDef, Lambda; displays -> displays: it holds values of the call that makes it, in defaults or in variables around it.
HOLDS_VALUES: Mark[bool] = Mark("holds_values", False)

# --- expressions ------------------------------------------------------------------------------------------------------------

# Operator; container_operators -> compare, displays, inplace, logical: operands may be containers, so `_jst` computes it.
IS_CONVERTED_OPERATOR: Mark[bool] = Mark("is_converted_operator", False)

# Attribute; properties -> attributes: some class of the user's has a property of this name.
MAY_BE_PROPERTY: Mark[bool] = Mark("may_be_property", False)

# Call; generators -> calls: it stays as it is, without `_jst.call`.
IS_PLAIN_CALL: Mark[bool] = Mark("is_plain_call", False)

# Lambda; comprehensions -> comprehensions: it is a part of a rewritten comprehension, not a lambda of the user's.
IS_COMPREHENSION_PART: Mark[bool] = Mark("is_comprehension_part", False)
