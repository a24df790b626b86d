"""How Python-level values enter the Program and come back: `lower`, `type_of`, `coerce`, `wrap`.

`lower` turns a value into a Value of the open Block, `wrap` turns a Value back into what converted code handles: a Tensor, a
proxy, or a plain Python object where the type says it all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import chain, count
from types import FunctionType, MethodType, ModuleType

import numpy as np

from ... import pytree
from ...dtypes import has_gradient
from ...errors import ConversionError, JoinWarning, StagedValueError
from ...ir.core import Block, Loc, Operation, Parameter, Value
from ...ir.join import alternatives, is_subtype, kind
from ...ir.names import free
from ...ir.types import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    NUMERIC,
    STR,
    UNBOUND,
    AtomType,
    ClassType,
    DictType,
    ExceptionType,
    ListType,
    RecordType,
    ScalarType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
)
from ...ops.python.words import LOCAL
from ...ops.registry import infer_types, lookup
from ..heap import markers
from ..heap.elements import joined_all
from ..heap.enum_members import fields_of_member
from ..heap.heap import Heap, Poison
from ..heap.identity import identity, known_class
from ..heap.journal import Attribute, Change, Journal, Location
from ..heap.markers import MISSING, Missing
from ..heap.own_attributes import has_substitute, no_attribute
from ..heap.staged_objects import can_be_staged, is_staged_object, stand_in, value_of
from ..joining.activation import line_in
from ..joining.join import are_twins
from ..library import twin_of
from ..outside.facts import Facts
from ..proxies import SCALAR_PROXIES, SpelledLate, Staged, StagedDict, StagedList, StagedSet, StagedSum, StagedTuple
from ..tensors.tensor import Tensor
from ..tensors.value_types import Array
from ..where.profiling import unwatched
from ..where.user_code import user_loc
from ..where.warn import warn_at
from .blocks import Blocks
from .caught import Caught
from .keepers import refuse_keeper
from .made_anew import is_kept_by_c, is_made_anew, is_ours

CONSTANTS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}
NATIVE: dict[type, type] = {list: list, tuple: tuple, dict: dict, set: set, frozenset: set, deque: list}  # to hold the items
CONTAINERS: dict[type, type] = {
    ListType: StagedList, DictType: StagedDict, RecordType: StagedDict, SetType: StagedSet, SequenceType: StagedTuple
}  # fmt: skip


class Values(Blocks):
    """Blocks that know how values of converted code become Values, and the live objects behind the names in the Program."""

    heap: Heap  # the Recorder makes it
    journal: Journal  # this, too

    def __init__(self, facts: Facts, names: dict[int, str]):
        super().__init__(names)
        self.facts = facts
        self.objects = facts.objects
        self.tensors: dict[str, Tensor] = {}  # parameter name -> the live tensor
        self.flowing: set[Value] = set()  # the inputs that have a gradient, and leaves that the code makes
        self._texts = facts.texts
        self._parameters: dict[tuple, str] = {}
        self._arrays: dict[int, tuple[object, Value]] = {}  # by id: NumPy arrays that the code has made, and what stands for them
        self.arrays: list[Value] = []  # what stands for a NumPy array or number
        self._views: dict[int, list[object]] = {}  # the same, by the id of the array that owns the memory
        self._attributes_of: dict[Value, Attribute] = {}

    @property
    def has_gradients(self) -> bool:
        """Whether gradients flow to an input, or to a parameter that was met."""
        return bool(self.flowing) or not all(tensor.stop_gradient for tensor in self.tensors.values())

    def here(self) -> Loc | None:
        return line_in(self.facts.active)

    @unwatched
    def emit(
        self,
        name: str,
        operands: Iterable[Value] = (),
        types: Iterable[Type] = (),
        attrs: dict | None = None,
        blocks: Iterable[Block] = (),
    ) -> Operation:
        """Append a core operation at the user's line; what it hands on is known from then on."""
        op = super().emit(name, operands, types, attrs, blocks)
        self.heap.elements.link(op)
        return op

    # --- into the Program ----------------------------------------------------------------------------------------------

    def lower(self, value: object) -> Value:
        """The Value that `value` is in the open Blocks."""
        kind = type(value)
        if kind in CONSTANTS:
            return self.constant(value)
        if isinstance(value, Tensor):
            return self.local(value._data) if type(value._data) is Value else self.parameter(value)
        if isinstance(value, Staged):
            return self.local(value._value)
        if is_staged_object(value):
            return self.local(value_of(value))
        if isinstance(value, tuple) and twin_of(kind) is None:
            return self._tuple(value)
        if kind in (list, dict, set):
            return self.local(self.heap.value(value))
        if pytree.is_container(value) and (written := self.heap.as_value(value)) is not None:
            return self.lower(written)
        if isinstance(value, np.ndarray | np.generic):
            return self.array(np.asarray(value))
        if isinstance(value, Poison):
            value.refuse()
        if isinstance(value, markers.Unbound | Missing):
            return self.emit("unbound", types=[UNBOUND]).result
        if value is markers.no_value:
            return self.emit("undef", types=[NEVER]).result
        if (kept := self.heap.as_object(value)) is not None:
            return self.lower(kept)
        if (tensor := self.facts.policy.lifted(value)) is not None:
            return self.parameter(tensor)
        return self.local(self.heap.value(value)) if self.heap.is_object(value) else self.atom(value)

    def array(self, value: Array) -> Value:
        """A NumPy array in a container, state or the result: one that the code makes is a new one at each call."""
        self.arrays.append(found := self._array(value))
        return found

    def _array(self, value: Array) -> Value:
        tensor, owner = Tensor(value), _owner(value)
        if self._is_from_outside(owner):
            return self.parameter(tensor)
        known = self._arrays.get(id(value))
        if known is None or not self.sees(known[1]):
            self._refuse_overlap(value, owner)
            home = self.heap.birth(value) or self.frame
            with self.opened(home) if home not in self.frames else self.back_in(home):
                made = self.emit("assign", [self.parameter(tensor)], [tensor.type]).result
            known = self._arrays[id(value)] = value, made
        return self.local(known[1])

    def note_arrays(self, arrays: Iterable[Array], depth: int) -> None:
        """What a trial can get at was there before it: the arrays that operators have made were made in a Block around it."""
        for array in arrays:
            if self.heap.birth(array) is None and not self._is_from_outside(_owner(array)):
                self.heap.rebirth_of(array, self.frames[depth - 1])

    def _is_from_outside(self, owner: Array) -> bool:
        """Whether the memory of an array was there before the call."""
        return self.heap.birth(owner) is None and self.facts.find_root(owner) is not None and not self._is_put_in(owner)

    def _refuse_overlap(self, value: Array, owner: Array) -> None:
        """ConversionError where two arrays that leave are views of one memory: each would have a copy of its own."""
        views = self._views.setdefault(id(owner), [])
        if any(view is not value and np.may_share_memory(view, value) for view in views):
            raise ConversionError(
                f"{self.here()}: two NumPy arrays that share memory are returned or kept, and a Program would give copies; "
                "make one of them a copy, array.copy(), or return one and take the other of it"
            )
        views.append(value)

    def _tuple(self, value: tuple) -> Value:
        name, fields = self.named(value)
        attrs = {"name": name, "fields": list(fields)} if fields else {}
        values = [self.lower(x) for x in value]
        (type_,) = infer_types(lookup("tuple.new"), [self.type_of_value(v) for v in values], attrs)
        return self.emit("tuple.new", values, [type_], attrs).result

    def named(self, value: tuple) -> tuple[str, tuple]:
        """The name and the fields of a named tuple, whose class the Program knows by that name; nothing of another.

        ConversionError for one that has attributes of its own.
        """
        fields = tuple(getattr(value, "_fields", ()))
        if not fields:
            return "", ()
        if own := getattr(value, "__dict__", None):
            raise ConversionError(
                f"{self.here()}: this {type(value).__name__} has attributes besides its fields ({', '.join(own)}), and a Program "
                "would lose them; make them fields"
            )
        return self._tuple_text(type(value)), fields

    def _tuple_text(self, cls: type) -> str:
        """A name for a class of named tuples, unique in this Program."""
        others = (f"{cls.__name__}_{number}" for number in count(2))
        return next(text for text in chain([cls.__name__], others) if self._is_called(f"tuple {text}", cls))

    def _is_called(self, text: str, cls: type) -> bool:
        """Whether a class of named tuples has this name; one that the function has made again has that of the one before."""
        known = self.objects.setdefault(text, cls)
        if known is cls or (_said_of_class(known) == _said_of_class(cls) and self.facts.find_root(cls) is None):
            self.objects[text] = cls
            return True
        return False

    def constant(self, value: object) -> Value:
        """A Python scalar as a `const` of the open Blocks, one per value."""
        key = (type(value), repr(value))
        for frame in self.frames:
            if key in frame.constants and frame.body is self.frame.body:
                return frame.constants[key]
        made = self.emit("const", types=[scalar_type(value)], attrs={"value": value}).result
        self.frame.constants[key] = made
        return made

    def atom(self, value: object) -> Value:
        refuse_keeper(self.here(), value)
        if isinstance(value, SpelledLate) and getattr(value, "stands_for", None) is range:
            raise ConversionError(
                f"{self.here()}: a range whose bounds depend on the input data is one of several values here, or is kept in a "
                "container that depends on the data; write list(range(...)) where it is made"
            )
        text = self.atom_text(value)
        return self.emit("atom", types=[AtomType(text)], attrs={"text": text}).result

    def atom_text(self, value: object) -> str:
        """A name for a Python object, unique in this Program."""
        key = identity(value)
        if key not in self._texts:
            if isinstance(value, FunctionType) and (twin := self._twin(value)) is not None:
                return twin
            self._refuse_frozen(value)
            self._refuse_attributes(value)
            base = _said(value)
            text = base
            while text in self.objects:
                text = f"{base} #{len(self.objects)}"
            self._texts[key] = text
            self.objects[text] = value
            if id(value) in self.heap.callables_in_state:  # which of those in state it is has to be told
                raise markers.Restage.of_function()
            if isinstance(value, FunctionType | type) and self.heap.was_made(value):
                self.facts.made.add(AtomType(text))
        return self._texts[key]

    def _refuse_frozen(self, value: object) -> None:
        """ConversionError for a buffer, a lock or the like that the function has made: a Program would make one for all calls."""
        is_namespace = self.heap.namespace_owner(value) is not None  # which Python makes when it is first asked for
        if is_namespace or not (is_made_anew(self.heap, value) or self._is_made_unseen(value)):
            return
        kind = "iterator" if is_ours(type(value)) else type(value).__name__
        article = "an" if kind[0] in "aeiouAEIO" else "a"  # a UUID
        raise ConversionError(
            f"{self.here()}: the function makes {article} {kind} and keeps or returns it, and a Program would give the "
            "same one at each call; return what it holds, or make it outside"
        )

    def _refuse_attributes(self, value: object) -> None:
        """ConversionError for a frozenset of a subclass that the function gives attributes: it is known by a name alone."""
        if pytree.base_of(type(value)) is frozenset and pytree.attributes_of(value) and self.facts.find_root(value) is None:
            raise ConversionError(
                f"{self.here()}: the function makes a {type(value).__name__} with attributes, which a Program would lose; "
                "keep them in an object of their own"
            )

    def _is_made_unseen(self, value: object) -> bool:
        """Whether code that isn't converted has made an object whose state C keeps: nothing from outside leads to it."""
        if self.heap.birth(value) is not None or not is_kept_by_c(value):
            return False
        return self.facts.find_root(value) is None or self._is_put_in(value)

    def _is_put_in(self, value: object) -> bool:
        """Whether this recording has put an object where it outlives the call."""
        return any(part is value for change in self.journal.pending(1) for part in self._new_parts(change))

    def _new_parts(self, change: Change) -> Iterator[object]:
        """What a location holds that has changed, and what this recording has made of that."""
        known = {id(part) for part in pytree.held_in(change.before)}

        def inside(part: object) -> Iterable[object]:
            if is_staged_object(part) or (part is not change.after and self.heap.birth(part) is None):
                return []
            return [x for x in (*pytree.held_in(part), *pytree.attributes_of(part).values()) if id(x) not in known]

        return pytree.nodes(change.after, inside)

    def _twin(self, function: FunctionType) -> str | None:
        """The name of a function that does the same: a loop makes one at each turn, and staging one in each trial."""
        twins = ((text, known) for text, known in self.objects.items() if isinstance(known, FunctionType))
        return next((text for text, known in twins if are_twins(known, function)), None)

    def class_text(self, cls: type) -> str:
        """A name for a class of objects, unique in this Program."""
        cls = twin_of(cls) or cls
        text = cls.__qualname__
        while self.objects.setdefault(f"class {text}", cls) is not cls:
            text += "'"
        return text

    def parameter(self, tensor: Tensor, called: str | None = None) -> Value:
        """The storage of an eager tensor, as a `param` at the head of the open Function; one per storage.

        called: its name, where it has none so far.
        """
        array = tensor._data
        name = self._parameters.get(_memory(array))
        if name is None:
            name = free(called or self._tensor_name(tensor) or "constant", self.program.parameters)
            is_parameter = not tensor.stop_gradient or hasattr(type(tensor), "trainable")  # one that is frozen is one still
            kind = "parameter" if is_parameter else "buffer" if id(tensor) in self._names else "constant"
            self._parameters[_memory(array)] = name
            self.tensors[name] = tensor
            self.program.parameters[name] = Parameter(tensor.type, array, kind, not tensor.stop_gradient)
        known = self.frame.body.parameters
        if name not in known:
            known[name] = self.at_entry(Operation("param", (), {"name": name}, [tensor.type], (), self.here(), self.path)).result
            known[name].name = name
        return known[name]

    def stands_for(self, value: object, tensor: object) -> bool:
        """Whether a staged Tensor is the storage of an eager one, here or in another library."""
        lifted = self.facts.policy.lifted(tensor)
        held = tensor if lifted is None else lifted
        if not isinstance(value, Tensor) or not value.is_staged or not isinstance(held, Tensor) or held.is_staged:
            return False
        op = value._data.owner
        is_parameter = isinstance(op, Operation) and op.name == "param"
        return is_parameter and op.attrs["name"] == self._parameters.get(_memory(held._data))

    def _tensor_name(self, tensor: Tensor) -> str | None:
        """Its name in the root layer's state_dict, else the path by which it outlives the call, else a name it was given."""
        path = self._names.get(id(tensor)) or self.facts.roots.name(tensor)
        return path.removeprefix("self.") if path else tensor.given_name

    def name_of(self, layer: object) -> str:
        """What a layer in the root layer is called; nothing of any other."""
        return self._names.get(id(layer), "")

    def local(self, value: Value) -> Value:
        """A Value as the open Function knows it: what belongs to a Function around it comes in as an argument."""
        home = self.home(value)
        if home is None:
            raise StagedValueError(
                f"{user_loc()}: a value computed inside a branch, a loop or another recording is used outside of it; "
                "where a function or a partial that is kept, or made on one path, holds it: keep the value, and hand it over "
                "as an argument"
            )
        body = self.frame.body
        if home.body is body:
            return value
        if value not in body.captures:
            made = body.captures[value] = Value(self.type_of_value(value), value.name, body.block)
            body.block.args.append(made)
            self.heap.elements.unify(self.heap.elements.class_of(made), self.heap.elements.class_of(value))
        return body.captures[value]

    def object_output(self, value: object, output: Callable[[object], object]) -> object:
        """An object among the results.

        Its fields, under its class's name; an object without a `__dict__` is known by name only. An object from outside is
        itself as long as this process lives.
        """
        if not is_plain_object(value) or (pytree.is_laid_out_in_c(type(value)) and is_made_anew(self.heap, value)):
            return value
        return self._output(value, {field: output(v) for field, v in pytree.attributes_of(value).items() if v is not MISSING})

    def member_output(self, value: Enum, output: Callable[[object], object]) -> object:
        """A member of an Enum among the results: itself as long as this process lives, known by name and value to any other."""
        return self._output(value, {field: output(v) for field, v in fields_of_member(value).items()})

    def subclass_output(self, value: object, output: Callable[[object], object]) -> object:
        """A container of a subclass among the results: an object that holds one of Python's own as `_items`."""
        keys, items = pytree.contents_of(value)
        outputs = [output(item) for item in items]
        held = dict(zip(keys, outputs)) if isinstance(value, dict) else NATIVE[pytree.base_of(type(value))](outputs)
        if not isinstance(held, tuple):
            self.heap.born_here(held)
        return self._output(value, {"_items": held, **{name: output(v) for name, v in pytree.state_of(value).items()}})

    def list_output(self, items: list) -> object:
        """A list among the results, which nobody changes any more: what it shares with others needs no common type."""
        lowered = [self.lower(item) for item in items]
        return _Raw(super().emit("list.new", lowered, [ListType(self._type_of_all(lowered))]).result)

    def dict_output(self, keys: list, items: list) -> object:
        """A dict among the results, as a list is."""
        names, values = [self.lower(key) for key in keys], [self.lower(item) for item in items]
        pairs = [value for pair in zip(names, values) for value in pair]
        return _Raw(super().emit("dict.new", pairs, [DictType(self._type_of_all(names), self._type_of_all(values))]).result)

    def _type_of_all(self, values: list[Value]) -> Type:
        return joined_all(map(self.type_of_value, values))

    def _output(self, value: object, held: dict[str, object]) -> object:
        """An object with these fields, under the name of its class."""
        fields, name = list(held), self.class_text(type(value))
        lowered = [self.lower(v) for v in held.values()]
        type_ = ClassType(name, tuple((f, self.type_of_value(v)) for f, v in zip(fields, lowered)))
        attrs = {"cls": name, "fields": fields}
        is_outside = self.heap.birth(value) is None and not self._was_made_unseen(value)
        is_itself = isinstance(value, Enum) or is_outside or identity(value) in self._texts
        if is_itself and not isinstance(value, tuple):
            attrs["text"] = self.atom_text(value)
        return _Raw(super().emit("object.new", lowered, [type_], attrs).result)  # whose type tells all: it is a result

    def _was_made_unseen(self, value: object) -> bool:
        """Whether a method of a library has made an object: it holds what only the Program knows, and is nowhere outside."""
        held = pytree.namespace_of(value)
        if not held or type(held) is not dict or self.facts.find_root(value) is not None:
            return False
        return any(isinstance(part, Staged) or self.heap.staged(part) is not None for part in held.values())

    # --- what is known of a value --------------------------------------------------------------------------------------

    def is_visible(self, value: object) -> bool:
        """Whether a Python-level value makes sense in the open Blocks.

        Its Values are seen, its objects weren't born in a closed one.
        """
        if isinstance(value, Tensor):
            return type(value._data) is not Value or self.sees(value._data)
        if isinstance(value, Staged):
            return self.sees(value._value)
        if is_staged_object(value):
            return self.sees(value_of(value))
        if isinstance(value, tuple):
            return all(self.is_visible(x) for x in value)
        if isinstance(value, MethodType):
            return self.is_visible(value.__self__)
        return not self.heap.is_fresh(value)

    def type_of(self, value: object) -> Type:
        """The IR type that a Python-level value has, or gets when it is lowered."""
        if isinstance(value, Tensor):
            return value.type
        if isinstance(value, Staged):
            return self.type_of_value(value._value)
        if is_staged_object(value):
            return self.type_of_value(value_of(value))
        if type(value) in CONSTANTS:
            return scalar_type(value)
        if isinstance(value, tuple) and twin_of(type(value)) is None:
            return TupleType(tuple(self.type_of(x) for x in value), *self.named(value))
        if type(value) in (list, dict, set):
            return self.type_of_value(self.heap.value(value))
        if pytree.is_container(value) and (written := self.heap.as_value(value)) is not None:
            return self.type_of(written)
        if isinstance(value, np.ndarray | np.generic):
            return TensorType(value.dtype.name, value.shape)
        if isinstance(value, markers.Unbound | Missing):
            return UNBOUND
        if markers.is_absent(value):
            return NEVER
        if (kept := self.heap.as_object(value)) is not None:
            return self.type_of(kept)
        if (tensor := self.facts.policy.lifted(value)) is not None:
            return tensor.type
        if self.heap.is_object(value):
            return self.type_of_value(self.heap.value(value))
        return AtomType(self.atom_text(value))

    def classes_of(self, staged: StagedSum) -> list[type]:
        """The Python classes of the alternatives of a sum, as far as attributes go."""
        return [self._class_of(t) for t in alternatives(self.type_of(staged))]

    def _class_of(self, type_: Type) -> type:
        if isinstance(type_, ClassType):
            return self.class_named(f"class {type_.name}")
        if isinstance(type_, AtomType):
            return type(self.objects[type_.text])
        if isinstance(type_, TensorType):
            return self.facts.policy.face
        if type_ in SCALAR_PROXIES:
            return SCALAR_PROXIES[type_]
        return CONTAINERS.get(type(type_), tuple if isinstance(type_, TupleType) else type(None))

    def class_named(self, text: str) -> type:
        """The class that the Program knows by a text."""
        found = known_class(self.objects, text)
        assert found is not None
        return found

    def type_of_value(self, value: Value) -> Type:
        return self.heap.elements.type_of(value)

    # --- up to a joined type -------------------------------------------------------------------------------------------

    def coerce(self, value: object, type_: Type) -> Value:
        """`value` as a Value of type `type_`, which is above its own."""
        if markers.is_absent(value):
            return self.emit("undef", types=[type_]).result
        lowered = self.lower(value)
        own = self.type_of_value(lowered)
        if own == type_:
            return lowered
        if isinstance(own, SumType) and not isinstance(type_, SumType):
            return self.lower(self.on_alternatives(StagedSum(lowered), lambda x: self._as(x, type_), unbound=True))
        if isinstance(type_, TensorType):
            self._warn_promoted(own, type_)
            if not isinstance(own, TensorType):
                return self.lower(lookup("py.to_tensor")(self.wrap(lowered), dtype=type_.dtype))
            return lowered if own.dtype == type_.dtype else self.lower(lookup("cast")(self.wrap(lowered), dtype=type_.dtype))
        if isinstance(type_, TupleType) and isinstance(own, TupleType) and not is_subtype(own, type_):
            parts = self._unpacked(lowered)
            joined = tuple(self._as(p, t) for p, t in zip(parts, type_.elems))
            return self._tuple(self.class_named(f"tuple {own.name}")(*joined) if type_.name else joined)
        if isinstance(type_, SequenceType) and isinstance(own, TupleType):
            parts = tuple(self._as(part, type_.elem) for part in self._unpacked(lowered))
            return self.lower(lookup("sequence.from_tuple")(parts))
        if isinstance(type_, SumType):
            return self._into_sum(lowered, own, type_)
        return lowered

    def _warn_promoted(self, own: Type, type_: TensorType) -> None:
        """Say once per line that a join changes the class or dtype of a value, which plain Python would not."""
        if own == BOOL and type_.dtype == "bool" or isinstance(own, TensorType) and own.dtype == type_.dtype:
            return  # a condition is a condition
        text = f"on one path this value is {own}, on another {type_}: it is {type_.dtype} from here on; cast one of them"
        if self.facts.first_time((str(user_loc()), text)):
            warn_at(user_loc(), text, JoinWarning)

    def _as(self, value: object, type_: Type) -> object:
        return self.wrap(self.coerce(value, type_))

    def _into_sum(self, value: Value, own: Type, type_: SumType) -> Value:
        if isinstance(own, SumType):
            if is_subtype(own, type_):
                return value
            return self.lower(self.on_alternatives(StagedSum(value), lambda x: StagedSum(self.coerce(x, type_)), unbound=True))
        index = alternative(type_, own)
        made = value if is_subtype(own, type_.alternatives[index]) else self.coerce(_Raw(value), type_.alternatives[index])
        return self.emit("sum.make", [made], [type_], {"index": index}).result

    # --- back from the Program -----------------------------------------------------------------------------------------

    def wrap(self, value: Value, operands: tuple | None = None) -> object:
        """What converted code handles for a Value. operands: where gradients go on to; None: control flow, or a container, knows.

        The `stop_gradient` of a staged Tensor says whether surely none flows through it.
        """
        type_ = value.type
        if isinstance(type_, TensorType):
            is_apart = operands is not None and all(x.stop_gradient for x in operands if isinstance(x, Tensor))
            return self.facts.policy.tensor(value, is_apart or not has_gradient(type_.dtype))
        if isinstance(type_, ScalarType):
            return None if type_ == NONE else SCALAR_PROXIES[type_](value)
        if type(type_) in CONTAINERS:
            return CONTAINERS[type(type_)](value)
        if isinstance(type_, TupleType):
            return self._unpacked(value)
        if isinstance(type_, SumType):
            return StagedSum(value)
        if isinstance(type_, AtomType):
            return self.objects[type_.text]
        if isinstance(type_, ExceptionType):
            return Caught(value)
        if type_ == UNBOUND:
            return markers.Unbound(value.name)
        if isinstance(type_, ClassType):
            cls = self.class_named(f"class {type_.name}")
            return _Raw(value) if issubclass(cls, Enum) else stand_in(cls, value)  # a member among the results
        return markers.no_value

    def _unpacked(self, value: Value) -> tuple:
        type_ = value.type
        assert isinstance(type_, TupleType)
        gotten = (self.emit("tuple.get", [value], [part], {"index": i}) for i, part in enumerate(type_.elems))
        parts = tuple(self.wrap(op.result) for op in gotten)
        return self.class_named(f"tuple {type_.name}")(*parts) if type_.name else parts

    def on_alternatives(self, staged: StagedSum, function: Callable[[object], object], unbound: bool = False) -> object:
        """`function` of a sum, alternative by alternative."""
        raise NotImplementedError

    # --- attributes that may be absent ---------------------------------------------------------------------------------

    def note_attribute(self, location: Location | None, value: object) -> None:
        """Remember that a value is what an attribute holds, if it holds anything.

        Where there may be none, and a class or `__getattr__` gives another then, loads by this name ask which.
        """
        if not isinstance(location, Attribute) or not isinstance(value, StagedSum | markers.Unbound):
            return
        may_be_absent = isinstance(value, markers.Unbound)
        if isinstance(value, StagedSum):
            self._attributes_of[value._value] = location
            may_be_absent = UNBOUND in alternatives(self.type_of(value))
        if may_be_absent and has_substitute(location.owner, location.name) and self.facts.convert_loads([location.name]):
            raise markers.Restage.of_function()

    def absence(self, staged: StagedSum) -> Exception:
        """What Python raises where an attribute or a name without a value is read."""
        location = self._attributes_of.get(staged._value)
        if location is not None:
            return no_attribute(location.owner, location.name)
        return UnboundLocalError(LOCAL.format(staged._value.name))


