"""Stage one function.

Run its converted code once under the recorder, again whenever a better assumption is learnt, and give the Program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ...errors import ConversionError, StagedValueError
from ...garbage import age, without_collections
from ...ir.core import Operation, Program
from ...ir.functions import tidy
from ...ir.types import TensorType, Type
from ...ops import dispatch
from ...ops.registry import OPERATORS
from ...undo import UndoLog
from .. import convert
from ..control.settle import UNSTABLE, settle
from ..control.trial import convert_unpacking, is_refusal, raised_at, record_raise, stage_if
from ..convert.builtins.cached_functions import refuse_changed_results
from ..convert.calls import calls
from ..heap.markers import NEVER, Raised, Restage
from ..outside.facts import Facts, StateSlot
from ..outside.guards import Guards
from ..outside.policy import TO_STATIC, Policy
from ..outside.roots import Roots
from ..recorder import refusals
from ..recorder.fates import Fate
from ..recorder.recorder import Recorder, user_loc
from ..recorder.unconverted_try import runs_the_model
from ..recorder.watch import watched
from ..staging_lock import STAGING
from ..tensors.grad_mode import is_grad_enabled, left_by, set_grad_enabled
from ..tensors.spec import InputSpec, ValueSpec
from ..tensors.tensor import Tensor
from ..where.faults import internal_error, is_fault, is_out_of_stack
from ..where.lines import SourceLoc
from ..where.running import working
from ..where.stack import deepened
from ..where.tracebacks import lead_through, tell_line
from ..where.user_code import is_users_function
from ..where.user_frames import with_those_before
from ..where.warn import held_back
from .arguments import Arguments, Changed
from .entering_state import enter_state, learn_state
from .failing_paths import FailingPath, failing_paths, tell
from .kept_arrays import refuse_kept_arrays
from .known_values import are_known
from .open_leaves import settle_leaves
from .paths_apart import attempt_paths
from .results import as_result
from .settings import settings


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
    loads: frozenset[str] = frozenset()  # staged with the loads of these attributes converted
    changed: dict[int, Changed] = field(default_factory=dict)  # of the arguments, those that the Program changes
    failing: list[FailingPath] = field(default_factory=list)
    flags: list[tuple[Any, bool]] = field(default_factory=list)  # tensors with the stop_gradient that the first call sets
    fates: list[Fate] = field(default_factory=list)  # what became of the user's `if`s and loops


class Namespace:
    """What a recorder asks of the convert functions."""

    namespace = convert  # what generated code knows as `_jst`
    convert_call = staticmethod(calls.convert_call)
    generator_of = staticmethod(calls.generator_of)
    at = staticmethod(convert.at)
    listed = staticmethod(calls.listed)
    on_alternatives = staticmethod(calls.on_alternatives)
    choose = staticmethod(stage_if)
    identity = staticmethod(convert.is_)
    negation = staticmethod(convert.not_)


def stage(
    function: Any, owner: Any, args: tuple, kwargs: dict, names: dict[int, str], policy: Policy = TO_STATIC,
    state: Iterable[StateSlot] = (), for_a_call: bool = False,
) -> StagedFunction:
    """The Program of `function(owner?, *args, **kwargs)`, where InputSpecs and ValueSpecs among the arguments are its inputs.

    names: what the tensors and layers that it sees are called, by id. state: what is state, as far as the function gets at
    it, though it changes none of it. for_a_call: it runs at once, so that flags of tensors that it sets stay set.
    """
    undo = UndoLog()
    with undo, undo, STAGING.staging():
        undo.note(*settings())  # which another thread may have changed until then
        with held_back():
            return _staged(function, owner, args, kwargs, names, policy, state, for_a_call, undo)


def _staged(
    function: Any, owner: Any, args: tuple, kwargs: dict, names: dict[int, str], policy: Policy, state: Iterable[StateSlot],
    for_a_call: bool, undo: UndoLog,
) -> StagedFunction:
    calls.rewritten(function, typed=policy.typed)  # of the function itself, a missing source is an error

    def attempt(facts: Facts) -> StagedFunction:
        for slot in state:
            facts.add_state(slot.location, slot.type)
        arguments = Arguments(function, owner is not None, facts, args, kwargs)
        try:
            return _stage(function, owner, arguments, facts, names)
        except Exception as error:
            raise _told(function, error)  # noqa: B904 - it has a cause only if it is another one

    facts = Facts(Roots(function, owner, names), policy)
    undo.note(facts.take_back)
    try:
        return _with_flags(attempt, facts, for_a_call)
    except (ConversionError, StagedValueError) as error:
        if not facts.state:
            raise
        refused = error
    facts = Facts(Roots(function, owner, names), policy, swaps=True)
    undo.note(facts.take_back)
    with suppress(ConversionError, StagedValueError):
        return _with_flags(attempt, facts, for_a_call)
    raise refused


def _with_flags(attempt: Callable[[Facts], StagedFunction], facts: Facts, for_a_call: bool) -> StagedFunction:
    """The result of an attempt, with the flags of tensors that it has set; without a call, they are restored."""
    try:
        found = attempt_paths(attempt, facts)
        found.flags = [] if for_a_call else facts.flags.put_back()
        return found
    except (ConversionError, StagedValueError):
        facts.undo.restore()
        raise
    except Exception:  # which a call of the plain function raises as well, after it has set them
        if not for_a_call:
            facts.flags.put_back()
        raise


def _told(function: Any, error: Exception) -> Exception:
    """What leaves staging in place of an exception: it names the user's line; a fault of dy2st is an InternalError."""
    passed, told = raised_at(error), error
    loc = passed or _start_of(function)
    if is_fault(error):
        told = internal_error(error)
        told.__cause__ = error
    if passed is None or told is not error:
        lead_through(loc, told)
    tell_line(told, loc)
    return told


