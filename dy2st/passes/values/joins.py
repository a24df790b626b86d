"""Where two paths meet: what they leave on the heap, and what they hand on, becomes results of an `if`.

    if %p:                                  %xs_next = if %p : sequence<float32[3]>
      then:                                   then:
        list.append %xs, %a          ->         %0 = sequence.append %xs_now, %a
        yield                                   yield %0
      else:                                   else:
        yield                                   yield %xs_now

1. A Value that is the same on both paths stays. Of others, one more result.
2. Tuples, and sums with references in them, are joined part by part.
3. A Location that is known on both paths is joined with itself. Two that nobody else knows are one from here on, and what they
   hold is joined. Any other two are a Choice by the condition.
4. Lists of one known length are joined item by item, other lists as sequences.
5. A path that has raised leaves what is read then, such as state and arguments. Of all else it gives `undef`, which nobody reads.
"""

from __future__ import annotations

from typing import Any

from ...ir.core import Value
from ...ir.types import BOOL, INT, CellType, ClassType
from .joined_things import JoinedThings
from .refusals import refuse
from .state import Content, Fields, Held, Listed, Run, State, holds_same, merged_order, things_in
from .things import Location, Thing


class Join(JoinedThings):
    """The `if` that two paths make."""

    def run(self) -> list[Thing] | None:
        """Append the `if`; what both paths hand on, None where neither does."""
        for arm in self.arms:
            arm.look(self.walk, self.after)
        self._keep_known()
        first, second = (arm.things for arm in self.arms)
        things = self._handed_on(first, second)
        state = State(frozen=dict(self.start.frozen), error=self._error())
        for location, before in self.start.contents.items():
            if all(arm.state.contents.get(location) is before for arm in self.arms):
                state.contents[location] = before
        while self.waiting:
            location, a, b = self.waiting.pop()
            content, known = self._content(location, a, b), self.start.contents.get(location)
            if content is not None:
                state.contents[location] = known if known is not None and holds_same(content, known) else content
        for k, arm in enumerate(self.arms):
            for location, op in arm.state.frozen.items():
                state.frozen.setdefault(self.stands_for[k].get(location, location), op)
        if first is None and second is None:  # nobody reads what isn't left
            for location, content in self.start.contents.items():
                state.contents.setdefault(location, content)
        self.build()
        self.walk.state = state
        return things

    def _handed_on(self, first: list[Thing] | None, second: list[Thing] | None) -> list[Thing] | None:
        if first is not None and second is not None:
            return [self.thing(a, b) for a, b in zip(first, second, strict=True)]
        if first is None and second is None:
            return None
        return [self.thing(x, None) for x in first] if first is not None else [self.thing(None, x) for x in second or ()]

    def _keep_known(self) -> None:
        """Case 3: what somebody uses later keeps its identity."""
        for location in dict.fromkeys([*self.start.contents, *self.walk.roots]):
            if any(location in arm.known for arm in self.arms):
                self.stand(location, *[location if location in arm.alive else None for arm in self.arms])

    def _error(self) -> Value | None:
        errors = [arm.state.error for arm in self.arms]
        if errors == [None, None]:
            return None
        for k, arm in enumerate(self.arms):
            if errors[k] is None:
                with self.walk.inside(arm.block):
                    errors[k] = self.walk.const(0)
        return self.column(errors[0], errors[1], INT)

    # --- contents ------------------------------------------------------------------------------------------------------

    def _content(self, location: Location, a: Location | None, b: Location | None) -> Content | None:
        first = None if a is None else self.arms[0].state.contents.get(a)
        second = None if b is None else self.arms[1].state.contents.get(b)
        if first is None or second is None:
            present = second if first is None else first
            return None if present is None else self._content_of_one(0 if second is None else 1, present)
        if first is second and all(map(self.is_itself, things_in(first))):
            return first
        if isinstance(first, Listed) and isinstance(second, Listed) and len(first.things) == len(second.things):
            elem = self.walk.types.part(location.type)
            return Listed(tuple(self.thing(x, y, elem) for x, y in zip(first.things, second.things)))
        if isinstance(first, Fields) and isinstance(second, Fields):
            return self._fields(first, second, location)
        if isinstance(first, Held) and isinstance(second, Held):
            declared = location.type.elem if isinstance(location.type, CellType) else None
            return Held(self.thing(first.thing, second.thing, declared))
        assert a is not None and b is not None
        runs = [self._run(k, x) for k, x in enumerate((a, b))]
        layouts = tuple(x if x is y else object() for x, y in zip(runs[0].layouts, runs[1].layouts))
        writes = runs[0].writes if runs[0].writes is runs[1].writes else object()
        value = self.column(runs[0].value, runs[1].value, self.walk.types.of(location.type))
        return Run(value, layouts, writes, runs[0].owned and runs[1].owned)

    def _content_of_one(self, k: int, content: Content) -> Content:
        def lifted(thing: Thing) -> Thing:
            return self.thing(thing, None) if k == 0 else self.thing(None, thing)

        if isinstance(content, Listed):
            return Listed(tuple(map(lifted, content.things)))
        if isinstance(content, Fields):
            flags = {name: self.value(k, flag) for name, flag in content.present.items()}
            return Fields({name: lifted(thing) for name, thing in content.things.items()}, flags)
        if isinstance(content, Held):
            return Held(lifted(content.thing))
        return Run(self.value(k, content.value), content.layouts, content.writes, content.owned)

    def _fields(self, first: Fields, second: Fields, location: Location) -> Content:
        type_ = location.type
        if isinstance(type_, ClassType):
            mine, theirs = (self.at_end(k, self.walk.all_fields, x, type_).things for k, x in enumerate((first, second)))
            return Fields({name: self.thing(mine[name], theirs[name], t) for name, t in self.walk.types.fields_of(type_).items()})
        names = merged_order(list(first.things), list(second.things))
        if names is None:
            raise refuse(self.op, "the keys of a dict have another order on one path; make a new dict of them in one order")
        things = {name: self.thing(first.things.get(name), second.things.get(name)) for name in names}
        unsure = [name for name in names if not (first.has(name) and second.has(name))]
        return Fields(things, {name: self._flag(first, second, name) for name in unsure})

    def _flag(self, first: Fields, second: Fields, name: Any) -> Value:
        """Whether a key is there."""
        flags = []
        for k, fields in enumerate((first, second)):
            known = fields.present.get(name)
            flags.append(known if known is not None else self.at_end(k, self.walk.const, fields.has(name)))
        return self.column(flags[0], flags[1], BOOL)

    def _run(self, k: int, location: Location) -> Run:
        return self.at_end(k, self.walk.as_run, location, self.after, self.arms[k].things or ())
