"""Stage one function.

Run its converted code once under the recorder, again whenever a better assumption is learnt, and give the Program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import FunctionType, GeneratorType
from typing import Any

from ..errors import ConversionError, Dy2stError
from ..garbage import without_collections
from ..ir.core import Loc, Operation, Program
from ..ir.functions import tidy
from ..ir.join import children
from ..ir.types import NEVER as NEVER_TYPE
from ..ir.types import UNBOUND, AtomType, ClassType, DictType, ListType, SetType, TupleType
from ..ops import dispatch
from ..ops.registry import OPERATORS, lookup
from . import convert, refusals
from .convert import calls
from .convert.iteration import Iteration
from .elements import ElementClass, join_shared
from .facts import Facts, StateSlot
from .grad_mode import enable_grad
from .guards import Guards
from .journal import MISSING, Contents, Location, same_contents
from .library import CLASSES, fields_of
from .markers import NEVER, Raised, Restage, Unbound
from .policy import TO_STATIC, Policy
from .proxies import Staged, StagedScalar, StagedSum
from .roots import Roots
from .spec import InputSpec, ValueSpec, leaves, map_leaves
from .staged_objects import is_staged_object
from .staging import convert_unpacking, is_fault, raised_at, record_raise, stage_if
from .static import Recorder, user_loc
from .tensor import Tensor
from .tracebacks import tell_line
from .unconverted import watched
from .values import is_plain_object

MAX_ATTEMPTS = 100


@dataclass
class StagedFunction:
    """What staging gives: the Program, and how it is tied to the live Python objects."""

    program: Program
    tensors: dict[str, Tensor]
    state: dict[str, StateSlot]
    objects: dict[str, Any]
    texts: dict[Any, str]
    exceptions: dict[str, type]
    guards: Guards
    stagings: dict[Any, int] = field(default_factory=dict)
    careful: str = ""  # staged with the operators converted that may be between "containers", or "objects"


class Namespace:
    """What a recorder asks of the convert functions."""

    convert_call = staticmethod(calls.convert_call)
    at = staticmethod(convert.at)
    listed = staticmethod(calls.listed)
    on_alternatives = staticmethod(calls.on_alternatives)
    choose = staticmethod(stage_if)
    identity = staticmethod(convert.convert_is)
    negation = staticmethod(convert.convert_logical_not)


def stage(
    function: Any, owner: Any, args: tuple, kwargs: dict, names: dict[int, str], policy: Policy = TO_STATIC,
    state: Iterable[StateSlot] = (),
) -> StagedFunction:
    """The Program of `function(owner?, *args, **kwargs)`, where InputSpecs and ValueSpecs among the arguments are its inputs.

    names: what the tensors and layers of the root layer are called, by id. state: what is state, as far as the function gets at
    it, though it changes none of it.
    """
    calls.converted_function(function, typed=policy.typed)  # of the function itself, a missing source is an error
    facts = Facts(Roots(function, owner), policy)
    for slot in state:
        facts.add_state(slot.location, slot.type)
    try:
        return _stage(function, owner, args, kwargs, facts, names)
    except Exception as error:
        tell_line(error, raised_at(error) or _start_of(function))
        raise


def _start_of(function: Any) -> Loc:
    code = function.__code__
    return Loc(code.co_filename, code.co_firstlineno, code.co_name)


def _stage(function: Any, owner: Any, args: tuple, kwargs: dict, facts: Facts, names: dict[int, str]) -> StagedFunction:
    """Again and again, until nothing is learnt that the recording rests on."""
    facts.policy.prepare(facts)
    for _ in range(MAX_ATTEMPTS):
        facts.begin()
        try:
            found = _stage_once(function, owner, args, kwargs, names, facts)
        except Restage as restage:
            restage.mend()
            continue
        except RecursionError as error:
            raise ConversionError(refusals.out_of_stack(raised_at(error))) from error
        if found is not None:
            return found
    raise AssertionError(f"staging {function.__qualname__} doesn't settle")


def _stage_once(
    function: Any, owner: Any, args: tuple, kwargs: dict, names: dict[int, str], facts: Facts
) -> StagedFunction | None:
    rec = Recorder(facts, names, Namespace)
    specs = list(leaves((args, kwargs)))
    values = iter(rec.open_function("main", [s.type for s in specs]))
    rec.journal.savepoint()
    with dispatch.entered(rec), watched(rec, calls.is_generated), without_collections(), enable_grad():
        try:
            rec.mark_outer_cells(function)
            placeholders = map_leaves((args, kwargs), lambda spec: _placeholder(rec, next(values), spec))
            rec.adopt_arguments(placeholders)
            positional, named = placeholders
            before = _containers((*positional, *named.values()))
            _enter_state(rec, facts)
            try:
                outcome = calls.convert_call(function)(*(() if owner is None else (owner,)), *positional, **named)
            except ValueError as error:
                convert_unpacking(rec, error)
                outcome = _raised(rec, error)
            except Exception as error:
                outcome = _raised(rec, error)
            except Raised:
                outcome = NEVER  # every path raises: the entry Block ends there
            if _learn_state(rec, facts):
                return None
            rec.heap.refuse_refilled()
            for generator in rec.to_close:
                generator.refuse_unless_closed()
            _refuse_changed(rec, function, before)
            if outcome is not NEVER:
                facts.flush(rec)
                rec.emit("return", [rec.lower(facts.policy.returned(rec, _output(rec, outcome, {})))])
        finally:
            rec.journal.rollback()
    return _finished(rec, facts, function)


def _raised(rec: Recorder, error: Exception) -> Any:
    """An exception leaves the function whatever the inputs are.

    At once, unless something recorded before it may raise first or is seen from outside, or it holds what only the Program knows.
    """
    if isinstance(error, Dy2stError | RecursionError) or is_fault(error):
        raise error
    rec.facts.policy.raised(rec, error)
    holds_staged = any(isinstance(x, Staged) or (isinstance(x, Tensor) and x.is_staged) for x in error.args)
    late = rec.facts.policy.raises_late(error)
    if not (late or rec.exceptions or holds_staged or rec.journal.pending() or any(map(_is_seen, rec.program.walk()))):
        raise error
    record_raise(rec, error)
    return NEVER


def _is_seen(op: Operation) -> bool:
    """Whether an Operation does what outlives an exception, or looks something up, which may raise another one first."""
    if op.name not in OPERATORS:
        return op.name == "state.set"
    definition = OPERATORS[op.name]
    looks_up = "." in op.name and bool(definition.raises)
    return bool(definition.io or definition.mutates) or looks_up


def _finished(rec: Recorder, facts: Facts, function: Any) -> StagedFunction:
    outside, start = user_loc(), _start_of(function)
    for op in rec.program.walk():
        if op.loc == outside:  # recorded when the user's code had come to its end
            op.loc = start
    tidy(rec.program)
    rec.heap.elements.settle()
    facts.policy.check(rec.program)
    facts.guards.refuse_changed_arrays(start)
    facts.guards.reach()
    facts.guards.drop([slot.location for slot in facts.state.values()])
    slots = {slot.name: slot for slot in facts.state.values()}
    return StagedFunction(
        rec.program,
        rec.tensors,
        slots,
        rec.objects,
        facts.texts,
        rec.exceptions,
        facts.guards,
        facts.stagings,
        facts.careful,
    )


def _placeholder(rec: Recorder, value: Any, spec: InputSpec | ValueSpec) -> Any:
    value.name = spec.name or ""
    if isinstance(spec, ValueSpec):
        return rec.wrap(value)
    return Tensor(value, stop_gradient=spec.stop_gradient, name=spec.name)


def _containers(tree: Any) -> list[tuple[Any, Any]]:
    """The lists and dicts among the arguments, each with a copy."""
    if isinstance(tree, list | tuple):
        inner = [pair for item in tree for pair in _containers(item)]
    elif type(tree) is dict:
        inner = [pair for item in tree.values() for pair in _containers(item)]
    else:
        return []
    return [(tree, tree.copy()), *inner] if isinstance(tree, list | dict) else inner


def _refuse_changed(rec: Recorder, function: Any, containers: list[tuple[Any, Any]]) -> None:
    """A Program gets the tensors of an argument, not the caller's list: it can't change it."""
    if not containers:
        return
    written = {op.operands[0] for op in rec.program.walk() if op.name in OPERATORS and 0 in OPERATORS[op.name].mutates}
    for container, copy in containers:
        proxy = rec.heap.staged(container)
        if proxy._value in written if proxy is not None else not same_contents(container, copy):
            raise ConversionError(
                f"{function.__qualname__} changes a {type(container).__name__} that it was given as an argument; a Program can't "
                "change the caller's object: return the new one instead",
                function.__code__.co_filename,
                function.__code__.co_firstlineno,
            )


# --- state -------------------------------------------------------------------------------------------------------------


def _enter_state(rec: Recorder, facts: Facts) -> None:
    """Put what the Program holds at run time where the code will look for it."""
    for slot in facts.state.values():
        current = slot.location.owner if isinstance(slot.location, Contents) else slot.location.get()
        slot.type = join_shared(slot.type, _type_outside(rec, current))
        facts.roots.starts.setdefault(slot.name, current)  # what it holds now can still be reached by that name
        rec.declare_state(slot, current)
    recalled: dict[ElementClass, ElementClass] = {}
    for slot in facts.state.values():
        location = slot.location
        op = rec.at_entry(Operation("state.get", (), {"name": slot.name}, [slot.type]))
        op.result.name = slot.name.rpartition(".")[2]
        slot.found = rec.heap.elements.class_of(op.result)
        if slot.found is not None and slot.known is not None:
            rec.heap.elements.recall(slot.found, slot.known, recalled)
        slot.flushed = (None, None)
        value = rec.wrap(op.result)
        rec.journal.note(location)
        if isinstance(location, Contents):
            rec.heap.adopt(location.owner, value)
        else:
            rec.note_attribute(location, value)
            location.set(value)
            slot.start = value


def _type_outside(rec: Recorder, value: Any) -> Any:
    """The type of a value that lives outside the recording, leaving no trace in it."""
    if type(value) in CLASSES:
        fields = ((name, _type_outside(rec, field)) for name, field in fields_of(value).items())
        return ClassType(rec.class_text(CLASSES[type(value)]), tuple(fields))
    if type(value) in (list, set):
        found: Any = ListType()
        for item in value:
            found = join_shared(found, ListType(_type_outside(rec, item)))
        return found if isinstance(value, list) else SetType(found.elem)
    if type(value) is dict:
        found = DictType()
        for key, item in value.items():
            found = join_shared(found, DictType(_type_outside(rec, key), _type_outside(rec, item)))
        return found
    if type(value) is tuple:
        return TupleType(tuple(_type_outside(rec, item) for item in value))
    return rec.type_of(value)


def _learn_state(rec: Recorder, facts: Facts) -> bool:
    """Whether locations changed that weren't known to be state, or hold more than was known."""
    news = False
    for change in rec.journal.pending():
        if change.location.key in facts.state or not _outlives(facts, change.location):
            continue
        types = [rec.type_of(v) for v in (change.before, change.after) if not isinstance(change.location, Contents)]
        news |= facts.add_state(change.location, join_shared(*types) if types else NEVER_TYPE)
    for slot in facts.state.values():
        held = rec.heap.staged(slot.location.owner) if isinstance(slot.location, Contents) else slot.location.get()
        if held is not MISSING:
            risen = join_shared(slot.type, rec.type_of(held))
            news |= risen != slot.type
            slot.type = risen
        news |= facts.learn_objects(slot)
    return news