def _start_of(function: Any) -> SourceLoc:
    code = function.__code__
    return SourceLoc(code.co_filename, code.co_firstlineno, code.co_name)


def _stage(function: Any, owner: Any, arguments: Arguments, facts: Facts, names: dict[int, str]) -> StagedFunction:
    """Again and again, until nothing is learnt that the recording rests on."""
    facts.policy.prepare(facts)
    try:
        with deepened(), working(f"converting {_name(function, owner)}"):
            return settle(None, lambda: _stage_once(function, owner, arguments, names, facts), lambda: function.__qualname__)
    except RecursionError as error:
        if not is_out_of_stack(error):
            raise
        raise ConversionError(refusals.out_of_stack(raised_at(error))) from error


def _name(function: Any, owner: Any) -> str:
    """What the user calls it: a function of this package stands for a call of its owner."""
    return function.__qualname__ if owner is None or is_users_function(function) else type(owner).__name__


@runs_the_model
def _stage_once(function: Any, owner: Any, arguments: Arguments, names: dict[int, str], facts: Facts) -> Any:
    """Record the function; UNSTABLE if that has changed state or arguments which it took for constant."""
    age()  # before the tables of this recording are made: Python 3.14 follows an empty dict, too
    facts.begin()
    rec = Recorder(facts, names, Namespace())
    specs = arguments.begin(rec)
    values = rec.open_function("main", [s.type for s in specs])
    facts.undo.note(rec.journal.rollback)
    rec.journal.savepoint()
    with dispatch.entered(rec), watched(rec), without_collections(), set_grad_enabled(not facts.follows_grad_mode):
        try:
            facts.outlives_call(function)
            positional, named = arguments.placeholders(_placeholder(rec, value, spec) for value, spec in zip(values, specs))
            enter_state(rec, facts)
            if owner is not None:
                facts.guards.watch(owner)
            try:
                outcome = calls.convert_call(function)(*(() if owner is None else (owner,)), *positional, **named)
            except ValueError as error:
                convert_unpacking(rec, error)
                outcome = _raised(rec, error, arguments)
            except Exception as error:
                outcome = _raised(rec, error, arguments)
            except Raised:
                outcome = NEVER  # every path raises: the entry Block ends there
            if rec.frames[0].acted:
                raise ConversionError(rec.frames[0].acted)
            if is_grad_enabled() is facts.follows_grad_mode:
                raise ConversionError(f"{_start_of(function)}: {left_by('the function', is_grad_enabled())}")
            if learn_state(rec, facts) | arguments.learn():
                return UNSTABLE
            rec.heap.refuse_refilled()
            refuse_changed_results(rec)
            for generator in rec.iterators.to_close:
                generator.refuse_unless_closed()
            made: dict[int, tuple] = {}
            if outcome is not NEVER:
                facts.flush(rec)
                rec.emit("return", [rec.lower(facts.policy.returned(rec, as_result(rec, outcome, made)))])
        except (ConversionError, StagedValueError):
            facts.arrays.put_back()
            facts.reached = rec.recorded
            if facts.learn_awaited():
                return UNSTABLE
            raise
        finally:
            rec.journal.rollback()
            facts.refuse_changed_arrays(_start_of(function))
    if facts.learn_grad_mode():
        return UNSTABLE
    return _finished(rec, facts, function, arguments)


