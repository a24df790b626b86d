"""Staged control flow: trials of branches and loop bodies, and how their outcomes are joined into `if` and `while`.

A trial runs generated code in a Block of its own, under a savepoint of the journal, and is then taken back. What it left
(names it returned, locations it changed) is joined with the other path by Plans, and becomes the Operation's results.
"""

from __future__ import annotations

import builtins
import dis
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from types import CodeType, FunctionType

from ...converted_code import is_converted
from ...errors import ConversionError, DTypeError, Dy2stError, ShapeError
from ...ir.core import Block, Loc, Operation, Value
from ...ir.names import TEXT
from ...ir.types import NONE, STR, UNBOUND, AtomType, SumType, Type
from ...ops.python.words import words_of
from ...ops.registry import OPERATORS
from ..engine.exceptions import says_itself
from ..heap.arrays import changed, held_by
from ..heap.attribute_order import agree, order_of, put_in_order
from ..heap.frames import Frame
from ..heap.journal import Change, Item, Location, Variable, absent_as_unbound
from ..heap.markers import NEVER, Raised, Restage
from ..joining.join import Merged, MetAgain, join
from ..joining.plans import Leaf, Plan
from ..library import DictView
from ..recorder.caught import Caught, type_of_thrown
from ..recorder.made_anew import is_ours
from ..recorder.recorder import Recorder
from ..recorder.try_bodies import Thrown
from ..tensors.grad_mode import is_grad_enabled, left_by, set_grad_enabled
from ..where.faults import is_fault, is_out_of_stack
from ..where.lines import SourceLoc
from ..where.per_code import has_instruction, per_code
from ..where.profiling import unwatched
from ..where.user_code import PACKAGE
from ..where.user_frames import users_entries
from .settle import settle


@dataclass
class Trial:
    """One path: its Block, what it returned (NEVER if it raised), the locations it changed, and the order of attributes there."""

    frame: Frame
    outcome: object = NEVER
    changes: dict[tuple, Change] = field(default_factory=dict)
    orders: dict[int, tuple[object, list[str]]] = field(default_factory=dict)

    def holds(self, location: Location) -> object:
        """What the path left in a location."""
        if self.outcome is NEVER:
            return NEVER
        change = self.changes.get(location.key)
        return absent_as_unbound(location, change.after if change is not None else location.get())


def run_trial(
    rec: Recorder,
    function: Callable,
    arg_types: Iterable[Type] = (),
    prepare: Callable[[list[Value]], Iterable] | None = None,
    keep: Callable[[object], bool] | None = None,
    is_body: bool = False,
    tested: Hashable = None,
) -> Trial:
    """Run `function` in a new Block and take its effects back.

    `prepare(args)` runs first, inside; what it gives goes to `function`. If `keep(outcome)` says so, the effects on the heap
    stay. `is_body`: the Block is that of a Function of its own. `tested`: the loop that this is the condition of.
    """
    frame = Frame(Block(arg_types), rec.frame.level + 1, None if is_body else rec.frame.body, tested)
    frame.is_tentative = keep is not None
    trial = Trial(frame)
    trials = rec.journal.savepoint()
    depth, has_grad = len(rec.frames), is_grad_enabled()
    rec.frames.append(frame)
    try:
        note_cells(rec, function)
        args = prepare(frame.block.args) if prepare else ()
        arrays = held_by(function, args)
        rec.note_arrays([held.array for held in arrays], depth)
        trial.outcome = function(*args)
        if not all(held.still(held.array) for held in arrays):
            raise changed(rec.here())
    except Raised:
        pass
    except BaseException as error:
        keep, kept = None, keep  # where the trial is given up, nothing of it stays
        if frame.acted and isinstance(error, Restage) and error.frame is not None:
            raise ConversionError(frame.acted) from None
        if is_refusal(error) or not (isinstance(error, Exception) or error is rec.handling.raising):
            raise
        convert_unpacking(rec, error)
        rec.facts.policy.raised(rec, error)
        record_raise(rec, error)
        keep = kept
    finally:
        del rec.frames[depth:]
        leaves_grad = is_grad_enabled()
        if leaves_grad is not has_grad:
            set_grad_enabled(has_grad)
        if keep is not None and keep(trial.outcome):
            rec.journal.commit(rec.heap.is_own)
            frame.acted = ""
        else:
            trial.orders = rec.journal.orders()
            trial.changes = rec.journal.rollback(trials)
    if leaves_grad is not has_grad:
        raise ConversionError(f"{rec.here()}: {left_by('a path of staged control flow', leaves_grad)}")
    if frame.acted:
        rec.facts.refuse_trials([*rec.frames[1:], frame])
        raise ConversionError(frame.acted)
    return trial


