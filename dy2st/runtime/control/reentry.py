"""When a call becomes a Function of the Program, rather than being unrolled where it stands.

A recursion that Python values bound is unrolled. Where an active call is entered again from control flow staged since, with
arguments that are alike, or where the limit is reached, staging starts anew, knowing that the call is a Function.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FunctionType

from ...config import limits
from ...errors import ConversionError
from ...ir.core import MAX_CALLS, Loc
from ...ir.types import Type
from ..heap.journal import Item, Variable
from ..heap.markers import Restage
from ..joining.activation import Activation, Arguments, Reentrant, alike, is_staged
from ..joining.join import same
from ..outside.facts import Rewritten
from ..recorder import refusals
from ..recorder.recorder import Recorder
from ..where.faults import speaks_for_the_user
from ..where.lines import SourceLoc
from ..where.profiling import unwatched
from .recursion import Recursion
from .trial import stored_globals

ENOUGH = 8  # a recursion that is less deep isn't what fills Python's stack
MAX_SPECIAL = 4  # as many Functions of one user's function, for different Python arguments, one inside the other


@speaks_for_the_user
def enter(
    rec: Recorder,
    original: Callable,
    converted: Callable,
    args: tuple,
    kwargs: dict,
    users: FunctionType,
    transpiled: Rewritten | None,
) -> object:
    """Call a converted function: by running its code here, or through a Function of the Program.

    users: the user's function, of which `original` may be a form that takes `*rest` as one argument. transpiled: None for one
    that converted code has made.
    """
    call, through = _begun(rec, original, converted, args, kwargs, users, transpiled)
    if through is not None:
        return through()
    active = rec.facts.active
    active.append(call)
    try:
        return converted(*args, **kwargs)
    finally:
        active.pop()


@unwatched
def _begun(
    rec: Recorder,
    original: Callable,
    converted: Callable,
    args: tuple,
    kwargs: dict,
    users: FunctionType,
    transpiled: Rewritten | None,
) -> tuple[Activation, Callable[[], object] | None]:
    """A call that begins, and what records it as one of a Function of the Program; None where the code is to run here."""
    if users.__closure__:
        _note_variables(rec, users, transpiled is not None)
    for name in stored_globals(converted.__code__):
        rec.journal.note(Item(users.__globals__, name))
    if transpiled is not None:
        rec.facts.entered(rec, users, transpiled, args, kwargs)
    here = rec.here()
    loc = here and SourceLoc(*here[:3])  # calls on one line are one
    caller = here and _told(here, len(rec.facts.active))
    site = rec.facts.site((original.__code__, loc))
    call = Activation(original, converted, Arguments(original, args, kwargs), loc, caller, site, rec.frame, rec.recorded, users)
    return call, _through_function(rec, call)


def _note_variables(rec: Recorder, function: FunctionType, is_outer: bool) -> None:
    """A function may store its closure variables. is_outer: those that the recording didn't see being made outlive the call."""
    for name, cell in rec.heap.variables(function):
        if is_outer and rec.heap.birth(cell) is None:
            rec.facts.outer_cells.add(id(cell))
        if not rec.heap.is_local(cell):
            rec.journal.note(Variable(cell, name))


def _told(here: Loc, depth: int) -> Loc | None:
    """What the locations of operations tell of a call: none leads to the entry function, and of very many some are left out."""
    return None if not depth else SourceLoc(*here[:3], 0, here.caller) if depth < MAX_CALLS else here.caller


def _through_function(rec: Recorder, call: Activation) -> Callable[[], object] | None:
    same_code = [a for a in reversed(rec.facts.active) if a.code is call.code]
    if same_code:
        active = [a for a in same_code if a.is_again(call)]  # the innermost first
        recursion = _taken_by(active, call.arguments)
        if recursion is not None:
            return partial(recursion.again, call.arguments)
        _look_for_recursion(rec, active, call)
    is_function = (rec.facts.recursive and call.site in rec.facts.recursive) or _has_recurred(rec, call)
    return Recursion(rec, call).run if is_function else None


