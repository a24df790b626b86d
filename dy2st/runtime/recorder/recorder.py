"""The recorder: the mode in which calling an operator appends an Operation to the Program."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from types import FunctionType, ModuleType
from typing import Protocol

import numpy as np

from ...errors import ConversionError, DTypeError, StagedValueError
from ...ir.core import Operation, Ref, State, Value, map_leaves, refs_unknown
from ...ir.types import NEVER, NONE, SumType, TensorType, Type
from ...ops import dispatch
from ...ops.lengths import narrow_result
from ...ops.open_lengths import fits
from ...ops.registry import OpDef, infer_types, lookup
from ...ops.torch_errors import in_torch, kind_of
from ..engine.exceptions import known_exception, of_torch
from ..heap import natives
from ..heap.elements import join_shared, under_key
from ..heap.frames import Frame
from ..heap.heap import Heap, numpy_key, poison_in
from ..heap.identity import SCALARS
from ..heap.journal import Change, Contents, Gradient, Journal, Location
from ..heap.markers import Restage
from ..heap.promoted import Promoted
from ..outside.facts import Facts, StateSlot
from ..proxies import (
    SCALAR_PROXIES,
    Staged,
    StagedBool,
    StagedContainer,
    StagedInt,
    StagedList,
    StagedNumber,
    StagedSum,
    as_own,
    index_operand,
    on_kinds,
)
from ..tensors.grad_mode import _enabled
from ..tensors.gradient_marks import is_structural
from ..tensors.tensor import Tensor
from ..where.faults import as_the_user
from ..where.per_code import is_comparison
from ..where.profiling import unwatched
from ..where.user_code import user_instruction, user_loc
from . import refusals
from .fates import Fates
from .handling import Handling, on_top
from .iterators import Iterators
from .no_grad import cut_off, without_history
from .own_equality import COMPARING, HASHING, SORTS, refuse_own_equality
from .try_bodies import Thrown, may_raise
from .unfit_operands import bound_again
from .values import Values

# Operands of which no code of the user's tells the Value, and whose Value isn't one of several kinds.
PLAIN = {Tensor, bool, int, float, str, *SCALAR_PROXIES.values()}


INDICES = (int, StagedInt, StagedBool)


class InFrame(Protocol):
    """A loop, and the Frame in which it is recorded."""

    frame: Frame

    def carry(self, tensor: object) -> None: ...


class Subscripted(Protocol):
    """What `convert.at` gives: a value, ready to be subscripted."""

    def __getitem__(self, index: object) -> object: ...
    def __setitem__(self, index: object, item: object) -> None: ...
    def __delitem__(self, index: object) -> None: ...


KEEPING_KEYS = {"dict.set", "dict.setdefault", "set.add"}  # operators that put in the key that they are given
KEYED = KEEPING_KEYS | {"dict.get", "dict.get_default", "dict.pop", "dict.delete", "dict.contains"}  # operand 1 is a key
KEYED |= {"set.contains", "set.discard", "set.remove"}


class Converters(Protocol):
    """What the Recorder asks of the rooms above it, which convert the user's code."""

    @property
    def namespace(self) -> ModuleType: ...  # what generated code knows as `_jst`
    def convert_call(self, function: object) -> Callable: ...
    def generator_of(self, rec: Recorder, function: FunctionType) -> Callable: ...
    def at(self, value: object) -> Subscripted: ...
    def listed(self, values: object) -> list | StagedList: ...
    def on_alternatives(self, rec: Recorder, staged: StagedSum, function: Callable, unbound: bool) -> object: ...
    def choose(
        self, rec: Recorder, condition: Value, true_fn: Callable, false_fn: Callable, names: tuple, args: tuple, exact: bool
    ) -> object: ...
    def identity(self, a: object, b: object) -> object: ...
    def negation(self, value: object) -> object: ...