def try_alone(rec: Recorder, function: Callable, what: str) -> Trial:
    """One trial that answers a question by itself; `what` is to be read in messages."""
    return settle(rec.frame, lambda: run_trial(rec, function), lambda: f"{what} at {rec.here()}")


def note_cells(rec: Recorder, function: Callable) -> None:
    """The closure variables and globals that a generated function stores are locations."""
    if names_outside(function.__code__):
        _note_cells(rec, function)


@unwatched
def _note_cells(rec: Recorder, function: Callable) -> None:
    for name, cell in rec.heap.variables(function):
        if name in stored_variables(function.__code__) and not rec.heap.is_local(cell):
            rec.journal.note(Variable(cell, name))
    for name in stored_globals(function.__code__):
        rec.journal.note(Item(function.__globals__, name))


@per_code
def names_outside(code: CodeType) -> bool:
    """Whether a generated function has closure variables of the user's, or stores globals; one of this package's own hasn't."""
    has_names = bool(stored_globals(code)) or code.co_freevars not in ((), ("_jst",))
    return has_names and (is_converted(code) or not code.co_filename.startswith(PACKAGE))


@per_code
def stored_variables(code: CodeType) -> frozenset[str]:
    """The closure variables that a generated function stores, itself or in the functions inside it."""
    return _stored(code, stored_variables, "STORE_DEREF", "DELETE_DEREF").intersection(code.co_freevars)


@per_code
def stored_globals(code: CodeType) -> tuple[str, ...]:
    """The global variables that a generated function stores, itself or in the functions inside it."""
    return tuple(sorted(_stored(code, stored_globals, "STORE_GLOBAL", "DELETE_GLOBAL")))


def _stored(code: CodeType, by_inner: Callable[[CodeType], Iterable[str]], *stores: str) -> frozenset[str]:
    found = {name for c in code.co_consts if isinstance(c, CodeType) for name in by_inner(c)}
    if has_instruction(code, *stores):
        found.update(i.argval for i in dis.get_instructions(code) if i.opname in stores)
    return frozenset(found)


def record_raise(rec: Recorder, error: BaseException) -> None:
    """End the open Block with a `raise` of the user's exception."""
    rec.facts.learn_before_raise(rec)
    attrs, values, thrown = _exception(rec, error)
    rec.may_raise([thrown])
    op = rec.emit("raise", values, attrs=attrs)
    op.loc = _location_of(rec, error) or op.loc
    if error is not rec.handling.raising and all(type(x) is str for x in error.args):
        rec.failures[op] = f"{type(error).__name__}: {error}"


def _location_of(rec: Recorder, error: BaseException) -> Loc | None:
    """Where an exception was raised, and the calls that led there from the head of the Function."""
    entries, loc = users_entries(error.__traceback__), raised_at(error)
    if loc is None:
        return None
    outermost = entries[0].tb_frame.f_code
    around = (call for call in reversed(rec.facts.active) if call.frame.body is rec.frame.body and call.runs(outermost))
    return loc.called_at(next((call.caller for call in around), None))