def _raised(rec: Recorder, error: Exception, arguments: Arguments) -> Any:
    """An exception leaves the function whatever the inputs are.

    At once, unless something recorded before it may raise first or is seen from outside, or it holds what only the Program knows.
    """
    if is_refusal(error):
        raise error
    if rec.frames[0].acted:
        raise ConversionError(rec.frames[0].acted) from error  # Python has made another one of it, as for a `__set_name__`
    if arguments.learn():
        raise Restage.of_function()  # what it had changed by then stays changed
    rec.facts.policy.raised(rec, error)
    is_known = are_known(rec, [x for one in with_those_before(error) for x in (*one.args, *vars(one).values())])
    late = rec.facts.policy.raises_late(error) or rec.exceptions or not is_known or any(map(_is_seen, rec.program.walk()))
    if not (late or rec.journal.pending()):
        raise error
    record_raise(rec, error)
    return NEVER


def _is_seen(op: Operation) -> bool:
    """Whether an Operation does what outlives an exception, or looks something up, which may raise another one first."""
    if op.name not in OPERATORS:
        return op.name == "state.set"
    definition = OPERATORS[op.name]
    may_miss = "IndexError" in definition.raises and _is_open(op.operands[0].type)
    looks_up = "." in op.name and bool(definition.raises)
    return bool(definition.io or definition.mutates) or looks_up or may_miss


def _is_open(type_: Type) -> bool:
    """Whether a tensor has dimensions that only a call tells."""
    return isinstance(type_, TensorType) and (type_.shape is None or None in type_.shape)


def _finished(rec: Recorder, facts: Facts, function: Any, arguments: Arguments) -> StagedFunction:
    outside, start = user_loc(), _start_of(function)
    for op in rec.program.walk():
        if op.loc == outside:  # recorded when the user's code had come to its end
            op.loc = start
    refuse_kept_arrays(rec, facts.state.values())
    settle_leaves(rec)
    for check in rec.checks_at_end:
        check()
    fates = rec.fates.of(rec.program)
    tidy(rec.program)
    rec.heap.elements.settle(rec.program)
    facts.policy.check(rec.program)
    facts.guards.reach(rec.tensors.values())
    facts.guards.drop([slot.location for slot in facts.state.values()])
    slots = {slot.name: slot for slot in facts.state.values()}
    for key, slot in facts.state.items():
        slot.loss = facts.lost.get(key)
    failing = failing_paths(rec.program, rec.failures)
    tell(failing)
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
        facts.loads,
        arguments.changed,
        failing=failing,
        fates=fates,
    )


def _placeholder(rec: Recorder, value: Any, spec: InputSpec | ValueSpec) -> Any:
    value.name = spec.name or ""
    if isinstance(spec, ValueSpec):
        return rec.wrap(value)
    if not spec.stop_gradient:
        rec.flowing.add(value)
    return rec.facts.policy.tensor(value, spec.stop_gradient, spec.name)
