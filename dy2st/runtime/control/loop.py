"""Staged loops: a body is staged again until the types of what it carries are stable."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial

from ...ir.core import Value
from ...ir.join import alternatives
from ...ir.types import INT, UNBOUND
from ..heap.elements import ElementClass, holds_container, holds_object
from ..heap.journal import Location, absent_as_unbound
from ..heap.markers import NEVER, NotRolled, Restage, Unbound, is_absent
from ..joining.join import joined_type, leaf_of, rise, same
from ..joining.plans import Leaf, Plan, Same
from ..proxies import StagedSum
from ..recorder.recorder import Recorder
from ..where.profiling import unwatched
from ..where.user_code import user_loc
from .rebound import rebound_by, risen_in, surely_changes
from .settle import UNSTABLE, Unstable, settle
from .trial import (
    Trial,
    as_outcome,
    as_values,
    link_results,
    note_cells,
    run_trial,
)

POSITION = "position"  # the name under which a `for` carries its position, always an int


@dataclass
class Carried:
    """A loop-carried value, of a name or of a location the body changes: arguments of the body's Block."""

    name: str
    initial: object
    plan: Plan
    args: list[Value] = field(default_factory=list)  # of the Block of the last trial

    @property
    def key(self) -> Hashable:
        """What tells it from the others."""
        return self.name


@dataclass
class CarriedLocation(Carried):
    """What a location holds that the body changes."""

    location: Location = field(kw_only=True)

    @property
    def key(self) -> Hashable:
        return self.location.key


