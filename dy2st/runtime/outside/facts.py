"""What staging a function has learnt, kept while it is staged again: its state, its loops' types, what it read from outside.

Everything here only grows (contents that a stored location takes over excepted), so that staging again and again comes to an end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from types import CodeType, FunctionType, MappingProxyType
from typing import Protocol
from weakref import ReferenceType

from ...errors import ConversionError
from ...garbage import is_old
from ...ir.core import Loc
from ...ir.join import alternatives
from ...ir.types import NEVER, UNBOUND, AtomType, ClassType, ScalarType, TensorType, Type
from ...pytree import is_container
from ...undo import UndoLog
from .. import library
from ..heap.arrays import Outside, changed
from ..heap.attribute_order import place_of
from ..heap.elements import ElementClass, holds_object, join_shared, knows_more
from ..heap.frames import Frame
from ..heap.identity import SCALARS, identity
from ..heap.journal import Attribute, Contents, ContextVariable, Item, Location, Variable
from ..heap.markers import MISSING, Restage
from ..heap.recording import Recording
from ..heap.redirected import outside_class
from ..heap.staged_objects import is_staged_object
from ..joining.activation import Activation
from ..joining.join import same
from ..joining.plans import Plan
from ..proxies import StagedSum
from ..tensors.grad_mode import is_grad_enabled
from ..tensors.tensor import Tensor
from ..where.per_code import nested_code
from ..where.profiling import unwatched
from ..where.tracebacks import lead_through
from ..where.user_code import is_foreign
from .guards import Guards
from .loop_knowledge import LoopKnowledge
from .policy import TO_STATIC, Policy
from .roots import Roots, is_global
from .written_flags import WrittenFlags


class Rewritten(Protocol):
    """What the transpiler knows of a function: the globals that it stores, the outer variables, and what it reads."""

    access_paths: Collection[tuple]


class StateSlot:
    """One location that is state of the Program: its name in the file and the type of all it ever holds."""

    def __init__(self, name: str, location: Location):
        self.name, self.location = name, location
        self.type: Type = NEVER
        self.found: ElementClass | None = None  # what this recording finds in the containers and objects there
        self.known: ElementClass | None = None  # what the last one found in the objects there
        self.start: object = None  # what the location held when the recording began
        self.flushed: tuple[Frame | None, object] = (None, None)  # the Block that last stored it at run time, and what
        self.loss: Loss | None = None  # whether a layer loses this attribute
        self.holds_arrays = False  # whether NumPy arrays lay there when the recording began
        self.was_absent = False  # whether it held nothing when the recording began


@dataclass
class Loss:
    """An attribute that a layer loses while staging: its `place_of` before, and whether that is on a path."""

    location: Attribute
    place: str | None
    is_on_path: bool = False

    def is_current(self) -> bool:
        """Whether the attribute is there now."""
        return place_of(self.location.owner, self.location.name) == self.place


def is_plain_variable(location: Location) -> bool:
    """A closure variable or a global: stored by Python itself, so its run-time store is recorded later, by `flush`."""
    return isinstance(location, Variable) or is_global(location)


def _is_outside(rec: Recording, obj: object) -> bool:
    """Whether an object was there before the recording."""
    return rec.heap.birth(obj) is None and not is_staged_object(obj)


LEARNT = "tested_in_place pulled staged_tries recursive generalised careful loads follows_grad_mode".split()

MAX_FOUND = 16  # objects under one path: a recording or two find others there, not each


class Facts:
    """The knowledge about one function under one set of input specs."""

    def __init__(self, roots: Roots, policy: Policy = TO_STATIC, swaps: bool = False):
        self.roots, self.policy = roots, policy
        self.swaps = swaps  # whether stores into objects from outside are native, as they are undone before the function ends
        self.follows_grad_mode = False  # whether staging goes by the mode of the call: the code looks at it
        self.splits: dict[CodeType, frozenset[int]] = {}  # of functions, the lines of `if`s at which their paths split
        self.met_kinds: dict[tuple[Callable, int], None] = {}  # the functions and lines where None met another kind
        self.reached = 0  # how many operations were recorded when the last recording was refused
        self.holds_state = True  # whether, while staging, state holds what the Program knows of it; a tracer looks at real values
        self.loops: dict[Hashable, LoopKnowledge] = {}
        self.tested_in_place: set[Hashable] = set()  # the loops whose conditions run without a trial: they change something
        self.unrolled: set[Loc | None] = set()  # the lines of loops whose unrolling has been told
        self.pulled: set = set()  # where what gives items one after another is made, and asked for them one at a time
        self.staged_tries: set = set()
        self.recursive: set = set()  # the calls that are Functions of the Program, by site
        self.recurred: dict[CodeType, list[list]] = {}  # with what arguments they were found to be
        self.generalised: set[CodeType] = set()  # functions whose calls from inside themselves differ in what is staged at most
        self.state: dict[tuple, StateSlot] = {}
        self.awaited: dict[tuple, tuple[Location, Type, str]] = {}  # locations that will be state, with their types and paths
        self._found: Counter[str] = Counter()  # how many objects were state by one path
        self.parts_of_state: dict[int, object] = {}  # by id: the containers that lie in others that are state
        self.outer_cells: set[int] = set()
        self.changed: dict[int, object] = {}  # containers of subclasses in what has become a Value: no path leads to them now
        self.stagings: dict[Hashable, int] = {}
        self.careful = ""  # what operators may be between, so that they, and all unpackings, are converted everywhere
        self.loads = frozenset({"stop_gradient", "requires_grad"})  # the attributes whose loads are converted everywhere
        self.objects: dict[str, object] = {}  # text of an atom, tuple class or class -> the Python object
        self.texts: dict[Hashable, str] = {}  # the text of a Python object, by its identity
        self.made: set[AtomType] = set()  # the atoms of functions and classes that this recording has seen being made
        self.change_argument: Callable[[object], bool] = lambda obj: False  # notes that a part of an argument will be changed
        self.library_stores: dict[tuple, tuple[Loc | None, str]] = {}  # stored variables of modules of Python's library
        self.undo = UndoLog()  # what restores all that staging has stored outside of its recordings
        self.flags = WrittenFlags(self.undo)
        self.arrays = Outside()
        self.loaded: dict[Hashable, list] = {}  # what `__getattr__`s have stored: an object, a lazy module
        self._told: set = set()
        self.begin()

    def take_back(self) -> None:
        """Restore all that this staging has changed outside of its recordings."""
        self.undo.restore()
        self.arrays.put_back()

    def begin(self) -> None:
        """A new recording starts."""
        self.undo.restore()
        self.flags.clear()
        library.refresh()
        self._forget_made()
        self.tries: dict[Hashable, dict] = {}  # the cells that each staged `try` needed, by its site
        self.active: list[Activation] = []
        self.guards = Guards()
        self.loading: set[Hashable] = set()  # of `loaded`, those that this recording has stored: it is about to end
        self._new: dict[int, object] = {}  # by id: what is changed, and code that isn't converted has made since
        self.lost: dict[tuple, Loss] = {}  # what layers from outside have lost, by location
        self.learn_awaited()

    def _forget_made(self) -> None:
        """The functions that the last recording made hold its Values: no loop is to carry one of them into the next.

        The classes are made anew, and take the names of those before them.
        """
        classes = [atom.text for atom in self.made if isinstance(self.objects[atom.text], type)]
        for text in classes:
            del self.texts[identity(self.objects.pop(text))]
        texts = [str(atom) for atom in self.made if atom.text in self.objects]
        self.made = set()
        for loop in self.loops.values() if texts else ():
            for key, plan in list(loop.plans.items()):
                if isinstance(plan, Plan) and any(text in str(leaf) for leaf in plan.leaves() for text in texts):
                    del loop.plans[key]

    def remembered(self) -> Callable[[], None]:
        """What it has learnt by now of how code is to be staged: a function that lets it know no more."""
        known = {name: copy(vars(self)[name]) for name in LEARNT}
        loops = {site: replace(loop) for site, loop in self.loops.items()}

        def forget() -> None:
            vars(self).update(known)
            for site, loop in self.loops.items():
                loop.forget_since(loops.get(site) or LoopKnowledge())

        return forget

    def loop(self, site: Hashable) -> LoopKnowledge:
        """The knowledge about the loop or recursion of a site."""
        return self.loops.setdefault(site, LoopKnowledge())

    def first_time(self, event: Hashable) -> bool:
        """Whether this is the first time that something is to be told."""
        news = event not in self._told
        self._told.add(event)
        return news

    def first_load(self, asked: Hashable, written: list) -> bool:
        """Whether a `__getattr__` has stored something for the first time; that stays, and the next recording finds it.

        asked: the object and the name that it was asked for; None for other code. written: the places, with what they held.
        """
        if asked is None or asked in self.loaded:
            return False
        self.loaded[asked] = written
        self.loading.add(asked)
        return True

    def outlives_call(self, function: FunctionType) -> None:
        """The closure of the function that is called from outside outlives the call."""
        self.outer_cells.update(map(id, function.__closure__ or ()))

    # --- where we are --------------------------------------------------------------------------------------------------

    def site(self, mark: Hashable) -> tuple:
        """The code of a loop (or what else marks it) and the calls that led to it: what tells one loop from another."""
        return (mark, *self.active[-1].site) if self.active else (mark,)

    @contextmanager
    def apart(self, *marks: Hashable) -> Iterator[None]:
        """Inside, a loop has another site than the same loop outside: it is met with values of other kinds."""
        handled = len(self.active)
        if handled:
            self.active.append(replace(self.active[-1], site=(*marks, *self.active[-1].site)))
        try:
            yield
        finally:
            del self.active[handled:]

    def count(self, site: Hashable) -> None:
        self.stagings[site] = self.stagings.get(site, 0) + 1

    def note_met_kinds(self, loc: Loc | None) -> None:
        """On a line of the function that runs, paths meet of which one brings None, another a value."""
        if loc is not None and self.active:
            self.met_kinds[self.active[-1].users, loc.line] = None

    def frame_of_variable(self, code: CodeType, name: str) -> Frame | None:
        """The Frame in which the closure variable `name` of generated code was made: that of the call whose variable it is.

        None for a variable of a call that is over, or that the recording didn't see.
        """
        for call in reversed(self.active):
            made_in = call.converted.__code__
            if name in made_in.co_cellvars and id(code) in nested_code(made_in):
                return call.frame
        return None

    def entered(self, rec: Recording, function: FunctionType, transpiled: Rewritten, args: tuple, kwargs: dict) -> None:
        """A user's function was entered: what it reads from outside is to be guarded, and may be state."""
        if not (self.roots.has_entered(function) or rec.heap.was_made(function)):
            self.roots.enter(function)
        self.arrays.add(self.roots.arrays())
        self.guards.add(function, transpiled, args, kwargs, lambda obj: _is_outside(rec, obj))

    @unwatched
    def read_attribute(self, rec: Recording, owner: object, name: str) -> None:
        """`getattr` or `hasattr` reads an attribute: of an object from outside, or a class, it is to be guarded."""
        if _is_outside(rec, owner):
            self.guards.read_attribute(owner, name)
        else:
            self.guards.mention_names([name])
            self.guards.watch(type(owner))

    @unwatched
    def read_names(self, rec: Recording, owner: object) -> None:
        """Code that isn't converted may read all attributes: those of an object from outside are to be guarded."""
        if _is_outside(rec, owner) and isinstance(getattr(owner, "__dict__", None), dict | MappingProxyType):
            self.guards.read_names(owner)

    def was_given(self, rec: Recording, by: object, found: object) -> None:
        """A library has given an object that may have been there before: what is read from it is to be guarded.

        by: what was called. A weak reference isn't to keep alive what it gives.
        """
        if type(found) not in SCALARS and _is_outside(rec, found) and not isinstance(by, ReferenceType):
            self.guards.watch(found)

    def ran_unconverted(self, code: CodeType, namespace: dict[str, object]) -> None:
        """Python or a library has called code that isn't converted: what it reads from outside is to be guarded."""
        self.guards.mention(code, namespace)

    def refuse_changed_arrays(self, loc: Loc | None) -> None:
        """ConversionError where the code has changed an array from outside: staging did so, once, and takes it back."""
        if paths := self.arrays.put_back():
            raise changed(loc, paths[0].removeprefix("globals."))

    def learn_grad_mode(self) -> bool:
        """Guard whether the call is under `no_grad`, if the code looks at it; whether it is, and staging didn't go by that."""
        if self.guards.mentions("stop_gradient"):
            self.guards.answers.note(is_grad_enabled, ())
        before = self.follows_grad_mode
        self.follows_grad_mode = before or (self.guards.answers.were_asked(is_grad_enabled) and not is_grad_enabled())
        return self.follows_grad_mode and not before

    def refuse_trials(self, frames: Sequence[Frame]) -> bool:
        """Something comes that a trial in these Blocks can't take back: whether it is to be refused.

        The condition of a loop is tried only because it may be staged: if nothing else is, it is run in place when staged again.
        """
        if all(frame.tested is not None for frame in frames):
            self.tested_in_place.update(frame.tested for frame in frames)
            if frames:
                raise Restage.of_function()
        return bool(frames)

    def take_care(self, of: str = "containers") -> None:
        """From here on, operators that may be between sets, or "objects", and all unpackings, are converted in every function."""
        self.careful = max(self.careful, of)  # all operators are those between sets, too

    def convert_loads(self, names: Iterable[str]) -> bool:
        """From here on, loads of attributes of these names are converted in every function; whether that is news."""
        before, self.loads = self.loads, self.loads.union(names)
        return self.loads != before

    # --- state ---------------------------------------------------------------------------------------------------------

    def stored_in_module(self, rec: Recording, location: Item) -> None:
        """A variable of a module was stored by its attribute."""
        if is_foreign(location.owner["__name__"]):
            self.library_stores[location.key] = rec.here(), f"{location.owner['__name__']}.{location.name}"

    def changes_argument(self, obj: object) -> None:
        """An object is about to change as only a Value can: if it is a part of an argument, stage anew with that as a Value."""
        if self.change_argument(obj):
            raise Restage.of_function()

    def find_root(self, obj: object) -> str | None:
        """The path by which `obj` outlives the call, or None."""
        return self.roots.path(obj)

    def outlasts(self, rec: Recording, obj: object) -> bool:
        """Whether an object that is about to change is there when the call is over.

        ConversionError for one that was there before, and that no path leads to.
        """
        if self.roots.path(obj) is not None:
            return True
        if self.is_unreached(rec, obj):
            raise ConversionError(
                f"{rec.here()}: this {outside_class(obj).__name__} from outside is changed, and no variable, attribute or item "
                "that the function can name leads to it; keep it in one of these too, or change it outside of the function"
            )
        return False

    def is_unreached(self, rec: Recording, obj: object) -> bool:
        """Whether an object that no path leads to was there before the recording: it lies behind a weak reference, or in C."""
        if not _is_outside(rec, obj) or id(obj) in self._new:
            return False
        if is_old(obj):
            return True
        self._new[id(obj)] = obj
        return False

    def outlives(self, rec: Recording, location: Location) -> bool:
        """Whether a location is there when the call is over.

        ConversionError for a variable of a module of Python's library, which couldn't use the Values that state holds.
        """
        if location.key in self.library_stores:
            loc, name = self.library_stores[location.key]
            changes = f"{name} = ... changes a module of Python's library, and isn't put back before the call or the branch ends"
            instead = "put it back in a 'finally', or keep the value on an object of your own"
            raise lead_through(loc, ConversionError(f"{loc}: {changes}; {instead}"))
        return self.keeps(rec, location)

    def keeps(self, rec: Recording, location: Location) -> bool:
        """Whether a location that is changed is there when the call is over; see `outlasts`."""
        if self.roots.location_path(location, self.outer_cells) is not None:
            return True
        return self.outlasts(rec, location.owner)

    def is_state(self, location: Location) -> bool:
        """Whether a location is known to be state."""
        return location.key in self.state

    def add_state(self, location: Location, type_: Type = NEVER) -> bool:
        """A location is state; whether that, or its type, is news."""
        slot = self.state.get(location.key)
        if slot is None and self.is_part_of_state(location):
            return False
        if slot is None:
            path = self.roots.location_path(location, self.outer_cells)
            if path is None:
                return False
            self.learn_awaited()  # which were stored before
            self._add_slot(location, type_, path)
            return True
        risen = join_shared(slot.type, type_)
        news, slot.type = risen != slot.type, risen
        return news

    def _add_slot(self, location: Location, type_: Type, path: str) -> None:
        self._refuse_another_each_time(path)
        name = self._name_for(location, self.policy.state_name(location, path))
        slot = self.state[location.key] = StateSlot(name, location)
        slot.type = type_

    def _awaits(self, location: Location, type_: Type, value: object) -> bool:
        """Whether a location will be state in the next recording, and this one goes on.

        An attribute that held a tensor or a scalar, of `type_`, and holds one, `value`, of an object that attributes and modules
        lead to. No path leads to an item once its container becomes a Value: the recording ends at once there.
        """
        is_plain = isinstance(type_, TensorType | ScalarType) and (isinstance(value, Tensor) or type(value) in SCALARS)
        if not is_plain or not isinstance(location, Attribute) or is_container(location.owner):
            return False
        path = self.roots.location_path(location, self.outer_cells)
        if path is None or "[" in self.policy.state_name(location, path):
            return False
        self.awaited.setdefault(location.key, (location, type_, path))
        return True

    def learn_awaited(self) -> bool:
        """The recording is over: the locations that it awaits are state. Whether there are any."""
        awaited, self.awaited = self.awaited, {}
        for key, (location, type_, path) in awaited.items():
            if key not in self.state:
                self._add_slot(location, type_, path)
        return bool(awaited)

    def _refuse_another_each_time(self, path: str) -> None:
        """ConversionError where each recording has found another object under one path, so that staging has no end."""
        self._found[path] += 1
        if self._found[path] > MAX_FOUND:
            raise ConversionError(
                f"{path} is changed, and each time that the function is staged another object is there: what makes it isn't "
                "converted; make it before the call, or where dy2st sees the source"
            )

    def has_in_state(self, name: str) -> bool:
        """Whether a location that is state holds an object of the class of this name."""
        kept = [type_ for slot in self.state.values() for type_ in alternatives(slot.type)]
        return any(isinstance(type_, ClassType) and type_.name == name for type_ in kept)

    def keeps_attribute(self, cls: type, name: str) -> bool:
        """Whether an attribute of this name, of an object of this class, is state by itself."""
        own = [slot.location for slot in self.state.values() if isinstance(slot.location, Attribute)]
        return any(location.name == name and outside_class(location.owner) is cls for location in own)

    def is_part_of_state(self, location: Location) -> bool:
        """Whether a location is an attribute of a container that lies in another one, which is state as a whole."""
        return isinstance(location, Attribute) and id(location.owner) in self.parts_of_state

    def learn_objects(self, slot: StateSlot) -> bool:
        """Whether the objects in a state hold more than the last recording knew: they are read before it is stored."""
        if slot.found is None or not holds_object(slot.type):
            return False
        before, slot.known = slot.known, slot.found
        return before is None or knows_more(slot.found, before, set())

    def _name_for(self, location: Location, name: str) -> str:
        """The name of a new slot. A location that is stored takes the name over from the contents of the list that it held.

        That list is from now on what the location holds. Only contents ever go, so staging again and again still comes to an end.
        """
        taken = [key for key, slot in self.state.items() if slot.name == name]
        if isinstance(location, Contents):
            return f"{name} ({len(self.state)})" if taken else name
        for key in taken:
            if isinstance(self.state[key].location, Contents):
                del self.state[key]
        return name

    def stored(self, rec: Recording, location: Location, value: object, before: object) -> None:
        """A location was written: if it is state, write it at run time too."""
        if isinstance(location.owner, type) and not _is_outside(rec, location.owner):
            return  # a class that is made here is made anew by each recording
        slot = self.state.get(location.key)
        if isinstance(location, Attribute) and isinstance(before, StagedSum):
            self._follow_order(rec, location, slot, before)
        if slot is None and self.swaps and rec.frame is rec.frames[0]:
            return  # `learn_state` looks at it when the recording is over
        if slot is None and not self.holds_state:
            return  # the tracer tells of it
        is_news = slot is None and not same(before, value) and before is not MISSING and rec.heap.birth(location.owner) is None
        if is_news and not self.is_part_of_state(location) and self.outlives(rec, location):
            is_known_later = library.twin_of(type(before)) is not None or library.kept_class(before) is not None
            type_ = NEVER if is_known_later else rec.type_of(before)
            if rec.frame is rec.frames[0] and self._awaits(location, type_, value):
                return
            self.add_state(location, type_)
            raise Restage.of_function()
        if slot is not None and not isinstance(location, Contents):
            self._store(rec, slot, value)

    def _follow_order(self, rec: Recording, location: Attribute, slot: StateSlot | None, before: object) -> None:
        """An attribute that may be absent is stored: a new one comes last. Of one that a path may have set, the place is open."""
        if slot is None or before is not slot.start:
            if UNBOUND in alternatives(rec.type_of(before)):
                rec.heap.lose_order(location.owner)
        elif slot.was_absent:
            location.move_last()  # a placeholder stood there, maybe before attributes that were stored earlier

    def flush(self, rec: Recording) -> None:
        """Store what closure variables and globals hold by now: before the Program ends, or raises."""
        for slot in self.state.values():
            if not self.holds_state or not is_plain_variable(slot.location):
                continue
            frame, known = (rec.frame, slot.start) if slot.flushed[0] is None else slot.flushed
            value = slot.location.get()
            if frame is not rec.frame or not same(value, known):  # what another Block stored, it may have stored on its path only
                self._store(rec, slot, value)
                slot.flushed = (rec.frame, value)

    def learn_before_raise(self, rec: Recording) -> None:
        """Where a path ends in an exception, its changes of arguments, variables, globals and new attributes stay."""
        for change in rec.journal.pending(1):
            location = change.location
            self.changes_argument(location.owner)
            if location.key in self.state or not (is_plain_variable(location) or change.before is MISSING):
                continue
            if isinstance(change.location, ContextVariable) and rec.puts_back():
                continue
            if self._is_made_anew(rec, location.owner) or not self.outlives(rec, location):
                continue
            if self.add_state(change.location, join_shared(rec.type_of(change.before), rec.type_of(change.after))):
                raise Restage.of_function()

    def _is_made_anew(self, rec: Recording, obj: object) -> bool:
        """Whether each attempt makes such an object, so that it is no state, but a part of one at most."""
        return rec.heap.birth(obj) is not None or id(obj) in self._new

    def _store(self, rec: Recording, slot: StateSlot, value: object) -> None:
        type_ = rec.type_of(value)
        if self.add_state(slot.location, type_):
            raise Restage.of_function()
        stored = rec.coerce(value, slot.type)
        rec.heap.elements.unify(slot.found, rec.heap.elements.class_of(stored))
        rec.emit("state.set", [stored], attrs={"name": slot.name})