def _exception(rec: Recorder, error: BaseException) -> tuple[dict, list[Value], Thrown]:
    """What makes an exception in the Program: attributes and operands; and what it is."""
    cls = type(error)
    if any(base.__name__ == "BaseExceptionGroup" for base in cls.__mro__):  # which Python has from 3.11 on
        raise ConversionError(f"{rec.here()}: a Program can't hold the exceptions of an {cls.__name__}; raise one of them")
    rec.exceptions[cls.__qualname__] = cls
    bases = []
    for base in cls.__mro__:
        bases.append(base.__qualname__)
        if getattr(builtins, base.__name__, None) is base:
            break
    fields = _fields_of(error)
    if (says_itself(cls) or _is_said_by_object(rec, error)) and (text := _text_of(rec, error)) is not None:
        fields = {**(fields or {}), TEXT: text}
    attrs: dict[str, object] = {"exception": cls.__qualname__, "bases": bases}
    if fields is not None:
        attrs["fields"] = list(fields)
    _refuse_iterators(rec, [*error.args, *(fields or {}).values()])
    values = [*_arguments(rec, error), *map(rec.lower, (fields or {}).values())]
    types = [rec.type_of_value(v) for v in values]
    count = len(error.args)
    for place, value in zip([*range(count), *(fields or ())], values):
        rec.heap.elements.held_by_exception((cls, place), value)
    links = {"context": rec.handling.context_of(error), **rec.handling.cause_of(error)}
    for name, link in links.items():
        if link is not None or name == "cause":
            attrs[name] = True
            values.append(_link(rec, link))
    return attrs, values, Thrown(cls, tuple(types[:count]), dict(zip(fields or (), types[count:])))


def _refuse_iterators(rec: Recorder, held: list[object]) -> None:
    """ConversionError where an exception holds an iterator or a view, of which a Program could give only what stands for it."""
    for value in held:
        if isinstance(value, DictView) or (is_ours(type(value)) and hasattr(type(value), "__next__")):
            kind = "a view of a dict" if isinstance(value, DictView) else "an iterator"
            raise ConversionError(f"{rec.here()}: the exception holds {kind}, which a Program can't give; give it list(...)")


def _arguments(rec: Recorder, error: BaseException) -> list[Value]:
    """The Values of the arguments of an exception; what Python says itself, in the words of the Python that will run."""
    if words := words_of(error):
        return [rec.emit("py.words", (), [STR], words).result]
    return list(map(rec.lower, error.args))


def _link(rec: Recorder, error: object) -> Value:
    """The Value of the cause or context of an exception."""
    if not isinstance(error, BaseException):
        return rec.lower(error)
    attrs, values, thrown = _exception(rec, error)
    return rec.emit("exception.new", values, [type_of_thrown(rec, [thrown])], attrs).result


def _fields_of(error: BaseException) -> dict[str, object] | None:
    """The attributes that the user's code gave an exception; None where its arguments say all."""
    found = {name: value for name, value in vars(error).items() if not name.startswith("__")}
    return found if found or isinstance(type(error).__init__, FunctionType) else None


def _is_said_by_object(rec: Recorder, error: BaseException) -> bool:
    """Whether the text of an exception is that of its only argument, a Python object which the Program knows by name."""
    if len(error.args) != 1 or type(error).__str__ is not BaseException.__str__:
        return False
    type_ = rec.type_of(error.args[0])
    return any(isinstance(one, AtomType) for one in (type_.alternatives if isinstance(type_, SumType) else (type_,)))


def _text_of(rec: Recorder, error: BaseException) -> object:
    """What `__str__` of its class says of an exception; None where that may raise, or does more than read."""
    cls = type(error)
    said_by, said = (cls.__str__, error) if says_itself(cls) else (str, error.args[0])
    try:
        with rec.handling.unheard():
            trial = try_alone(rec, lambda: rec.convert_call(said_by)(said), "the text of an exception")
    except ConversionError:
        return None
    if trial.outcome is NEVER or trial.changes or not all(map(_only_reads, trial.frame.block.walk())):
        return None
    rec.splice(trial.frame)
    return trial.outcome


