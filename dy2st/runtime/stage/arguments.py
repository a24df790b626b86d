"""The arguments of a function while it is staged.

A list, dict, set or object is made anew of its parts for each recording, so staging sees what it holds. Where the function
changes one, staging starts again with it as one input, which the Program changes as the function would:

    def push(xs, x):                 def main(%xs: list<float32[2]>, %x: float32[2]) -> none:
        xs.append(x)                   list.append %xs, %x
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ... import pytree
from ...errors import ConversionError
from ...ir.core import Value
from ...ir.flows import field_slot
from ...ir.types import NEVER
from ...ops.registry import OPERATORS
from ..heap.elements import ElementClass, holds_object, join_shared, knows_more
from ..joining.join import same
from ..outside.facts import Facts
from ..outside.roots import NAMED
from ..recorder.recorder import Recorder
from ..tensors.spec import ValueSpec, has_parts, is_leaf, leaves
from .entering_state import inner_class, type_outside, ways_in


class Changed(ValueSpec):
    """A container or object that the function changes: an input as a whole. original: the tree of InputSpecs that it was."""

    def __init__(self, original: Any, name: str):
        super().__init__(NEVER, name)
        self.original = original
        self.known: ElementClass | None = None  # what the last recording has found in the objects in it


class Outermost:
    """A mutable container or object that lies in nothing but tuples. name: what it is called; inside: the ids of all in it."""

    def __init__(self, tree: Any, name: str):
        self.tree, self.name = tree, name
        self.inside = frozenset(id(part) for part in mutable_in(tree))


class Arguments:
    """The arguments of one function through all its recordings. args, kwargs: trees with InputSpecs in the place of tensors."""

    def __init__(self, function: Any, is_method: bool, facts: Facts, args: tuple, kwargs: dict):
        self._function, self._facts = function, facts
        self._tree = (args, kwargs)
        self._names = _names(function.__code__, is_method, len(args))
        self._outermost: dict[int, Outermost] = {}  # by the id of the container in the tree
        for tree, name in (*zip(args, self._names), *((tree, name) for name, tree in kwargs.items())):
            self._outermost.update((id(outermost.tree), outermost) for outermost in _outermost_in(tree, name))
        self.changed: dict[int, Changed] = {}  # by the same
        facts.change_argument = self._change_part

    def begin(self, rec: Recorder) -> list[Any]:
        """A recording starts: the leaves of the tree, which are the inputs of the Program."""
        self._rec = rec
        self._staged: dict[int, tuple[Any, Any]] = {}  # id of a container in the tree -> it, and what stands for it
        self._before: list[tuple[Outermost, Any, list]] = []  # what a container that is made anew, and lies in that, holds
        self._frozen: list[tuple[str, Any, list]] = []  # the argument, a tuple or frozenset in it, and its parts
        for changed in self.changed.values():
            changed.type = join_shared(changed.type, type_outside(rec, changed.original))
        return list(leaves(with_changed(self._tree, self.changed)))

    def placeholders(self, inputs: Iterator[Any]) -> tuple[tuple, dict]:
        """What the function is called with, of what stands for the inputs."""
        args, kwargs = self._tree
        positional = tuple(self._placeholder(x, name, None, inputs) for x, name in zip(args, self._names))
        named = {name: self._placeholder(x, name, None, inputs) for name, x in kwargs.items()}
        self._unify_shared()
        return positional, named

    def _unify_shared(self) -> None:
        """A container that lies in several inputs is one: what is stored in it by one name is found by the others."""
        known: dict[int, ElementClass] = {}
        for key, changed in self.changed.items():
            for part, own in element_classes(changed.original, self._class_of(self._staged[key][1])):
                self._rec.heap.elements.unify(known.setdefault(id(part), own), own)

    def _placeholder(self, tree: Any, name: str, outermost: Outermost | None, inputs: Iterator[Any]) -> Any:
        if is_leaf(tree):
            return next(inputs)
        if not has_parts(tree):
            self._enter_object(tree, name)
            return tree
        if id(tree) not in self._staged:
            if id(tree) in self.changed:
                made = self._enter_changed(self.changed[id(tree)], next(inputs))
            else:
                made = self._made_anew(tree, name, outermost, inputs)
            self._staged[id(tree)] = (tree, made)
        return self._staged[id(tree)][1]

    def _enter_object(self, tree: Any, name: str) -> None:
        """An object without a tensor is the caller's own; what the function changes of it is state."""
        self._facts.guards.watch(tree)
        if type(tree) not in NAMED:
            self._facts.roots.begin_at(f"arguments.{name}", tree)

    def _enter_changed(self, changed: Changed, made: Any) -> Any:
        own = self._class_of(made)
        if own is not None and changed.known is not None:
            self._rec.heap.elements.recall(own, changed.known, {})
        return made

    def _made_anew(self, tree: Any, name: str, outermost: Outermost | None, inputs: Iterator[Any]) -> Any:
        outermost = outermost or self._outermost.get(id(tree))
        parts = [self._placeholder(part, name, outermost, inputs) for _, part in pytree.parts_of(tree)]
        made = pytree.rebuilt(tree, parts)
        if outermost is not None and not pytree.is_frozen(type(tree)):
            self._before.append((outermost, self._rec.new(made), pytree.parts_of(made)))
        if pytree.is_frozen(type(tree)):
            self._frozen.append((name, made, pytree.parts_of(made)))
        return made

    # --- what the function has done to them ----------------------------------------------------------------------------

    def learn(self) -> bool:
        """Whether it has changed what it wasn't known to change, or what it changes holds more than was known."""
        news = [self._learn_kinds(self.changed[key], made) for key, (_, made) in self._staged.items() if key in self.changed]
        self._refuse_lost()
        written = self._written()
        changed = [outermost for outermost, made, parts in self._before if self._is_changed(made, parts, written)]
        for outermost in changed:
            self._change(outermost)
        return bool(changed) or any(news)

    def _refuse_lost(self) -> None:
        """ConversionError where a tuple or frozenset has got another attribute: the function has changed a copy."""
        for name, made, parts in self._frozen:
            if not _same_parts(pytree.parts_of(made), parts):
                raise ConversionError(
                    f"an attribute of a {type(made).__name__} in the argument {name} is stored, and the Program knows that by "
                    "what it holds, of which one is a tensor; keep what changes in an object of your own"
                )

    def _change_part(self, part: Any) -> bool:
        """Note that what lies in an argument will be changed; whether it lies in one."""
        holders = [outermost for outermost, made, _ in self._before if made is part]
        for outermost in holders:
            self._change(outermost)
        return bool(holders)

    def _change(self, outermost: Outermost) -> None:
        """The function changes what is in an argument, and so in all that share a part with it."""
        if id(outermost.tree) not in self.changed:
            self.changed[id(outermost.tree)] = Changed(outermost.tree, outermost.name)
            for other in self._outermost.values():
                if outermost.inside & other.inside:
                    self._change(other)

    def _learn_kinds(self, changed: Changed, made: Any) -> bool:
        risen = join_shared(changed.type, self._rec.type_of(made))
        news, changed.type = risen != changed.type, risen
        if not holds_object(risen):
            return news
        before, changed.known = changed.known, self._class_of(made)
        return news or before is None or knows_more(changed.known, before, set())  # type: ignore[arg-type]

    def _class_of(self, made: Any) -> ElementClass | None:
        return self._rec.heap.elements.class_of(self._rec.lower(made))

    def _written(self) -> set[Value]:
        """The containers that an Operation writes to."""
        ops = self._rec.program.walk()
        return {op.operands[0] for op in ops if op.name in OPERATORS and 0 in OPERATORS[op.name].mutates}

    def _is_changed(self, container: Any, parts: list, written: set[Value]) -> bool:
        heap = self._rec.heap
        staged = heap.staged(container)
        if staged is not None and self._may_be_written(staged, written):
            return True
        return not _same_parts(pytree.parts_of(container) if staged is None else heap.parts_before[id(container)], parts)

    def _may_be_written(self, obj: Any, written: set[Value]) -> bool:
        """Whether an Operation writes to what may be this object, or what holds its items."""
        elements, own = self._rec.heap.elements, self._class_of(obj)
        assert own is not None
        return any(elements.class_of(value) in (own, own.inner(field_slot("_items"))) for value in written)