class Loop:
    """One staged `while`, staged again until the types of what it carries are stable."""

    def __init__(
        self,
        rec: Recorder,
        condition: Callable,
        body: Callable,
        names: tuple[str, ...],
        values: list,
        site: Hashable,
        cells: tuple[Callable, ...] = (),
        runs: bool = False,
        of_one_kind: bool = False,
    ):
        self.rec, self.condition, self.body, self.site = rec, condition, body, site
        self.cells = cells  # generated functions that `condition` and `body` call
        self.runs = runs  # whether it is known to have a first turn
        self.of_one_kind = of_one_kind  # whether it is refused where something that it carries has several kinds
        self.known = rec.facts.loop(site).plans
        self.frame = rec.frame
        self.code = (cells[-1] if cells else body).__code__
        self.rebound = rebound_by(self.code)
        self.names = [Carried(n, v, self._start(n, n, v)) for n, v in zip(names, values)]
        self.places: dict[tuple, CarriedLocation] = {}
        self.objects: dict[tuple, ElementClass | None] = {}

    def _start(self, key: Hashable, name: str, initial: object) -> Plan:
        """The last stable plan of this loop at this call path, or the hope that the value stays what it is."""
        plan: Plan = Leaf(INT, name) if name == POSITION else Same(initial)
        if key in self.known:
            return rise_to(self.rec, plan, initial, self.known[key], name)
        if not surely_changes(self.rebound.get(key), initial):
            return plan
        return leaf_of(self.rec, self.rec.type_of(initial), name, initial)

    @property
    def carried(self) -> list[Carried]:
        return [*self.names, *self.places.values()]

    def run(self) -> list:
        """Record the loop; the values of the names after it."""
        return settle(self.frame, self._attempt, lambda: f"the loop at {user_loc()}")

    def _attempt(self) -> list | Unstable:
        """Try the condition and the body; the values of the names after the loop if that changed nothing that it carries."""
        self._tell_outer()
        self.rec.facts.count(self.site)
        self._drop_moot_places()
        self.since = self.rec.heap.now()
        test = self._trial(self.condition)
        if test.outcome is NEVER or self._changes(test):
            return self._record_rotated()
        with self.rec.looping(self):
            trial = self._trial(self.body)
        stable = self._rise(trial)
        self._learn_objects(trial)
        if self.of_one_kind:
            self._refuse_kinds()
        return self._record(test, trial) if stable and not self.rec.heap.has_risen(self.since) else UNSTABLE

    def _refuse_kinds(self) -> None:
        """NotRolled where a carried value would need a union type."""
        for carried in self.carried:
            is_of_body = isinstance(carried.initial, Unbound) and not isinstance(carried, CarriedLocation)
            own = {UNBOUND} if is_of_body else set()
            for type_ in carried.plan.leaves():
                if len(set(alternatives(type_)) - own) > 1 and not isinstance(carried.initial, StagedSum):
                    raise NotRolled(f"{carried.name} has several kinds")

    def _tell_outer(self) -> None:
        """Where this loop tells that the one around it will be staged again, it is at once."""
        outer = self.rec.loops[-1] if self.rec.loops else None
        if isinstance(outer, Loop) and (news := risen_in(self, outer)):
            raise Restage(outer.frame, partial(outer._learn, news))

    def carry(self, tensor: object) -> None:
        """Begin again, where a name holds this tensor from before the loop: each turn will have one of its own in its place."""
        found = [c for c in self.names if c.initial is tensor and isinstance(c.plan, Same)]
        if found:
            type_ = self.rec.type_of(tensor)
            raise Restage(self.frame, partial(self._learn, {c.name: leaf_of(self.rec, type_, c.name, tensor) for c in found}))

    def _learn(self, news: dict[str, Plan]) -> None:
        """Take plans of names from an inner loop."""
        for carried in self.names:
            if carried.name in news:
                carried.plan = rise_to(self.rec, carried.plan, carried.initial, news[carried.name], carried.name)
        self._remember()

    def _trial(self, function: Callable) -> Trial:
        types = [t for c in self.carried for t in c.plan.leaves()]
        starts = [v for c in self.carried for v in start_values(self.rec, c)]
        return run_trial(self.rec, function, types, lambda args: self._enter(args, starts))

    @unwatched
    def _enter(self, args: list[Value], starts: list[Value | None]) -> list:
        """Inside the trial's Block: put the carried locations in place; the values of the names."""
        elements = self.rec.heap.elements
        for arg, start, learnt in zip(args, starts, self._learnt()):
            own = elements.class_of(arg)
            if own is not None:
                own.serial = min(own.serial, self.since.serial - 1)  # it is as old as the loop
                elements.unify(own, learnt)
            if start is not None:
                elements.unify(own, elements.class_of(start))
        for function in self.cells:
            note_cells(self.rec, function)
        values = iter(args)
        for carried in self.carried:
            carried.args = [next(values) for _ in carried.plan.leaves()]
        values = iter(args)
        seen = [c.plan.rebuild(self.rec, values) for c in self.carried]
        for place, value in zip(list(self.places.values()), seen[len(self.names) :]):
            self.rec.note_attribute(place.location, value)
            self.rec.journal.write(place.location, value)
        self.seen = seen
        return seen[: len(self.names)]

    def _learnt(self) -> list[ElementClass | None]:
        """What the objects that the last trial carried on hold, leaf by leaf: a type tells only their class's name."""
        return [self.objects.get((c.key, i)) for c in self.carried for i, _ in enumerate(c.plan.leaves())]

    @unwatched
    def _learn_objects(self, trial: Trial) -> None:
        if trial.outcome is NEVER:
            return
        elements = self.rec.heap.elements
        for carried, out in zip(self.carried, self._outs(trial)):
            if not any(map(holds_object, carried.plan.leaves())):
                continue
            with self.rec.opened(trial.frame):
                values = carried.plan.lower(self.rec, out)
            for i, value in enumerate(values):
                known, own = self.objects.setdefault((carried.key, i), elements.class_of(value)), elements.class_of(value)
                elements.unify(known, own)
                if i < len(values) == len(carried.args):
                    elements.unify(elements.class_of(carried.args[i]), own)

    def _outs(self, trial: Trial) -> list:
        """What a trial left in all that is carried."""
        return [*as_values(trial.outcome, len(self.names)), *(trial.holds(c.location) for c in self.places.values())]

    def _changes(self, test: Trial) -> bool:
        """Whether the condition changed a location, beyond what was put in place for it."""
        placed = dict(zip(self.places, self.seen[len(self.names) :]))
        return any(key not in placed or not same(placed[key], change.after) for key, change in test.changes.items())

    @unwatched
    def _rise(self, trial: Trial) -> bool:
        """Take what the body left into the plans; whether nothing changed."""
        rec, stable = self.rec, True
        if trial.outcome is NEVER:
            return True
        for change in trial.changes.values():
            if change.location.key not in self.places:
                initial = absent_as_unbound(change.location, change.before)
                name = change.location.name
                start = self._start(("location", change.location.key), name, initial)
                self.places[change.location.key] = CarriedLocation(name, initial, start, location=change.location)
                self.seen.append(initial)
                stable = False
        for carried, seen, out in zip(self.carried, self.seen, self._outs(trial)):
            plan = rise(rec, carried.plan, seen, out, carried.name)
            if plan is not carried.plan:
                carried.plan, stable = plan, False
        if self._drop_moot_places():
            stable = False
        if not stable:
            self._remember()
        return stable

    def _drop_moot_places(self) -> bool:
        """Whether something in which a location was carried has become a Value, which holds it now."""
        before = len(self.places)
        self.places = {key: p for key, p in self.places.items() if not self.rec.heap.was_staged_late(p.location)}
        return len(self.places) < before

    def _remember(self) -> None:
        for carried in self.names:
            self.known[carried.name] = carried.plan
        for key, place in self.places.items():
            self.known["location", key] = place.plan

    def _record(self, test: Trial, trial: Trial) -> list:
        with self.rec.opened(test.frame):
            self.rec.emit("yield", [self.rec.condition(test.outcome)])
        return self._record_while(test, trial)

    @unwatched
    def _record_while(self, test: Trial, trial: Trial) -> list:
        rec = self.rec
        if trial.outcome is not NEVER:
            outs = self._outs(trial)
            with rec.opened(trial.frame):
                rec.emit("yield", [v for c, out in zip(self.carried, outs) for v in c.plan.lower(rec, out)])
        inits = [v for c in self.carried for v in c.plan.lower(rec, c.initial)]
        types = [t for c in self.carried for t in c.plan.leaves()]
        op = rec.emit("while", inits, types, blocks=[test.frame.block, trial.frame.block])
        link_results(rec, op.results, [trial.frame.block])
        elements = rec.heap.elements
        for result, *others in zip(op.results, inits, test.frame.block.args, trial.frame.block.args):
            for other in others:
                elements.unify(elements.class_of(result), elements.class_of(other))
        results = iter(op.results)
        values = [c.plan.rebuild(rec, results) for c in self.carried]
        for place, value in zip(self.places.values(), values[len(self.names) :]):
            rec.put(place.location, value)
        names = values[: len(self.names)]
        if not self.runs or trial.outcome is NEVER:
            return names
        return [self._bound(value, out) for value, out in zip(names, self._outs(trial))]

    def _bound(self, value: object, out: object) -> object:
        """A name after a loop that has a turn: it has a value where each turn gives it one, whatever was before the loop."""
        kinds = alternatives(self.rec.type_of(value))
        if len(kinds) != 2 or UNBOUND not in kinds or UNBOUND in alternatives(self.rec.type_of(out)):
            return value
        index = 1 - kinds.index(UNBOUND)
        found = self.rec.emit("sum.get", [self.rec.lower(value)], [kinds[index]], {"index": index})
        return self.rec.wrap(found.result)

    def _record_rotated(self) -> list:
        """The condition changes locations: evaluate it before the loop and at the end of the body, and carry what it gave."""
        rec, condition, body = self.rec, self.condition, self.body
        flag = rec.truth(condition(*(c.initial for c in self.names)))
        names = ("while_condition", *(c.name for c in self.names))

        def again(_: object, *values: object) -> object:
            after = as_values(body(*values), len(values))
            return as_outcome((rec.truth(condition(*after)), *after))

        site = (self.site, "rotated")
        values, cells = [flag, *(c.initial for c in self.names)], self.cells or (condition, body)
        rotated = Loop(rec, lambda flag, *_: flag, again, names, values, site, cells)
        return rotated.run()[1:]


def start_values(rec: Recorder, carried: Carried) -> list:
    """The Values that a carried container starts from, whose element types the trial shares.

    None for what isn't a container.
    """
    leaves = list(carried.plan.leaves())
    if not any(map(holds_container, leaves)):
        return [None] * len(leaves)
    return carried.plan.lower(rec, carried.initial)


def rise_to(rec: Recorder, plan: Plan, initial: object, known: Plan, name: str) -> Plan:
    """A starting plan that already has the types a loop settled on before, where they still fit."""
    if isinstance(known, Leaf):
        if is_absent(initial):
            return known
        leaf = leaf_of(rec, joined_type(rec, known.type, rec.type_of(initial)), name, initial)
        return replace(leaf, is_promoted=leaf.is_promoted or known.is_promoted)
    return plan