def _only_reads(op: Operation) -> bool:
    """Whether an Operation neither changes anything nor raises; text without a format raises nothing."""
    if op.name in ("py.str", "str.join") or (op.name == "str.format" and not op.attrs["spec"]):
        return True
    return op.name not in OPERATORS or not (OPERATORS[op.name].raises or OPERATORS[op.name].mutates)


def raise_again(rec: Recorder, error: Caught) -> None:
    """A bare `raise` in a handler that runs when the Program does."""
    rec.facts.learn_before_raise(rec)
    rec.may_raise(error._thrown)
    rec.emit("raise")
    raise Raised


def raise_caught(rec: Recorder, error: Caught, *cause: object) -> None:
    """`raise error from cause` of what a handler caught before."""
    rec.facts.learn_before_raise(rec)
    rec.may_raise(error._thrown)
    links = [_link(rec, link) for link in cause]
    rec.emit("raise", [rec.lower(error), *links], attrs={"cause": True} if cause else {})
    raise Raised


def is_refusal(error: BaseException) -> bool:
    """Whether an exception says that staging can't go on; any other is one of the user's code."""
    refused = isinstance(error, Dy2stError) and not isinstance(error, ShapeError | DTypeError)
    return refused or is_out_of_stack(error) or is_fault(error)


def convert_unpacking(rec: Recorder, error: BaseException) -> None:
    """Where Python itself may have unpacked a list that only the Program knows: unpackings are to be converted."""
    if isinstance(error, ValueError) and _is_pythons_unpacking(error) and rec.heap.has_staged():
        rec.convert_unpackings()


def _is_pythons_unpacking(error: ValueError) -> bool:
    """Whether Python itself raised this at an assignment, rather than the unpacking of `convert`."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    ours = traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(PACKAGE)
    return not ours and any(isinstance(text, str) and "to unpack" in text for text in error.args)


def raised_at(error: BaseException) -> SourceLoc | None:
    """The innermost line of the user's that an exception passed, and the calls that it passed on the way."""
    loc = None
    for entry in users_entries(error.__traceback__):
        code = entry.tb_frame.f_code
        loc = SourceLoc(code.co_filename, entry.tb_lineno, code.co_name, 0, loc)
    return loc


def stage_if(
    rec: Recorder,
    condition: Value,
    true_fn: Callable,
    false_fn: Callable,
    names: tuple[str, ...] = (),
    args: tuple = (),
    exact: bool = False,
) -> object:
    """Record an `if`; gives the joined outcome (`exact`: without converting) and writes the joined locations."""

    def attempt() -> object:
        first, second = (run_trial(rec, function, prepare=lambda _: args) for function in (true_fn, false_fn))
        return merge_trials(rec, "if", (condition,), {}, first, second, names, exact)

    return settle(rec.frame, attempt, lambda: f"the if at {rec.here()}")


def merge_trials(
    rec: Recorder,
    region: str,
    operands: tuple[Value, ...],
    attrs: dict,
    first: Trial,
    second: Trial,
    names: tuple[str, ...] = (),
    exact: bool = False,
) -> object:
    """Record an operation of two blocks, of which one runs to its end; what it left."""
    if first.outcome is NEVER and second.outcome is NEVER:
        rec.emit(region, operands, attrs=attrs, blocks=[first.frame.block, second.frame.block])
        rec.end_dead()
    locations = {**{k: c.location for k, c in first.changes.items()}, **{k: c.location for k, c in second.changes.items()}}
    held = [(loc, first.holds(loc), second.holds(loc)) for loc in locations.values()]
    orders = _orders(rec, first, second)
    outcome, *left = _record_region(rec, region, operands, attrs, first, second, names, exact, held)
    for location, value in zip(locations.values(), left):
        rec.put(location, value)
    for owner, order in orders:
        put_in_order(owner, order)
    return outcome


