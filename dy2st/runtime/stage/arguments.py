"""The containers among the arguments: made anew for each recording, and not to be changed by it."""

from __future__ import annotations

from typing import Any

from ... import pytree
from ...errors import ConversionError
from ...ir.core import Value
from ...ir.flows import field_slot
from ...ops.registry import OPERATORS
from ..heap.redirected import outside_class
from ..heap.staged_objects import user_class
from ..joining.join import same
from ..recorder.recorder import Recorder
from ..tensors.spec import holds_leaf, is_leaf


class Arguments:
    """The lists, dicts, sets and objects in a tree of placeholders, with what each holds at first."""

    def __init__(self, rec: Recorder, tree: Any):
        self._rec = rec
        self._before = [(container, pytree.parts_of(container)) for container in born_in(rec, tree)]

    def refuse_changed(self, function: Any) -> None:
        """ConversionError where the function has changed one: a Program gets what it holds, not the caller's object."""
        written = self._written()
        for container, parts in self._before:
            staged = self._rec.heap.staged(container)
            last = self._rec.heap.parts_before.get(id(container))
            if last is not None:  # of a subclass, for which a twin stands by now
                changed = self._may_be_written(staged, written) or not _same_parts(last, parts)
            elif staged is not None:
                changed = self._rec.lower(staged) in written
            else:
                changed = not _same_parts(pytree.parts_of(container), parts)
            if changed:
                name = user_class(container).__name__ if staged is container else outside_class(container).__name__
                raise ConversionError(
                    f"{function.__qualname__} changes a {name} that it was given as an argument; a Program can't "
                    "change the caller's object: return the new one instead",
                    function.__code__.co_filename,
                    function.__code__.co_firstlineno,
                )

    def _written(self) -> set[Value]:
        """The containers that an Operation writes to."""
        ops = self._rec.program.walk()
        return {op.operands[0] for op in ops if op.name in OPERATORS and 0 in OPERATORS[op.name].mutates}

    def _may_be_written(self, obj: Any, written: set[Value]) -> bool:
        """Whether an Operation writes to what may be this object, or what holds its items."""
        elements = self._rec.heap.elements
        own = elements.class_of(self._rec.lower(obj))
        assert own is not None
        return any(elements.class_of(value) in (own, own.inner(field_slot("_items"))) for value in written)


def born_in(rec: Recorder, tree: Any) -> list[Any]:
    """The containers of a tree: they are born in the recording, as those that the function makes; other objects are guarded."""
    if is_leaf(tree):
        return []
    if pytree.kind_of(tree) is None or (pytree.is_object(tree) and not holds_leaf(tree)):
        rec.facts.guards.watch(tree)
        return []
    found = [container for _, part in pytree.parts_of(tree) for container in born_in(rec, part)]
    return found if isinstance(tree, tuple | frozenset) else [*found, rec.new(tree)]


def _same_parts(now: list, before: list) -> bool:
    return len(now) == len(before) and all(key == old_key and same(x, y) for (key, x), (old_key, y) in zip(now, before))
