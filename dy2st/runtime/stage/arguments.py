"""The containers among the arguments: made anew for each recording, and not to be changed by it."""

from __future__ import annotations

from typing import Any

from ... import pytree
from ...errors import ConversionError
from ...ir.core import Value
from ...ops.registry import OPERATORS
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
            if self._rec.lower(staged) in written if staged is not None else not _same_parts(pytree.parts_of(container), parts):
                name = user_class(container).__name__ if staged is container else type(container).__name__
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