def _orders(rec: Recorder, first: Trial, second: Trial) -> list[tuple[object, list[str]]]:
    """The objects whose attributes two paths changed, each with the order that they left; that is noted where it differs."""
    paths = [trial.orders for trial in (first, second) if trial.outcome is not NEVER]
    found = {key: noted for orders in reversed(paths) for key, noted in orders.items()}
    for key, (owner, order) in found.items():
        if not all(agree(order, orders[key][1] if key in orders else order_of(owner)) for orders in paths):
            rec.heap.lose_order(owner)
    return list(found.values())


@unwatched
def _record_region(
    rec: Recorder,
    region: str,
    operands: tuple[Value, ...],
    attrs: dict,
    first: Trial,
    second: Trial,
    names: tuple[str, ...],
    exact: bool,
    held: list[tuple[Location, object, object]],
) -> list:
    """The Operation of two trials; what they returned, and then what they left in each location, joined."""
    plans = _plans(rec, first, second, names, exact, held)
    if any(map(rec.heap.was_staged_late, (location for location, _, _ in held))):
        raise Restage(rec.frame)
    for trial, values in (
        (first, [first.outcome, *(a for _, a, _ in held)]),
        (second, [second.outcome, *(b for _, _, b in held)]),
    ):
        if trial.outcome is not NEVER:
            with rec.opened(trial.frame):
                yields = [y for plan, value in zip(plans, values) for y in plan.lower(rec, value)]
                rec.emit("yield", yields)
    types = [t for p in plans for t in p.leaves()]
    op = rec.emit(region, operands, types, attrs, [first.frame.block, second.frame.block])
    link_results(rec, op.results, [t.frame.block for t in (first, second) if t.outcome is not NEVER])
    if any(map(_holds_none_or_more, types)):
        rec.facts.note_met_kinds(op.loc)
    results = iter(op.results)
    return [plan.rebuild(rec, results) for plan in plans]


def _holds_none_or_more(type_: Type) -> bool:
    return isinstance(type_, SumType) and NONE in type_.alternatives and len({*type_.alternatives} - {NONE, UNBOUND}) > 0


def _plans(
    rec: Recorder, first: Trial, second: Trial, names: tuple[str, ...], exact: bool, held: list[tuple[Location, object, object]]
) -> list[Plan]:
    """The Plans of what two paths returned and of the locations they changed; one object stays one in all of them."""
    while True:
        merged, adopted = Merged(), rec.heap.now().adopted
        try:
            outcome = _join_outcomes(rec, first, second, names, exact, merged)
            plans = [outcome, *(join(rec, a, b, loc.name, merged) for loc, a, b in held)]
        except MetAgain as met:
            rec.heap.materialise(met.obj)
        else:
            if rec.heap.now().adopted == adopted:  # else an earlier plan may be of an object that has become a Value
                return plans


def _join_outcomes(rec: Recorder, first: Trial, second: Trial, names: tuple[str, ...], exact: bool, merged: Merged) -> Plan:
    name = names[0] if len(names) == 1 else ""
    plan = join(rec, first.outcome, second.outcome, name, merged, exact)
    for child, child_name in zip(getattr(plan, "children", ()), names):
        if isinstance(child, Leaf):
            child.name = child_name
    return plan


def link_results(rec: Recorder, results: list[Value], blocks: list[Block]) -> None:
    """Containers that come out of a Block may be the ones that went in: one element class."""
    elements = rec.heap.elements
    for block in blocks:
        for result, source in zip(results, block.yielded):
            elements.unify(elements.class_of(result), elements.class_of(source))


def as_values(outcome: object, count: int) -> tuple:
    """What a generated function returned, as a tuple: it returns one name bare, and nothing for none."""
    if count > 1:
        assert isinstance(outcome, tuple)
        return outcome
    return (outcome,) if count else ()


def unchanged(*values: object) -> object:
    """A path on which nothing happens, in place of a generated function."""
    return as_outcome(values) if values else None


def as_outcome(values: tuple) -> object:
    """The reverse of `as_values`."""
    return values[0] if len(values) == 1 else values
