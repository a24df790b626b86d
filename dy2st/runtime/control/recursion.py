"""Recursion on staged values: one Function of the Program, tried until what goes in and what comes out is stable.

The body of the user's function is tried in a Block of its own. A call from inside it that the Function doesn't take yet lets the
types of its arguments rise; the result starts as one that never comes, so that the first trial learns it from the paths that
don't recur. Locations that the body changes are passed in and given back. A Value of the code around it comes in as a further
argument (`Values.local`).
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable
from dataclasses import replace
from types import FunctionType

from ...errors import ConversionError
from ...ir.core import Block, Function, Operation, Value
from ...ir.functions import add_function
from ...ir.types import AtomType, TupleType
from ..heap.elements import ElementClass, holds_object
from ..heap.frames import Body, Frame
from ..heap.journal import Change, absent_as_unbound
from ..heap.markers import NEVER, Restage
from ..joining.activation import Activation, Arguments, alike
from ..joining.join import alone, rise
from ..joining.plans import Leaf, Plan, Same
from ..recorder import refusals
from ..recorder.handling import on_top
from ..recorder.recorder import Recorder
from ..recorder.try_bodies import Passage
from .call_boundary import fits, packed, unpacked
from .loop import Carried, CarriedLocation, rise_to, start_values
from .settle import UNSTABLE, settle
from .trial import Trial, note_cells, run_trial

RESULT, PASSAGE = ("result",), ("passage",)  # under which the result's plan, and what is raised, are remembered


class Recursion:
    """A Function being recorded for one call of the user's function."""

    def __init__(self, rec: Recorder, activation: Activation):
        self.rec, self.activation, self.caller = rec, activation, rec.frame
        self.site = ("recursion", *activation.site)
        self.known = rec.facts.loop(self.site).plans
        self.name = add_function(rec.program, activation.original.__name__).name
        arguments = activation.arguments
        self.arguments = [Carried(n, v, self._start(n, n, v)) for n, v in zip(arguments.names, arguments.values)]
        self.places: dict[tuple, CarriedLocation] = {}
        self.captures: list[Value] = []
        self.objects: dict[Hashable, ElementClass] = {}  # what has been learnt of the fields of objects that go in or out
        self.result: Plan | None = self.known.get(RESULT)  # None: it never comes
        self.returned: Value | None = None  # of the last trial
        self.passage: Passage = self.known.setdefault(PASSAGE, Passage())

    def _start(self, key: Hashable, name: str, initial: object) -> Plan:
        """The plan that an earlier recording settled on, or the hope that the value stays what it is."""
        plan: Plan = Same(initial)
        return rise_to(self.rec, plan, initial, self.known[key], name) if key in self.known else plan

    @property
    def carried(self) -> list[Carried]:
        return [*self.arguments, *self.places.values()]

    def _held(self) -> list:
        """What the locations that the Function changes hold now."""
        return [absent_as_unbound(c.location, c.location.get()) for c in self.places.values()]

    # --- calls from inside ---------------------------------------------------------------------------------------------

    def fits(self, arguments: Arguments) -> bool:
        """Whether the Function takes these arguments as it is."""
        return all(fits(self.rec, c.plan, value) for c, value in zip(self.arguments, arguments.values))

    def can_take(self, arguments: Arguments) -> bool:
        """Whether the Function is to be made to take these arguments, rather than another one be made for them."""
        if self.activation.code in self.rec.facts.generalised:
            return True
        return all(alike(self.rec, a, b, mixed=True) for a, b in zip(self.seen, arguments.values))

    def again(self, arguments: Arguments) -> object:
        """A call from inside the Function; it is tried anew if it doesn't take the arguments, or what has changed, yet."""
        changes = self._new_places(self.rec.journal.pending(self.depth))
        if changes:
            raise Restage(self.caller, lambda: self._carry(changes))
        given = [*arguments.values, *self._held()]
        if not all(fits(self.rec, c.plan, value) for c, value in zip(self.carried, given)):
            self._refuse_objects(arguments.values)
            raise Restage(self.caller, lambda: self._rise(given))
        return self._call(given)

    def _is_inner(self, obj: object) -> bool:
        """Whether an object was born in the body: another call of it has another one."""
        birth = self.rec.heap.birth(obj)
        return birth is not None and birth not in self.outside

    def _refuse_objects(self, values: list) -> None:
        """ConversionError for what can't become a Value: objects without end, and functions that hold variables of the body."""
        rec, function = self.rec, self.activation.original
        for carried, value in zip(self.arguments, values):
            if isinstance(value, FunctionType) and any(self._is_inner(cell) for _, cell in rec.heap.variables(value)):
                raise ConversionError(refusals.made_anew(rec.here(), value.__name__, function.__name__))
            is_object = not fits(rec, carried.plan, value) and isinstance(rec.type_of(value), AtomType)
            if is_object and function.__code__ in rec.facts.generalised:
                raise ConversionError(refusals.too_deep(rec.here(), function.__name__))

    # --- trials --------------------------------------------------------------------------------------------------------

    def run(self) -> object:
        """Record the Function, and the call of it from outside."""
        return settle(self.caller, self._attempt, lambda: f"the recursion of {self.name}")

    def _attempt(self) -> object:
        """Try the body; what the call from outside gives if that changed nothing that goes in or comes out."""
        rec = self.rec
        rec.facts.count(self.site)
        self.places = {k: place for k, place in self.places.items() if not rec.heap.was_staged_late(place.location)}
        self.since = rec.heap.now()
        self.calls: list[tuple[Operation, Body]] = []  # of the Function, in this trial, and the Function each stands in
        self.starts = [v for c in self.carried for v in start_values(rec, c)] + self.captures
        types = [*(t for c in self.carried for t in c.plan.leaves()), *map(rec.type_of_value, self.captures)]
        raised = len(self.passage.thrown)
        with rec.handling.attempting(self.passage):
            trial = run_trial(rec, self._body, types, lambda args: (tuple(args),), is_body=True)
        stable = self._learn(trial) and self._is_closed(trial)
        if not stable or len(self.passage.thrown) > raised or rec.heap.has_risen(self.since):
            return UNSTABLE
        rec.program.functions[self.name] = Function(self.name, trial.frame.block)
        return self._call([*(c.initial for c in self.arguments), *self._held()])

    def _body(self, args: tuple[Value, ...]) -> object:
        """Inside the trial's Block: put everything in place and run the user's code."""
        rec, call = self.rec, self.activation
        keys = [(c.key, i) for c in self.carried for i, _ in enumerate(c.plan.leaves())] + self.captures
        for key, arg, start in zip(keys, args, self.starts):
            self._learn_object(key, arg)
            self._unify(arg, start)
        self.passage.frame = rec.frame
        self.frame, self.depth, self.outside = rec.frame, rec.journal.depth, rec.frames[:-1]
        values = iter(args)
        self.seen = [c.plan.rebuild(rec, values) for c in self.carried]
        rec.frame.body.captures.update(zip(self.captures, values))
        note_cells(rec, call.converted)
        for place, value in zip(self.places.values(), self.seen[len(self.arguments) :]):
            rec.journal.write(place.location, value)
        positional, named = call.arguments.spelled(self.seen[: len(self.arguments)])
        with on_top(rec.facts.active, replace(call, caller=None, frame=rec.frame, recursion=self)):
            return call.converted(*positional, **named)

    def _rise(self, given: list) -> None:
        """Let the plans take other arguments and contents of locations."""
        for carried, seen, value in zip(self.carried, self.seen, given):
            carried.plan = rise(self.rec, carried.plan, seen, value, carried.name)
        self._remember()

    def _learn(self, trial: Trial) -> bool:
        """Take what the body left into the plans; whether nothing changed."""
        rec = self.rec
        if any(rec.heap.was_staged_late(change.location) for change in trial.changes.values()):
            return False
        if trial.outcome is NEVER:
            return True
        before = [c.plan for c in self.carried], self.result
        self._carry(self._new_places(trial.changes.values()))
        left = [trial.holds(place.location) for place in self.places.values()]
        self.result = self._risen_result(trial.outcome)
        self._rise([*self.seen[: len(self.arguments)], *left])  # a container that was passed in may hold more by now
        plans = [c.plan for c in self.carried], self.result
        return len(before[0]) == len(plans[0]) and all(map(operator.is_, before[0], plans[0])) and before[1] is plans[1]

    def _new_places(self, changes: Iterable[Change]) -> list[Change]:
        """The changes of what outlives this call of the Function and isn't passed in and given back yet."""
        return [c for c in changes if c.location.key not in self.places and not self._is_inner(c.location.owner)]

    def _carry(self, changes: list[Change]) -> None:
        """Pass these locations in, and give them back."""
        for location, before in ((c.location, c.before) for c in changes):
            initial = absent_as_unbound(location, before)
            plan = self._start(("location", location.key), location.name, initial)
            self.places[location.key] = CarriedLocation(location.name, initial, plan, location=location)
            self.seen.append(initial)

    def _risen_result(self, outcome: object) -> Plan:
        """The plan of the result, now that the body has left `outcome`: what calls from inside were given is as good as that."""
        if self.result is None:
            return alone(self.rec, outcome)
        frame = Frame(Block(list(self.result.leaves())), 0, self.rec.frame.body)
        with self.rec.opened(frame):
            seen = self.result.rebuild(self.rec, iter(frame.block.args))
        return rise(self.rec, self.result, seen, outcome)

    def _remember(self) -> None:
        for carried in self.arguments:
            self.known[carried.name] = carried.plan
        for key, place in self.places.items():
            self.known["location", key] = place.plan
        if isinstance(self.result, Leaf):
            self.known[RESULT] = self.result

    def _is_closed(self, trial: Trial) -> bool:
        """End the trial's Block; whether it uses nothing from around it but what it is given."""
        rec = self.rec
        if trial.outcome is not NEVER:
            outs = [trial.outcome, *(trial.holds(c.location) for c in self.places.values())]
            with rec.opened(trial.frame):
                leaves = [v for plan, out in zip(self._plans(), outs) for v in plan.lower(rec, out)]
                self.returned = packed(rec, leaves)
                rec.emit("return", [self.returned])
            for result in (result for op, _ in self.calls for result in op.results):
                self._unify(result, self.returned)
        return self._has_passed_captures(trial.frame.body)

    def _has_passed_captures(self, body: Body) -> bool:
        """Hand what the body has turned out to use from around it on to the calls in it; whether no other body holds one."""
        new = list(body.captures)[len(self.captures) :]
        self.captures += new
        if not all(home is body for _, home in self.calls):
            return not new
        for op, _ in self.calls:
            op.operands += [body.captures[value] for value in new]
            op.n_positional = len(op.operands)
        return True

    def _unify(self, a: Value, b: Value | None) -> None:
        """Two Values may be one container: their element types are one."""
        elements = self.rec.heap.elements
        if b is not None:
            elements.unify(elements.class_of(a), elements.class_of(b))

    def _learn_object(self, key: Hashable, value: Value) -> None:
        """The type of an object tells its class only: its fields are known from the trials before."""
        elements = self.rec.heap.elements
        own = elements.class_of(value)
        if own is not None:
            own.serial = min(own.serial, self.since.serial - 1)  # it is as old as the Function
            if holds_object(value.type):
                elements.unify(own, self.objects.setdefault(key, own))

    # --- the call ------------------------------------------------------------------------------------------------------

    def _plans(self) -> list[Plan]:
        """The plans of what comes back: the result, and what the changed locations hold. Nothing where it never comes back."""
        return [] if self.result is None else [self.result, *(c.plan for c in self.places.values())]

    def _call(self, given: list) -> object:
        """Record a call with these arguments and contents of the changed locations, and put what comes back into those."""
        rec = self.rec
        rec.may_raise(self.passage.thrown)
        operands = [v for c, value in zip(self.carried, given) for v in c.plan.lower(rec, value)]
        operands += map(rec.local, self.captures)
        for arg, operand in zip(self.frame.block.args, operands):
            self._unify(arg, operand)
        attrs = {"function": self.name}
        types = [t for plan in self._plans() for t in plan.leaves()]
        op = rec.emit("call", operands, types if len(types) < 2 else [TupleType(tuple(types))], attrs)
        self.calls.append((op, rec.frame.body))
        if self.result is None:
            rec.end_dead()
        for result in op.results:
            self._learn_object((RESULT, *self.places, len(types)), result)
            self._unify(result, self.returned)
        values = iter(op.results if len(types) < 2 else unpacked(rec, op.result))
        outcome, *contents = [plan.rebuild(rec, values) for plan in self._plans()]
        for place, value in zip(self.places.values(), contents):
            rec.put(place.location, value)
        return outcome
