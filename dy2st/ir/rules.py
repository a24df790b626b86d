"""What is legal in every Program: one small function per rule, its docstring the rule. `ir.verify` walks a Program and asks them.

A rule takes a type, an Operation or the Program and yields what is wrong, in words. The core operations' own rules stand in
`ir/core_rules.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..dtypes import DTYPES
from .core import Operation, Program, Ref, keys_of, leaves_of
from .flows import Flows, is_open, slots
from .join import MAX_ALTERNATIVES, is_subtype, kind
from .names import names_a_tuple
from .native import is_of
from .shape import shape_agrees
from .types import NEVER, ClassType, SumType, TensorType, TupleType, Type

Problems = Iterator[str]


# --- types ----------------------------------------------------------------------------------------------------------


def type_is_well_formed(type_: Type) -> Problems:
    """dtypes are known, dims not negative, fields named once, alternatives of a sum at least two and told apart natively."""
    if isinstance(type_, TensorType):
        if type_.dtype not in DTYPES:
            yield f"{type_} has no dtype that exists"
        for dim in type_.shape or ():
            if not (dim is None or isinstance(dim, str) and dim or type(dim) is int and dim >= 0):
                yield f"{type_} has a dim {dim!r}; a dim is an int >= 0, a name, or unknown"
    elif isinstance(type_, SumType):
        kinds = [kind(t) for t in type_.alternatives]
        if not 2 <= len(kinds) <= MAX_ALTERNATIVES or len(set(kinds)) < len(kinds):
            yield f"{type_} needs alternatives of different kinds, 2 to {MAX_ALTERNATIVES} of them"
        if any(isinstance(t, SumType) or t == NEVER for t in type_.alternatives):
            yield f"{type_} has a sum or never among its alternatives"
    elif isinstance(type_, TupleType) and len(type_.fields) != (len(type_.elems) if type_.name else 0):
        yield f"{type_} has {len(type_.elems)} elements and {len(type_.fields)} field names"
    elif isinstance(type_, TupleType) and type_.name and not names_a_tuple(type_.name, type_.fields):
        yield f"{type_} can't be a namedtuple: its fields are identifiers, each once, without an underscore in front"
    elif isinstance(type_, ClassType) and len({f for f, _ in type_.fields or ()}) < len(type_.fields or ()):
        yield f"{type_} names a field twice"
    for part in type_.parts():
        yield from type_is_well_formed(part)


# --- every operation ------------------------------------------------------------------------------------------------


def attributes_are_data(op: Operation, program: Program) -> Problems:
    """Attributes are scalars, strings, None, Refs, and lists, tuples and dicts with string keys of those."""
    if not op.attrs:
        return
    bad = [x for x in leaves_of(op.attrs) if x is not None and type(x) not in (bool, int, float, str, Ref)]
    if bad:
        given = ", ".join(f"{x!r} ({type(x).__name__})" for x in bad)
        yield f"attributes hold {given}; allowed are scalars, str, None, Ref, list, tuple, dict"
    if not all(isinstance(key, str) for key in keys_of(op.attrs)):
        yield "attributes have a dict key that is no str"


def refs_reach_the_operands_behind(op: Operation, program: Program) -> Problems:
    """A Ref's index is that of an operand, and every operand that isn't positional is reached by a Ref."""
    found = {leaf.index for leaf in leaves_of(op.attrs) if isinstance(leaf, Ref)}
    for index in found:
        if not 0 <= index < len(op.operands):
            yield f"${index} is out of range: there are {len(op.operands)} operands"
    if not 0 <= op.n_positional <= len(op.operands):
        yield f"{op.n_positional} operands are positional, out of {len(op.operands)}"
    if unreached := set(range(op.n_positional, len(op.operands))) - found:
        yield f"operands {sorted(unreached)} are neither positional nor reached by a Ref"


# --- operators ------------------------------------------------------------------------------------------------------


def stored_values_fit(op: Operation, flows: Flows) -> Problems:
    """What an operator stores in a list, dict, set or object fits that container's type, since aliases rely on it."""
    for source, target in flows:
        if target.of != 0 or source.slots:
            continue
        container, stored = op.operands[0].type, op.operands[source.of].type
        if not is_open(container) and not is_subtype(stored, dict(slots(container)).get(target.slots[0], NEVER)):
            yield f"stores {stored} in {container}"


def agrees(inferred: Type, declared: Type) -> bool:
    """Whether a declared result type may stand for the inferred one.

    A recorder may know a container's type to be wider than the operands show, or a dim that inference can't see. So either may be
    a subtype of the other, part by part, and dims need only not contradict each other.
    """
    if is_subtype(inferred, declared) or is_subtype(declared, inferred):
        return True
    if isinstance(inferred, TensorType) and isinstance(declared, TensorType):
        return inferred.dtype == declared.dtype and shape_agrees(inferred.shape, declared.shape)
    a, b = inferred.parts(), declared.parts()
    return kind(inferred) == kind(declared) and bool(a) and len(a) == len(b) and all(map(agrees, a, b))


# --- the Program's tables -------------------------------------------------------------------------------------------


def parameters_match_their_data(program: Program) -> Problems:
    """A parameter is a tensor of a known kind, and its data, where loaded, has its dtype and shape."""
    for name, parameter in program.parameters.items():
        yield from type_is_well_formed(parameter.type)
        if not isinstance(parameter.type, TensorType):
            yield f"parameter {name!r} is {parameter.type}, not a tensor"
        elif parameter.data is not None:
            given = TensorType(parameter.data.dtype.name, parameter.data.shape)
            if not is_subtype(given, parameter.type):
                yield f"parameter {name!r} is {parameter.type}, but its data is {given}"
        if parameter.kind not in ("parameter", "buffer", "constant"):
            yield f"parameter {name!r} is of kind {parameter.kind!r}; the kinds are parameter, buffer, constant"


def state_matches_its_value(program: Program) -> Problems:
    """The value that state starts from is of its type."""
    for name, state in program.state.items():
        yield from type_is_well_formed(state.type)
        if not is_of(state.type, state.value):
            yield f"state {name!r} is {state.type}, but starts from {repr(state.value)[:200]}"


def functions_are_named(program: Program) -> Problems:
    """There is an entry, and the table's names are the Functions' own."""
    if not program.functions:
        yield "there is no function"
    for name, function in program.functions.items():
        if name != function.name:
            yield f"the function called {function.name!r} stands in the table as {name!r}"


PROGRAM = (functions_are_named, parameters_match_their_data, state_matches_its_value)
EVERY = (attributes_are_data, refs_reach_the_operands_behind)