def _outlives(facts: Facts, location: Location) -> bool:
    return facts.roots.location_path(location, facts.outer_cells) is not None


# --- results -----------------------------------------------------------------------------------------------------------


_UNFINISHED = object()


def _needs_output(rec: Recorder, type_: Any) -> bool:
    """Whether an alternative of a sum is no value, or is or holds an object whose fields a loaded Program would give."""
    if isinstance(type_, TupleType):
        return any(_needs_output(rec, part) for part in type_.elems)
    return type_ == UNBOUND or (isinstance(type_, AtomType) and is_plain_object(rec.objects[type_.text]))


def _output(rec: Recorder, value: Any, made: dict[int, tuple], is_field: bool = False) -> Any:
    """The result with staged scalars turned into 0-d tensors, as Paddle returns them; one object stays one (`made`: by id).

    is_field: an attribute of an object, which may have no value.
    """
    boxes = rec.facts.policy.boxes_scalars
    if boxes and isinstance(value, StagedScalar) and str(value._type) in ("int", "float", "bool"):
        return lookup("py.to_tensor")(value, dtype={"int": "int64", "float": "float32", "bool": "bool"}[str(value._type)])
    if isinstance(value, tuple):
        parts = [_output(rec, x, made) for x in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, StagedSum) and any(_needs_output(rec, t) for t in children(rec.type_of(value))):
        return rec.on_alternatives(value, lambda x: _output(rec, x, {}), unbound=is_field)
    if isinstance(value, Staged | Tensor | bool | int | float | str | Unbound) or value is None or is_staged_object(value):
        return value
    if type(value) in CLASSES and (written := rec.heap.written(value)) is not None:
        return written
    if id(value) in made and made[id(value)][1] is _UNFINISHED:
        raise ConversionError(f"the result holds a {type(value).__name__} that holds itself; return the values that are needed")
    if id(value) not in made:
        made[id(value)] = (value, _UNFINISHED)
        made[id(value)] = (value, _object_output(rec, value, made))
    return made[id(value)][1]


def _object_output(rec: Recorder, value: Any, made: dict[int, tuple]) -> Any:
    if isinstance(value, GeneratorType | Iteration) or (isinstance(value, FunctionType) and calls.is_converted(value)):
        kind = "an iterator" if isinstance(value, GeneratorType | Iteration) else "a function made inside it"
        raise ConversionError(
            f"the result holds {kind}; a Program returns tensors, numbers, texts, None, and lists, tuples, "
            f"dicts and objects of them: "
            "return list(...), or the values that the function needs"
        )
    if type(value) not in (list, dict):
        return rec.object_output(value, lambda field: _output(rec, field, made, is_field=True))
    if rec.heap.staged(value) is not None:
        return value
    items = list(value.values()) if type(value) is dict else value
    outputs = [_output(rec, x, made) for x in items]
    if all(x is y for x, y in zip(items, outputs)):
        return value
    return rec.new(dict(zip(value, outputs)) if type(value) is dict else outputs)