def _taken_by(active: list[Activation], arguments: Arguments) -> Reentrant | None:
    """The Function being recorded that the arguments fit, or else the innermost that can be made to take them."""
    recursions = [a.recursion for a in active if a.recursion is not None]
    fitting = next((r for r in recursions if r.fits(arguments)), None)
    return fitting or next((r for r in recursions if r.can_take(arguments)), None)


def _look_for_recursion(rec: Recorder, active: list[Activation], call: Activation) -> None:
    """Start anew where an active call is to be a Function, now that it is entered again."""
    for activation in active:
        if activation.recursion is None and activation.frame is not rec.frame and _is_alike(rec, activation, call):
            _make_function(rec, activation)
    special = sum(a.recursion is not None for a in active)
    depth = _depth(rec, call)
    if not active and depth >= ENOUGH and (depth >= limits.recursion_depth or _stack_is_deep(0.85)):
        raise ConversionError(refusals.never_again(rec.here(), call.original.__name__, depth))
    deep = depth >= limits.recursion_depth or (depth >= ENOUGH and _stack_is_deep(0.65))
    if active and (deep or special >= MAX_SPECIAL or _has_outgrown(rec, active[-1], call)):
        _generalise(rec, active, call)


def _is_alike(rec: Recorder, activation: Activation, call: Activation) -> bool:
    return all(alike(rec, a, b) for a, b in zip(activation.arguments.values, call.arguments.values))


def _depth(rec: Recorder, call: Activation) -> int:
    """How many calls have been entered since the code of this one was first entered."""
    return max((depth for depth, a in enumerate(reversed(rec.facts.active), 1) if a.code is call.code), default=0)


def _stack_is_deep(part: float) -> bool:
    """Whether so much of what Python lets a thread recurse is used up."""
    try:
        sys._getframe(int(sys.getrecursionlimit() * part))
    except ValueError:
        return False
    return True


def _has_outgrown(rec: Recorder, first: Activation, call: Activation) -> bool:
    """Whether what began with `first` is better not unrolled further: staged branches made many calls with ever new numbers."""
    return (
        first.frame is not rec.frame
        and rec.recorded - first.recorded > limits.unroll_operations
        and all(_can_rise(rec, a, b) for a, b in zip(first.arguments.values, call.arguments.values))
    )


def _can_rise(rec: Recorder, a: object, b: object) -> bool:
    if isinstance(b, tuple):
        return isinstance(a, tuple) and len(a) == len(b) and all(_can_rise(rec, x, y) for x, y in zip(a, b))
    return same(a, b) or is_staged(rec, b) or isinstance(b, bool | int | float | str)


def _generalise(rec: Recorder, active: list[Activation], call: Activation) -> None:
    """From now on, arguments in which calls of this function differ are staged."""
    if call.code in rec.facts.generalised and active[-1].site in rec.facts.recursive:
        raise ConversionError(refusals.too_deep(rec.here(), call.original.__name__))
    rec.facts.generalised.add(call.code)
    _make_function(rec, active[-1])


def _make_function(rec: Recorder, activation: Activation) -> None:
    rec.facts.recursive.add(activation.site)
    rec.facts.recurred.setdefault(activation.code, []).append(_kinds(rec, activation))
    raise Restage.of_function()


def _kinds(rec: Recorder, call: Activation) -> list:
    """How the arguments are spelled, the types of those that are staged, and the others."""
    return [call.arguments.shape, *(rec.type_of(v) if is_staged(rec, v) else v for v in call.arguments.values)]


def _has_recurred(rec: Recorder, call: Activation) -> bool:
    """Whether a call with such arguments, somewhere else, has turned out to be a recursion: then staging needn't start anew."""
    if not rec.facts.recurred or call.code not in rec.facts.recurred or call.arguments.shape is None:
        return False
    kinds, any_number = _kinds(rec, call), call.code in rec.facts.generalised
    return any(all(_is_kind(a, b, any_number) for a, b in zip(kinds, known)) for known in rec.facts.recurred[call.code])


def _is_kind(a: object, b: object, any_number: bool) -> bool:
    if isinstance(a, Type) and isinstance(b, Type):
        return a == b
    return same(a, b) or (any_number and type(a) is type(b) and type(a) in (int, float))