class Recorder(Values, dispatch.Mode):
    """Builds one Program.

    The open Blocks, the heap of the code being staged, the journal, and what staging has learnt (`facts`).
    """

    records = True

    def __init__(self, facts: Facts, names: dict[int, str], calls: Converters):
        super().__init__(facts, names)
        self.heap = Heap(self)
        self.program.errors = facts.policy.errors
        self.rec = self  # as a Mode, and as those that work for it call it
        self.calls = calls
        self.journal = Journal()
        self.iterators = Iterators(self.heap)
        self.fates = Fates()
        self.handling = Handling()
        self.promoted = Promoted()
        self.exceptions: dict[str, type] = {}
        self.failures: dict[Operation, str] = {}  # what raises by itself, not by a `raise` of the user's
        self.refused = ""  # what was last said of a value that isn't known while staging
        self.streams = {"stdout": sys.stdout, "stderr": sys.stderr}  # where a Program prints to
        self.callees: dict[tuple, str] = {}  # the Functions that were taken from finished Programs
        self.entering: dict[object, Callable] = {}  # what to call in place of functions of the user's
        self.foreign: dict[object, Callable] = {}  # what to call in place of functions of libraries
        self.kept_results: list[tuple] = []  # lists that they keep: each with its contents, and words for it
        self.cached: dict[object, object] = {}  # what functions that keep their results have given
        self.spelled: set[int] = set()  # the ids of what `repr` is being asked for
        self.compared: set[tuple[str, int, int]] = set()  # the comparisons that are under way
        self.acting: list[object] = []  # the functions that were told to do something outside, and run
        self.loops: list[InFrame] = []  # the `control.loop.Loop`s whose bodies are being run
        self.tensor_writes: list[Operation] = []  # what writes tensors in place
        self.checks_at_end: list[Callable[[], None]] = []  # of answers that a later turn of a loop may change

    # --- operators -----------------------------------------------------------------------------------------------------

    def bind(self, definition: OpDef, operands: tuple, attrs: dict[str, object]) -> object:
        """Record one operator."""
        if definition.name in KEYED and isinstance(operands[1], np.generic):
            operands = (operands[0], self._key_of_python(definition, operands[1]), *operands[2:])
        if definition.incoming or definition.indices:
            operands = self._entered(definition, operands)
            if not all(isinstance(operands[k], INDICES) for k in definition.indices if k < len(operands)):
                return self._bound_again(definition, operands, attrs, DTypeError("an index is an int"))
        if definition.raises and not (definition.safe_on is not None and definition.safe_on(self.type_of(operands[0]))):
            self.may_raise(self._thrown(definition.name, operands, attrs, definition.raises))
        if PLAIN.issuperset(map(type, operands)):
            try:
                return self._record_plain(definition, operands, attrs)
            except DTypeError as error:
                return self._bound_again(definition, operands, attrs, error)
        values = [self.lower(x) for x in operands]
        for value, operand in zip(values, operands):
            if type(value.type) is SumType and definition.name.partition(".")[0] not in ("list", "dict", "set", "tuple"):
                assert isinstance(operand, StagedSum)
                return self.on_alternatives(operand, partial(_rebound, definition, operands, attrs, operand))
        try:
            return self._record(definition, operands, values, attrs)
        except DTypeError as error:
            return self._bound_again(definition, operands, attrs, error)

    def _bound_again(self, definition: OpDef, operands: tuple, attrs: dict[str, object], error: DTypeError) -> object:
        return bound_again(self, definition, operands, attrs, error, lambda *others: self.bind(definition, others, attrs))

    def _key_of_python(self, definition: OpDef, key: object) -> object:
        """What finds the same as a NumPy number or text does. ConversionError where the key itself would be kept."""
        if definition.name in KEEPING_KEYS:
            raise numpy_key(self.here(), definition.name.partition(".")[0], key)
        assert isinstance(key, np.generic)
        return key.item()

    def _entered(self, definition: OpDef, operands: tuple) -> tuple:
        """The operands. As in an assignment, what goes into a container is known before the index that says where."""
        for flow in reversed(definition.incoming):
            self.lower(operands[flow.source.of])
        return tuple(index_operand(x) if k in definition.indices else x for k, x in enumerate(operands))

    @unwatched
    def _record_plain(self, definition: OpDef, operands: tuple, attrs: dict[str, object]) -> object:
        return self._record(definition, operands, [self.lower(x) for x in operands], attrs)

    @unwatched
    def _record(self, definition: OpDef, operands: tuple, values: list[Value], attrs: dict[str, object]) -> object:
        if not _enabled.get():
            values = without_history(self, definition, values)
        if definition.name.startswith(HASHING) or definition.name in COMPARING or definition.name in SORTS:
            refuse_own_equality(self, definition.name, values)
        n_positional = len(values)
        stored, known = self._attributes(attrs, values) if attrs else (attrs, attrs)
        operand_types = [self.type_of_value(v) for v in values[:n_positional]]
        if definition.is_keyed:
            operand_types[0] = under_key(operand_types[0], values[1])
        types = self._inferred(definition, operand_types, known)
        op = Operation(definition.name, values, stored, types, (), self.here(), self.path, n_positional)
        if n_positional < len(values):
            narrow_result(op)
        if not fits(op):
            self.may_raise(self._thrown(definition.name, operands, attrs, ["ShapeError"]))
        self.append(op)
        if definition.mutates and not is_structural(definition):
            self.tensor_writes.append(op)
        if definition.mutates and isinstance(operands[0], StagedList):
            self.heap.note_mutation(operands[0])
        self.heap.elements.link(op)
        if definition.raises and NEVER in types:
            self.end_dead(definition.raises[0])  # an element of what is always empty: the operation raises whenever it runs
        if definition.mutates and operands and isinstance(operands[definition.mutates[0]], Tensor) and len(types) <= 1:
            return operands[definition.mutates[0]]
        given = op.results if _enabled.get() else cut_off(self, definition, op.results)
        self.promoted.follow(self.here(), definition, operands, given)
        sources = None if is_structural(op) else operands if definition.grad is not None else ()
        results = [self.wrap(v, sources if _enabled.get() else ()) for v in given]
        return results[0] if len(results) == 1 else tuple(results) if results else None

    def _inferred(self, definition: OpDef, types: list[Type], attrs: dict[str, object]) -> tuple[Type, ...]:
        """The types of what an operator gives; an error has the class that it has in the Program."""
        try:
            return infer_types(definition, types, attrs)
        except (ValueError, TypeError, IndexError) as error:
            kind = kind_of(error)
            if not (self.program.errors and kind):
                raise
            has_tensors = any(isinstance(type_, TensorType) for type_ in types)
            raise of_torch(error, in_torch(definition.name, attrs, has_tensors, kind)) from None

    def _thrown(self, operator: str, operands: tuple, attrs: dict[str, object], names: Iterable[str]) -> list[Thrown]:
        """What an operator may raise that raises exceptions of these names."""
        if self.program.errors:
            has_tensors = any(isinstance(operand, Tensor) for operand in operands)
            names = {in_torch(operator, attrs, has_tensors, name): name for name in names}
        return [Thrown(cls) for cls in map(known_exception, names) if cls is not None]

    def _attributes(self, attrs: dict[str, object], values: list[Value]) -> tuple[dict, dict]:
        """The attributes as they are stored (staged leaves become operands and `Ref`s) and as inference sees them."""

        def reference(leaf: object) -> object:
            if not isinstance(leaf, Staged | Tensor):
                return leaf
            value = self.lower(lookup("py.item")(leaf) if isinstance(leaf, Tensor) else leaf)
            if value not in values:
                values.append(value)
            return Ref(values.index(value))

        stored = map_leaves(attrs, reference)
        return stored, refs_unknown(stored)

    def may_raise(self, thrown: list[Thrown]) -> None:
        """An operation that may raise comes next: what Python code has stored by now must be stored in the Program."""
        self._settle_variables()
        if self.facts.swaps and any(map(self._is_native, self.journal.pending(1))):
            raise ConversionError(refusals.raises_too_late(self.here()))
        may_raise(self, thrown)

    def _is_native(self, change: Change) -> bool:
        """Whether a change of an object from outside is none that an Operation makes."""
        location = change.location
        is_outside = isinstance(location, Contents) or self.heap.birth(location.owner) is None
        return is_outside and location.key not in self.facts.state

    @unwatched
    def _settle_variables(self) -> None:
        self.facts.learn_before_raise(self)
        self.facts.flush(self)

    def convert_unpackings(self) -> None:
        """Python itself iterates what only the Program knows: if that is an unpacking, it can be converted."""
        if not self.facts.careful:
            self.facts.take_care()
            raise Restage.of_function()

    def convert_operators(self) -> None:
        """Python itself has called the method of an operator, which asks another one: if that is possible, it is converted."""
        if self.facts.careful != "objects":
            self.facts.take_care("objects")
            raise Restage.of_function()

    def convert_properties(self, names: Iterable[str]) -> None:
        """Python itself has called the getter of a property: loads of attributes of these names are converted."""
        if self.facts.convert_loads(names):
            raise Restage.of_function()

    def looping(self, loop: InFrame) -> AbstractContextManager:
        """The body of a loop runs for a while."""
        return on_top(self.loops, loop)

    def told_to_act(self, function: object) -> AbstractContextManager:
        """A function runs of which the user was told that what it does, it does while staging."""
        return on_top(self.acting, function)

    # --- conditions, locations, state ----------------------------------------------------------------------------------

    def truth(self, value: object) -> object:
        """The truth of a value: a Python bool, or a staged one."""
        if type(value) in SCALARS:
            return not not value
        value = self.lifted(value)
        if isinstance(value, Tensor):
            return lookup("py.truth")(value)
        if isinstance(value, StagedBool):
            return value
        if isinstance(value, StagedSum):
            return self.on_alternatives(value, self.truth)
        value = self.heap.resolve(value)
        if isinstance(value, StagedContainer):
            return value.length() > 0
        if isinstance(value, Staged):
            return lookup("py.truth")(value)
        method = getattr(type(value), "__bool__", None) or getattr(type(value), "__len__", None)
        return self.truth(self.convert_call(method)(value)) if isinstance(method, FunctionType) else as_the_user(bool, value)

    def puts_back(self) -> bool:
        """Whether a `finally` is around, that what is raised passes: it has put context variables back by then."""
        return any(getattr(attempt, "passing", None) is not None for attempt in self.handling.attempts)

    def lifted(self, value: object) -> object:
        """The Tensor for a tensor of another library; anything else as it is."""
        found = self.facts.policy.lifted(value)
        return value if found is None else found

    def condition(self, value: object) -> Value:
        """The truth of a value as a Value."""
        return self.lower(self.truth(value))

    def splice(self, frame: Frame) -> None:
        """Append all that a trial recorded to the open Block, as if it had been recorded there."""
        for op in frame.block.ops:
            self.append(op)
        self.fates.splice(frame.block, self.frame.block)
        self.frame.constants.update(frame.constants)
        frame.into = self.frame

    def write(self, location: Location, value: object) -> None:
        """Store into a location that may have to be taken back; state of the Program is stored at run time, too."""
        self.facts.policy.before_store(self, location)
        before = location.get()
        if self.stands_for(value, before):
            return  # self.x += 1 stores what it has written in place
        self.journal.write(location, value)
        self.facts.stored(self, location, value, before)

    def put(self, location: Location, value: object) -> None:
        """Store what a location holds after control flow that changed it."""
        self.note_attribute(location, value)
        if self.heap.is_own(location):
            location.set(value)
        else:
            self.journal.write(location, value)

    def declare_state(self, slot: StateSlot, value: object) -> None:
        """Let the Program hold a piece of Python state, starting from `value`."""
        self.program.state[slot.name] = State(slot.type, natives.Mirror(self.objects, self._texts).to_native(value))

    def live(self, location: Location, type_: Type) -> object:
        """What each call finds at a location outside: it is state. Of an object that no path leads to, what it holds."""
        self.follow([(location, type_)])
        return location.get()

    def follow_gradients(self, tensors: list[Tensor]) -> None:
        """The gradients of eager tensors are state."""
        self.follow([(Gradient(x), join_shared(NONE, x.type)) for x in tensors])

    def follow(self, locations: Sequence[tuple[Location, Type]]) -> None:
        """These locations are state, of these types: all of them at once, since what is learnt is staged anew."""
        state = self.facts.state
        news = [self.facts.add_state(location, type_) for location, type_ in locations if location.key not in state]
        if any(news):
            raise Restage.of_function()

    def gradient_of(self, x: Tensor) -> object:
        """`x.grad`: None or a tensor, as the call finds it."""
        if not x.is_staged:
            self.follow_gradients([x])
            return x._grad
        if isinstance(x._data.owner, Operation):
            return x._grad
        raise StagedValueError(f"{user_loc()}: x.grad of an input of the static function; use grad(loss, [x])")

    def set_gradient(self, x: Tensor, gradient: object) -> None:
        """`x.grad = gradient`."""
        if x.is_staged:
            x._grad = gradient
            return
        self.follow_gradients([x])
        if Gradient(x).key not in self.facts.state:
            raise StagedValueError(
                f"{user_loc()}: the gradient of {x.name or 'a tensor'} would be lost: the static function finds the tensor in no "
                "global variable, closure variable or attribute of `self`"
            )
        self.write(Gradient(x), gradient)

    # --- what the rest of the runtime asks of a mode -------------------------------------------------------------------

    def shape_of(self, tensor: Tensor) -> list:
        """The lengths of a Variable's axes: ints, or staged ints read at run time."""
        type_ = tensor.type
        if type_.shape is None:
            return lookup("py.dims")(tensor)
        lengths = [d if isinstance(d, int) else lookup("py.dim")(tensor, axis=i) for i, d in enumerate(type_.shape)]
        return self.heap.born_here(lengths)

    def refusal(self, staged: object, use: str) -> str:
        """What is said of a value that only the Program knows, where code asks it for a Python value."""
        if use == "bool(x)" and is_comparison(*user_instruction()):
            self.convert_operators()  # of two tuples or dataclasses, Python asks for a bool
        self.refused = refusals.message(user_loc(), self.type_of(staged), use)
        return self.refused

    def convert_call(self, function: object) -> Callable:
        return self.calls.convert_call(function)

    def at(self, value: object) -> Subscripted:
        return self.calls.at(value)

    def new(self, value: object) -> object:
        """Note that a mutable object was born here."""
        if self.heap.may_refuse() and type(value) in (list, dict, set, tuple) and poison_in(value) is not None:
            return self.heap.resolve(value)
        self.heap.born_here(value)
        return value

    def as_list(self, value: object) -> list | StagedList:
        """A list, or what the Program can take for one."""
        return value if isinstance(value, list | StagedList) else self.listed(value)

    def listed(self, value: object) -> list | StagedList:
        """The items of anything that can be iterated, as a new list, or what the Program can take for one."""
        return self.calls.listed(value)

    def known_items(self, iterable: object) -> object:
        """For code that isn't converted: the items in a list; where staging doesn't know them, iterating is refused."""
        return self.heap.resolve(self.calls.listed(iterable))

    def on_alternatives(self, staged: StagedSum, function: Callable[[object], object], unbound: bool = False) -> object:
        return self.calls.on_alternatives(self, staged, function, unbound)

    def on_kinds(self, number: StagedNumber, function: Callable[[object], object]) -> object:
        """`function` of a number whose class follows the path, once for each class that it may have."""
        return on_kinds(number, function)

    def choose(self, condition: Value, true_fn: Callable[[], object], false_fn: Callable[[], object]) -> object:
        return self.calls.choose(self, condition, true_fn, false_fn, (), (), True)

    def identity(self, a: object, b: object) -> object:
        return self.calls.identity(a, b)

    def negation(self, value: object) -> object:
        return self.calls.negation(value)


def _rebound(definition: OpDef, operands: tuple, attrs: dict[str, object], operand: object, x: object) -> object:
    """`definition` with one operand replaced; Python decides what the operation means for a Python value."""
    if not definition.name.startswith("py."):
        x = as_own(x)  # an operator on tensors or texts takes no member of an IntEnum
    return python_operator(definition.name)(*(x if o is operand else o for o in operands), **attrs)


_PYTHONS: dict[str, Callable] = {
    "and": operator.and_, "or": operator.or_, "not": operator.not_, "round": round, "float": float, "int": int
}  # fmt: skip


def python_operator(name: str) -> Callable:
    """The Python function that an operator stands for, to apply it to one alternative of a sum."""
    family, _, plain = name.rpartition(".")
    if family == "py":
        return _PYTHONS.get(plain) or getattr(operator, plain, None) or lookup(name)
    return lookup(name)


def recorder() -> Recorder:
    """The recorder that is staging."""
    rec = current_recorder()
    assert rec is not None
    return rec


# The recorder that is staging, or None while running eagerly. Rewritten code asks at each step. It looks at `RECORDERS` first,
# which costs no call, and tells no thread from another.
current_recorder: Callable[[], Recorder | None] = dispatch.recorder_of_mode
