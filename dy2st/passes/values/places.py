"""Elements of sequences: what lies at a Place now, and another value for it."""

from __future__ import annotations

from typing import Any

from ...ir.core import Value
from ...ir.types import BOOL, INT, SequenceType, SumType, TupleType
from .making import NO_CONSTANT, Making, constant_of
from .state import Run
from .things import At, Part, Place, Step


class Places(Making):
    """What reads and writes elements of sequences."""

    def now_at(self, place: Place, value: Value) -> Value:
        """What lies at a Place now, where `value` was read."""
        run = self.run_of(place)
        if run.writes is place.run.writes:
            return value
        if self.has_moved(place):
            self.check_owned(place)
        found = run.value
        for step in place.steps:
            found = self._step(found, step)
        return found

    def put_at(self, place: Place, value: Value) -> None:
        """Another value for what lies at a Place."""
        run = self.check_owned(place)
        made = self._put(run.value, place.steps, value)
        self.state.contents[place.root] = Run(made, run.layouts, owned=run.owned)

    def _step(self, value: Value, step: Step) -> Value:
        if isinstance(step, At):
            assert isinstance(value.type, SequenceType)
            return self.make("sequence.get", [value, self._position(step)], value.type.elem, {"of": "list"})
        if isinstance(step, Part):
            assert isinstance(value.type, TupleType)
            return self.make("tuple.get", [value], value.type.elems[step.number], {"index": step.number})
        assert isinstance(value.type, SumType)
        return self.make("sum.get", [value], value.type.alternatives[step.number], {"index": step.number})

    def _put(self, value: Value, steps: tuple[Step, ...], new: Value) -> Value:
        if not steps:
            return new
        step, *rest = steps
        inner = self._put(self._step(value, step), tuple(rest), new)
        if isinstance(step, At):
            return self.make("sequence.set", [value, self._position(step), inner], value.type)
        if isinstance(step, Part):
            assert isinstance(value.type, TupleType)
            items = [inner if k == step.number else self._step(value, Part(k)) for k in range(len(value.type.elems))]
            return self.tuple_of(value.type, items)
        return self.make("sum.make", [inner], value.type, {"index": step.number})

    def tuple_of(self, type_: TupleType, values: list[Value]) -> Value:
        """A tuple of the class that `type_` is of."""
        attrs: dict[str, Any] = {"name": type_.name, "fields": list(type_.fields)} if type_.name else {}
        return self.make("tuple.new", values, type_.with_parts([v.type for v in values]), attrs)

    def _position(self, step: At) -> Value:
        """The index as one that isn't negative, of the sequence as it was."""
        position = constant_of(step.position)
        if position is not NO_CONSTANT and position >= 0:
            return step.position
        is_negative = self.make("py.lt", [step.position, self.const(0)], BOOL)
        length = self.make("sequence.len", [step.of], INT)
        return self.make("py.add", [step.position, self.make("py.mul", [is_negative, length], INT)], INT)

