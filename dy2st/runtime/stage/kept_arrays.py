"""NumPy arrays that a Program would keep, where the call leaves them, as Tensors: refused at the line that puts them there.

A Program knows tensors only: what stands for an array is one, and nobody can tell when the Program runs. So it is followed
when the recording is over: from the arrays that became Values, through operators, paths, loops and containers.

    v = np.ones(2) if x.sum() > 0 else np.zeros(2)
    self.log.append(v + 1)          # plain Python keeps an array: ConversionError; paddle.to_tensor(v + 1) is kept as it is
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import numpy as np

from ... import pytree
from ...errors import ConversionError
from ...ir.core import Operation, Program, Value
from ...ir.flows import RESULT, flows_of
from ...ir.types import SumType, TensorType, TupleType, Type
from ...ops.registry import OPERATORS
from ..heap.elements import ElementClass, Elements
from ..outside.facts import StateSlot
from ..recorder.recorder import Recorder
from ..where.tracebacks import lead_through

KEPT = (
    "a NumPy array or number would be a Tensor after the call; write dy2st.to_tensor(value), or store it outside of the function"
)
THROWN = "the exception holds a NumPy array or number, which a Program would give as a Tensor; give it dy2st.to_tensor(value)"
MAKES_TENSORS = ("assign", "detach")  # what `to_tensor` and `clone` are
Place = Hashable  # a Value, or a slot of an element class


def refuse_kept_arrays(rec: Recorder, state: Iterable[StateSlot]) -> None:
    """ConversionError where an array outlives the call, in state or in what an argument holds, or an exception takes it along."""
    slots = list(state)
    held = [slot for slot in slots if slot.holds_arrays]
    if not (rec.arrays or held):
        return
    found = _Arrays(rec.program, rec.heap.elements)
    found.begin_with([*rec.arrays, *_read_from(rec.program, {slot.name for slot in held})])
    found.follow()
    outside = {slot.found for slot in slots} | {rec.heap.elements.class_of(value) for value in rec.program.entry.block.args}
    for op, text in found.leaving(_reached(outside)):
        raise lead_through(op.loc, ConversionError(f"{op.loc}: {text}"))


def holds_arrays(value: object) -> bool:
    """Whether a live value is or holds a NumPy array or number."""
    return any(isinstance(part, np.ndarray | np.generic) for part in pytree.nodes(value, pytree.held_in))


def _read_from(program: Program, names: set[str]) -> Iterator[Value]:
    """What is read from state of these names."""
    for op in program.walk():
        if op.name == "state.get" and op.attrs["name"] in names:
            yield op.results[0]


def _reached(classes: Iterable[ElementClass | None]) -> set[ElementClass]:
    """These element classes, and those of what lies in them."""
    found: set[ElementClass] = set()
    pending = [*classes]
    while pending:
        own = pending.pop()
        if own is not None and (own := own.find()) not in found:
            found.add(own)
            pending += [slot.inner for slot in own.slots.values()]
    return found


class _Arrays:
    """The places of a Program where an array may be."""

    def __init__(self, program: Program, elements: Elements):
        self._program, self._elements = program, elements
        self._places: set[Place] = set()

    def begin_with(self, values: Iterable[Value]) -> None:
        """These Values are or hold arrays."""
        for value in values:
            own = self._elements.class_of(value)
            if own is None or _may_be_array(value.type):
                self._places.add(value)
            for inner in _reached([own]):
                self._places.update((inner, key) for key, slot in inner.slots.items() if _may_be_array(slot.type))

    def follow(self) -> None:
        """Find all places, until there are no more."""
        before = -1
        while len(self._places) != before:
            before = len(self._places)
            for op in self._program.walk():
                self._places.update(target for source, target in self._handed_on(op) if source in self._places)
                if self._computes(op):
                    self._places.update(op.results)

    def leaving(self, outside: set[ElementClass]) -> Iterator[tuple[Operation, str]]:
        """The Operations that put an array where the call leaves it, each with what is said of that."""
        for op in self._program.walk():
            if op.name in ("raise", "exception.new") and any(value in self._places for value in op.operands):
                yield op, THROWN
            elif op.name == "state.set" and op.operands[0] in self._places:
                yield op, f"{op.attrs['name'].removeprefix('globals.')} = ...: {KEPT}"
            for source, target in self._handed_on(op):
                if source in self._places and isinstance(target, tuple) and target[0] in outside:
                    yield op, KEPT

    def _computes(self, op: Operation) -> bool:
        """Whether an operator on arrays alone gives an array: where one is a Tensor, the result is."""
        if op.name not in OPERATORS or op.name in MAKES_TENSORS or OPERATORS[op.name].flows:
            return False
        tensors = [value for value in op.operands if isinstance(value.type, TensorType)]
        return bool(tensors) and all(value in self._places for value in tensors)

    def _handed_on(self, op: Operation) -> Iterator[tuple[Place, Place]]:
        """From which places to which an Operation hands values on."""
        if op.name == "while":
            cond, body = op.blocks
            for start, *later in zip(op.operands, cond.args, body.args, op.results):
                yield from ((start, place) for place in later)
            for value, *later in zip(body.yielded, cond.args, body.args, op.results):
                yield from ((value, place) for place in later)
        elif op.name == "call":
            body = self._program.functions[op.attrs["function"]].block
            yield from zip(op.operands, body.args)
            end = body.terminator
            yield from zip(end.operands if end is not None and end.name == "return" else (), op.results)
        else:
            for block in op.blocks:
                yield from zip(block.yielded, op.results)
        for flow in flows_of(op, OPERATORS):
            sources, targets = (list(self._at(op, end.of, end.slots)) for end in flow)
            yield from ((source, target) for source in sources for target in targets)

    def _at(self, op: Operation, number: int, slots: tuple[Hashable, ...]) -> Iterator[Place]:
        """The places that an end of a flow may mean: the Value, and slots of its element class."""
        value = op.result if number == RESULT else op.operands[number]
        own = self._elements.class_of(value)
        if own is None or not slots:
            yield value
        else:
            yield from self._elements.places(op, own, slots)


def _may_be_array(type_: Type) -> bool:
    """Whether a value of this type, or an item of a tuple of it, may be one."""
    if isinstance(type_, TupleType | SumType):
        return any(map(_may_be_array, type_.parts()))
    return isinstance(type_, TensorType)