def is_plain_object(value: object) -> bool:
    """Whether this is an instance of a class of the user's, with attributes and nothing else."""
    if pytree.is_laid_out_in_c(type(value)) and not isinstance(value, BaseException):
        return False
    module = pytree.module_of(type(value)).partition(".")[0]
    return pytree.is_object(value) or (
        hasattr(value, "__dict__")
        and (not callable(value) or _is_called_by_users(value))
        and not isinstance(value, type | ModuleType | Enum)
        and module != __name__.partition(".")[0]
    )


def _is_called_by_users(value: object) -> bool:
    """Whether calling an object runs a method of the user's, and it is no layer."""
    return isinstance(type(value).__call__, FunctionType) and can_be_staged(value)  # type: ignore[operator]


def _said(value: object) -> str:
    """What a Python object is called where the Program's text speaks of it."""
    if isinstance(value, Enum):  # as Python's own repr, which is what an exception of a loaded Program says of it
        return f"{type(value).__name__}.{value.name or value.value}: {value.value!r}"
    return getattr(value, "__qualname__", None) or f"{type(value).__name__} object"


class _Raw(Staged):
    """A Value on its way through `coerce`, whatever its type."""


def alternative(sum_type: SumType, own: Type) -> int:
    """Which alternative of `sum_type` a value of type `own` goes into."""
    for exact in (True, False):
        for index, candidate in enumerate(sum_type.alternatives):
            if kind(candidate, exact) == kind(own, exact):
                return index
    numbers = [i for i, t in enumerate(sum_type.alternatives) if isinstance(t, TensorType)]
    if own in NUMERIC and numbers:
        return numbers[0]
    sequences = [i for i, t in enumerate(sum_type.alternatives) if isinstance(t, SequenceType)]
    if isinstance(own, TupleType) and sequences:
        return sequences[0]
    raise StagedValueError(f"{user_loc()}: a value of type {own} has no place in {sum_type}")


def _said_of_class(cls: object) -> tuple:
    """What is the same of a class of named tuples that is made again."""
    return tuple(getattr(cls, name, None) for name in ("__module__", "__qualname__", "_fields"))


def _owner(array: Array) -> Array:
    """The array that owns the memory of another."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _memory(array: Array) -> tuple:
    """What two arrays have in common that are the same memory, read the same way."""
    return (array.__array_interface__["data"][0] if array.size else id(array), array.shape, array.strides, array.dtype)


def scalar_type(value: object) -> Type:
    return CONSTANTS[type(value)]
