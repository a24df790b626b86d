"""The recorder: the mode in which calling an operator appends an Operation to the Program."""

from __future__ import annotations

import operator
from contextlib import AbstractContextManager, contextmanager
from types import FunctionType
from typing import Any

from ...errors import StagedValueError
from ...ir.core import Operation, Ref, State, Value
from ...ir.types import NEVER, NONE, SumType
from ...ops import dispatch
from ...ops.registry import UNKNOWN, OpDef, infer_types, lookup
from ..engine.exceptions import known_exception
from ..heap import natives
from ..heap.elements import join_shared
from ..heap.heap import Poison
from ..heap.journal import Gradient, Journal
from ..heap.markers import Restage
from ..proxies import SCALAR_PROXIES, Staged, StagedBool, StagedContainer, StagedList, StagedSum, as_index
from ..tensors.grad_mode import _enabled
from ..tensors.tensor import Tensor
from ..where.faults import as_the_user
from ..where.profiling import unwatched
from ..where.user_code import user_loc
from . import refusals
from .blocks import Frame
from .no_grad import cut_off, without_history
from .try_bodies import Thrown, may_raise
from .values import Values

# Operands of which no code of the user's tells the Value, and whose Value isn't one of several kinds.
PLAIN = {Tensor, bool, int, float, str, *SCALAR_PROXIES.values()}