def with_changed(tree: Any, changed: Mapping[int, ValueSpec], made: dict[int, Any] | None = None) -> Any:
    """A tree of InputSpecs with one leaf in the place of each container that is an input as a whole. made: by id, so far."""
    made = {} if made is None else made
    if id(tree) in changed:
        return changed[id(tree)]
    if not changed or is_leaf(tree) or not has_parts(tree):
        return tree
    if id(tree) not in made:
        parts = [part for _, part in pytree.parts_of(tree)]
        new = [with_changed(part, changed, made) for part in parts]
        made[id(tree)] = tree if all(a is b for a, b in zip(parts, new)) else pytree.rebuilt(tree, new)
    return made[id(tree)]


def inputs_in(tree: Any, value: Any) -> Iterator[Any]:
    """What a call gives for the leaves of a tree of InputSpecs: `value` has its structure."""
    return _inputs_in(tree, value, {})


def _inputs_in(tree: Any, value: Any, entered: dict[int, Any]) -> Iterator[Any]:
    if id(tree) in entered:
        return
    if is_leaf(tree):
        entered.update({id(tree): tree} if isinstance(tree, ValueSpec) else {})
        yield value
    elif has_parts(tree):
        entered[id(tree)] = tree
        for (_, part), (_, held) in zip(pytree.parts_of(tree), pytree.parts_of(value)):
            yield from _inputs_in(part, held, entered)