class Recorder(Values):
    """Builds one Program.

    The open Blocks, the heap of the code being staged, the journal, and what staging has learnt (`facts`).
    """

    def __init__(self, facts: Any, names: dict[int, str], calls: Any):
        super().__init__(facts, names)
        self.rec = self  # as those that work for it call it
        self.calls = calls
        self.journal = Journal()
        self.exceptions: dict[str, type] = {}
        self.callees: dict[Any, str] = {}  # the Functions that were taken from finished Programs
        self.attempts: list[Any] = []  # the `try` statements whose bodies are being run
        self.cached: dict[Any, Any] = {}  # what functions that keep their results have given
        self.left: dict[int, Any] = {}  # iterators that a loop may have left before their end
        self.iterated: list = []  # the Entries of dicts and sets that loops run over
        self.made_at: dict[int, tuple[Any, tuple]] = {}  # iterators of Python's: by which instruction of the user's they are made
        self.to_close: list[Any] = []  # generators that must have come to their end when the recording does
        self.handling: list[Any] = []  # the exceptions whose handlers are being run
        self.handled_before: list[BaseException] = []  # what handlers were run for while staging
        self.raising: Any = None  # what a `raise` of the user's code raised last: a SystemExit may be that, Ctrl-C never is
        self.causes: list[tuple[BaseException, Any]] = []  # what the user's code said an exception comes from
        self.loops: list[Any] = []  # the loops whose bodies are being run

    def active(self) -> Any:
        """The mode that is in force now: this recorder, unless another one runs inside it."""
        return dispatch.current_mode()

    # --- operators -----------------------------------------------------------------------------------------------------

    def bind(self, definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
        """Record one operator."""
        if definition.incoming or definition.indices:
            operands = self._entered(definition, operands)
        if definition.raises and not _cannot_raise(definition, operands):
            self.may_raise([Thrown(cls) for cls in map(known_exception, definition.raises) if cls is not None])
        if PLAIN.issuperset(map(type, operands)):
            return self._record_plain(definition, operands, attrs)
        values = [self.lower(x) for x in operands]
        for value, operand in zip(values, operands):
            if type(value.type) is SumType and definition.name.partition(".")[0] not in ("list", "dict", "set", "tuple"):
                return self.on_alternatives(operand, lambda x, o=operand: self._rebind(definition, operands, o, x, attrs))
        return self._record(definition, operands, values, attrs)

    def _entered(self, definition: OpDef, operands: tuple) -> tuple:
        """The operands. As in an assignment, what goes into a container is known before the index that says where."""
        for flow in reversed(definition.incoming):
            self.lower(operands[flow.source.of])
        return tuple(as_index(x) if k in definition.indices else x for k, x in enumerate(operands))

    @unwatched
    def _record_plain(self, definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
        return self._record(definition, operands, [self.lower(x) for x in operands], attrs)

    @unwatched
    def _record(self, definition: OpDef, operands: tuple, values: list[Value], attrs: dict[str, Any]) -> Any:
        if not _enabled.get():
            values = without_history(self, definition, values)
        n_positional = len(values)
        stored, known = self._attributes(attrs, values) if attrs else (attrs, attrs)
        types = infer_types(definition, [self.type_of_value(v) for v in values[:n_positional]], known)
        op = Operation(definition.name, values, stored, types, (), user_loc(), self.path, n_positional)
        self.append(op)
        if definition.mutates and isinstance(operands[0], StagedList):
            self.heap.note_mutation(operands[0])
        self.heap.elements.link(op)
        if definition.raises and NEVER in types:
            self.end_dead(definition.raises[0])  # an element of what is always empty: the operation raises whenever it runs
        if definition.mutates and operands and isinstance(operands[definition.mutates[0]], Tensor) and len(types) <= 1:
            return operands[definition.mutates[0]]
        given = op.results if _enabled.get() else cut_off(self, definition, op.results)
        results = [self.wrap(v, operands) for v in given]
        return results[0] if len(results) == 1 else tuple(results) if results else None

    def _rebind(self, definition, operands, operand, x, attrs):
        """`definition` with one operand replaced; Python decides what the operation means for a Python value."""
        return python_operator(definition.name)(*(x if o is operand else o for o in operands), **attrs)

    def _attributes(self, attrs: dict[str, Any], values: list[Value]) -> tuple[dict, dict]:
        """The attributes as they are stored (staged leaves become operands and `Ref`s) and as inference sees them."""

        def walk(leaf, staged):
            if isinstance(leaf, Staged | Tensor):
                value = self.lower(lookup("py.item")(leaf) if isinstance(leaf, Tensor) else leaf)
                if value not in values:
                    values.append(value)
                return staged(values.index(value))
            if isinstance(leaf, list | tuple):
                return (tuple if isinstance(leaf, tuple) else list)(walk(x, staged) for x in leaf)
            if isinstance(leaf, dict):
                return {k: walk(x, staged) for k, x in leaf.items()}
            return leaf

        stored = {k: walk(v, Ref) for k, v in attrs.items()}
        return stored, {k: _with_unknown(v) for k, v in stored.items()}

    def may_raise(self, thrown: list[Thrown]) -> None:
        """An operation that may raise comes next: what Python code has stored by now must be stored in the Program."""
        self._settle_variables()
        may_raise(self, thrown)

    @unwatched
    def _settle_variables(self) -> None:
        self.facts.learn_variables(self)
        self.facts.flush(self)

    def attempting(self, attempt: Any) -> AbstractContextManager:
        """A `try` is active for a while."""
        return _on_top(self.attempts, attempt)

    def convert_unpackings(self) -> None:
        """Python itself iterates what only the Program knows: if that is an unpacking, it can be converted."""
        if not self.facts.careful:
            self.facts.take_care()
            raise Restage.of_function()

    def in_handler_of(self, error: Any) -> AbstractContextManager:
        """A handler of `error` runs for a while."""
        if isinstance(error, BaseException):
            self.handled_before.append(error)
        return _on_top(self.handling, error)

    def context_of(self, error: BaseException) -> BaseException | None:
        """The exception in whose handler the user's code raised this one, where staging knows it."""
        return next((known for known in self.handled_before if known is error.__context__), None)

    def cause_of(self, error: BaseException) -> dict[str, Any]:
        """What `raise error from cause` said, as an attribute by its name."""
        return next(({"cause": cause} for known, cause in reversed(self.causes) if known is error), {})

    def looping(self, loop: Any) -> AbstractContextManager:
        """The body of a loop runs for a while."""
        return _on_top(self.loops, loop)

    @property
    def handled(self) -> Any:
        """The exception whose handler is being run."""
        return self.handling[-1] if self.handling else None

    # --- conditions, locations, state ----------------------------------------------------------------------------------

    def truth(self, value: Any) -> Any:
        """The truth of a value: a Python bool, or a staged one."""
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

    def condition(self, value: Any) -> Value:
        """The truth of a value as a Value."""
        return self.lower(self.truth(value))

    def splice(self, frame: Frame) -> None:
        """Append all that a trial recorded to the open Block, as if it had been recorded there."""
        for op in frame.block.ops:
            self.append(op)
        self.frame.constants.update(frame.constants)
        self.heap.rebirth(frame, self.frame)

    def write(self, location: Any, value: Any) -> None:
        """Store into a location that may have to be taken back; state of the Program is stored at run time, too."""
        self.facts.policy.before_store(self, location)
        before = location.get()
        self.journal.write(location, value)
        self.facts.stored(self, location, value, before)

    def put(self, location: Any, value: Any) -> None:
        """Store what a location holds after control flow that changed it."""
        self.note_attribute(location, value)
        if self.heap.is_local(location.owner):
            location.set(value)
        else:
            self.journal.write(location, value)

    def mark_outer_cells(self, function: Any) -> None:
        """The closure of the function that is called from outside outlives the call."""
        self.facts.outer_cells.update(id(cell) for cell in function.__closure__ or ())

    def declare_state(self, slot: Any, value: Any) -> None:
        """Let the Program hold a piece of Python state, starting from `value`."""
        self.program.state[slot.name] = State(slot.type, natives.Mirror(self.objects, self._texts).to_native(value))

    def live(self, location: Any, type_: Any) -> Any:
        """What each call finds at a location outside: it is state. Of an object that no path leads to, what it holds."""
        self.follow([(location, type_)])
        return location.get()

    def follow_gradients(self, tensors: list[Tensor]) -> None:
        """The gradients of eager tensors are state."""
        self.follow([(Gradient(x), join_shared(NONE, x.type)) for x in tensors])

    def follow(self, locations: list[tuple[Any, Any]]) -> None:
        """These locations are state, of these types: all of them at once, since what is learnt is staged anew."""
        state = self.facts.state
        news = [self.facts.add_state(location, type_) for location, type_ in locations if location.key not in state]
        if any(news):
            raise Restage.of_function()

    def gradient_of(self, x: Tensor) -> Any:
        """`x.grad`: None or a tensor, as the call finds it."""
        if not x.is_staged:
            self.follow_gradients([x])
            return x._grad
        if isinstance(x._data.owner, Operation):
            return x._grad
        raise StagedValueError(f"{user_loc()}: x.grad of an input of the static function; use grad(loss, [x])")

    def set_gradient(self, x: Tensor, gradient: Any) -> None:
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
        return self.new([d if isinstance(d, int) else lookup("py.dim")(tensor, axis=i) for i, d in enumerate(type_.shape)])

    def refusal(self, staged: Any, use: str) -> str:
        return refusals.message(user_loc(), self.type_of(staged), use)

    def convert_call(self, function: Any) -> Any:
        return self.calls.convert_call(function)

    def at(self, value: Any) -> Any:
        return self.calls.at(value)

    def new(self, value: Any) -> Any:
        """Note that a mutable object was born here."""
        if type(value) in (list, dict, set, tuple) and any(type(x) is Poison for x in value):
            return self.heap.resolve(value)
        self.heap.born_here(value)
        return value

    def note_removal(self, table: Any, was_there: Any) -> None:
        """Keys are taken out of a dict, if `was_there()`: what iterates it is told."""
        for entries in self.iterated:
            if self.heap.resolve(entries.table) is self.heap.resolve(table):
                entries.note_removal(was_there())

    def as_list(self, value: Any) -> Any:
        """A list, or what the Program can take for one."""
        return value if isinstance(value, list | StagedList) else self.listed(value)

    def listed(self, value: Any) -> Any:
        """The items of anything that can be iterated, as a new list, or what the Program can take for one."""
        return self.calls.listed(value)

    def on_alternatives(self, staged: Any, function: Any, unbound: bool = False) -> Any:
        return self.calls.on_alternatives(self, staged, function, unbound)

    def choose(self, condition: Value, true_fn: Any, false_fn: Any) -> Any:
        return self.calls.choose(self, condition, true_fn, false_fn, exact=True)

    def identity(self, a: Any, b: Any) -> Any:
        return self.calls.identity(a, b)

    def negation(self, value: Any) -> Any:
        return self.calls.negation(value)


@contextmanager
def _on_top(stack: list, item: Any):
    depth = len(stack)
    stack.append(item)
    try:
        yield
    finally:
        del stack[depth:]


def _cannot_raise(definition: OpDef, operands: tuple) -> bool:
    """Whether the operand's type rules out what the operator may raise otherwise."""
    if definition.name not in ("py.truth", "py.item", "py.dim") or not isinstance(operands[0], Tensor):
        return definition.name == "py.truth"
    shape = operands[0].type.shape
    return shape is not None and (definition.name == "py.dim" or all(d == 1 for d in shape))


def _with_unknown(leaf: Any) -> Any:
    if isinstance(leaf, Ref):
        return UNKNOWN
    if isinstance(leaf, list):
        return [_with_unknown(x) for x in leaf]
    if isinstance(leaf, dict):
        return {k: _with_unknown(x) for k, x in leaf.items()}
    return leaf


def python_operator(name: str) -> Any:
    """The Python function that an operator stands for, to apply it to one alternative of a sum."""
    family, _, plain = name.rpartition(".")
    if family == "py":
        special = {"and": operator.and_, "or": operator.or_, "not": operator.not_, "round": round, "float": float, "int": int}
        return special.get(plain) or getattr(operator, plain)
    definition = lookup(name)
    return definition


def current_recorder() -> Recorder | None:
    """The recorder that is staging, or None while running eagerly."""
    mode = dispatch.current_mode()
    return mode if isinstance(mode, Recorder) else None