def _outermost_in(tree: Any, name: str) -> Iterator[Outermost]:
    """The mutable containers and objects in a tree that lie in no other."""

    def inside(name: str, part: Any) -> list[tuple[str, Any]]:
        parts = pytree.items_of(part) if isinstance(part, tuple) else ()
        return [(f"{name}[{number}]", inner) for number, inner in enumerate(parts)]

    for at, part in pytree.placed(name, tree, inside):
        if _is_entered(part) and not isinstance(part, tuple):
            yield Outermost(part, at)


def mutable_in(tree: Any) -> Iterator[Any]:
    """The containers and objects in a tree that can be changed."""
    inside = pytree.nodes(tree, lambda part: pytree.items_of(part) if _is_entered(part) else ())
    return (part for part in inside if _is_entered(part) and not pytree.is_frozen(type(part)))


def _is_entered(part: Any) -> bool:
    return not is_leaf(part) and has_parts(part)


def element_classes(tree: Any, own: ElementClass | None) -> Iterator[tuple[Any, ElementClass]]:
    """The containers and objects in a tree that is one Value, with the classes of their elements; `own` is that of the tree."""


    def inside(own: ElementClass | None, part: Any) -> list[tuple[ElementClass | None, Any]]:
        return [(inner_class(own, way), inner) for way, inner in ways_in(part)] if own is not None and _is_entered(part) else []

    for cls, part in pytree.placed(own, tree, inside):
        if cls is not None and _is_entered(part) and not pytree.is_frozen(type(part)):
            yield part, cls


def _names(code: Any, is_method: bool, count: int) -> list[str]:
    """What the positional arguments are called: those of `*args` by their number."""
    names = list(code.co_varnames[is_method : code.co_argcount])
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if count > len(names) else ""
    return names[:count] + [f"{rest}_{i}" for i in range(count - len(names))]


def _same_parts(now: list, before: list) -> bool:
    return len(now) == len(before) and all(key == old_key and same(x, y) for (key, x), (old_key, y) in zip(now, before))
