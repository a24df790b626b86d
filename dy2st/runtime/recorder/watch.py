"""Watch for the user's code that runs unconverted while staging: operators, `with`, properties of the user's own classes.

A method that an operator or an unpacking has called lets the function be staged again, with all of those converted; so does the
getter of a property of a class that the function couldn't name. Other such code may read, which is guarded by the names that it
mentions, and record; but what it stores, the journal doesn't know, so a store of a trial could not be taken back.
Code that stores, or calls a function of C that changes what lives on, is therefore refused inside staged control flow, and told
with a warning outside of it.

A hook of Python's sees each call of a Python function: `sys.monitoring`, which forgets code of no interest, where there is one
(Python 3.12), else the profiling hook, which sees calls of C, too, and is therefore off while an operator is recorded or paths
are joined: none of the user's code runs then. A profiler of the user's own is left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from threading import get_ident
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodDescriptorType
from typing import TYPE_CHECKING

from ...converted_code import is_converted
from ...errors import ConversionError
from ...garbage import is_old
from ...ops import dispatch
from ...pytree import namespace_of, nodes
from ..heap.markers import Restage
from ..heap.own_attributes import in_classes
from ..heap.staged_objects import is_staged_object
from ..where.per_code import mentioned, per_code
from ..where.profiling import is_asked_by_us, profiled
from ..where.storing import REFLECTED, stores
from ..where.user_code import is_library, user_loc
from ..where.warn import warn_unconverted
from .changed_outside import put_back
from .changing_calls import changes_something, is_part_of_new, references
from .within_reach import Changes, Reached, changes_since, reached_by

if TYPE_CHECKING:
    from .recorder import Recorder

SKIPPED = {
    "<module>",
    "<lambda>",
    "<listcomp>",
    "<genexpr>",
    "__init__",
    "__new__",
    "__post_init__",
    "__annotate__",
}  # the last four change what is new
OPERATORS = {
    *(f"__{how}{name}__" for how in ("", "r", "i") for name in REFLECTED),
    *(f"__{name}__" for name in "lt le gt ge eq ne neg pos invert iter index".split()),
}  # the special methods that converted operators and unpackings call
CACHING = cached_property.__get__.__code__
TOOL = 4  # of sys.monitoring's numbers, one that no kind of tool has a claim to

Look = Callable[[CodeType, FrameType], None]
IsWatched = Callable[[CodeType], bool]
Called = Callable[[FrameType, object], None]
Left = Callable[[FrameType], None]


@contextmanager
def watched(rec: Recorder) -> Iterator[None]:
    """Refuse, or warn of, unconverted code that stores, for the time of one recording."""

    def look(code: CodeType, frame: FrameType) -> None:
        if rec is not dispatch.current_mode():
            return
        if makes_object(code):
            note_birth(rec, frame)
        if not (is_converted(code) or _is_ours(frame)):
            rec.facts.ran_unconverted(code, frame.f_globals)
        if is_library(code) or is_converted(code):
            return
        if is_asked_by_us():
            reached.append((frame, reached_by(rec, code, frame)))
            return
        if code.co_argcount == 1 and type(name_asked := frame.f_locals.get(code.co_varnames[0])) is str:
            rec.facts.guards.was_given_by_module(code, name_asked)
        elif (given := attribute_asked(code, frame)) is not None:
            rec.facts.guards.was_given(*given)
        name = getattr(code, "co_qualname", code.co_name)
        if code.co_name in OPERATORS:
            rec.convert_operators()
        if is_loaded(code, frame):
            rec.convert_properties(properties_near(frame))
        if rec.heap.has_staged():
            rec.convert_properties(asked_of_getattr(code, frame))
            _refuse_reading(rec, code, frame, name)
        if may_store(code):
            if code.co_name == "__getattribute__":  # `isinstance` asks it, too: what it changes has changed before
                rec.refuse_whatever_follows(_said(frame, name))
            changes(frame, name)
        reached.append((frame, reached_by(rec, code, frame)))

    def called(frame: FrameType, function: object) -> None:
        code = frame.f_code
        if rec is not dispatch.current_mode() or is_library(code) or is_converted(code) or not changes_something(function):
            return
        owner = getattr(function, "__self__", None)
        is_new = rec.heap.is_local(owner) if len(rec.frames) > 1 else rec.heap.birth(owner) is not None
        if is_new or (references(frame, function) or alone + 1) <= alone or is_part_of_new(frame, function):
            return
        changes(frame, getattr(code, "co_qualname", code.co_name))

    def changes(frame: FrameType, name: str) -> None:
        if len(rec.frames) > 1:
            rec.act(_said(frame, name))
        warn_unconverted(user_loc(frame.f_back), name)

    def left(frame: FrameType) -> None:
        if not any(entered is frame for entered, _ in reached):
            return
        entered, before = reached.pop()
        while entered is not frame:
            entered, before = reached.pop()
        if rec is dispatch.current_mode() and not rec.acting:
            changed_by_hook(rec, frame, changes_since(rec, before, frame))

    reached: list[tuple[FrameType, Reached]] = []
    alone = _references_of_one_variable()
    with hooked(look, is_watched, called, left):
        yield


def changed_by_hook(rec: Recorder, frame: FrameType, changes: Changes) -> None:
    """Refuse changes made by code that Python has called.

    A `__getattr__` that stores what it is asked for is called once: the function is staged again, and finds the attribute.
    """
    if not (changes.written or changes.is_kept_by_c):
        return
    asked = _asked_for(frame)
    if not changes.is_kept_by_c and rec.facts.first_load(asked, changes.written):
        raise Restage.of_function()
    if asked in rec.facts.loading:
        return  # a caller of the code that has stored it, which the restart unwinds
    caller: FrameType | None = frame
    while caller is not None and not is_converted(caller.f_code):
        rec.facts.guards.stores_by_helpers(caller.f_code)
        caller = caller.f_back
    said = _said(frame, getattr(frame.f_code, "co_qualname", frame.f_code.co_name))
    put_back([*(place for loaded in rec.facts.loaded.values() for place in loaded), *changes.written])
    rec.refuse_whatever_follows(said)


def _asked_for(frame: FrameType) -> tuple | None:
    """The object and the name of an attribute that a `__getattr__` gives, or code that it calls; None for other code."""
    asked: FrameType | None = frame
    while asked is not None and asked.f_code.co_name != "__getattr__":
        asked = None if is_converted(asked.f_code) else asked.f_back
    if asked is None:
        return None
    code = asked.f_code
    *owner, name = (asked.f_locals[variable] for variable in code.co_varnames[: code.co_argcount])
    return code, *map(id, owner), name


def _said(frame: FrameType, name: str) -> str:
    by, instead = "an operator, 'with' or property", "call a method by name instead"
    if frame.f_code.co_name == "__next__":
        by, instead = "what goes over items, such as enumerate", "give that list(...) of it, or go over it with a 'for' by itself"
    return (
        f"{user_loc(frame.f_back)}: {name} is called here by {by}; it isn't converted and "
        f"changes something, which inside staged control flow can't be taken back: {instead}"
    )


def hooked(look: Look, is_watched: IsWatched, called: Called, left: Left) -> AbstractContextManager[None]:
    """`look` at each code that `is_watched`, as it starts, and at what it has `called` of C; hear that it `left`."""
    return (_monitored if hasattr(sys, "monitoring") else profiled)(look, is_watched, called, left)


def _references_of_one_variable() -> int:
    """How many references there are to what one variable alone holds, while the hook looks at a call of its method."""
    seen: list[int | None] = []

    def call_a_method() -> None:
        held: list[int] = []
        held.append(0)

    is_this = per_code(lambda code: code is call_a_method.__code__)
    with hooked(lambda *_: None, is_this, lambda frame, function: seen.append(references(frame, function)), lambda _: None):
        call_a_method()
    return max((count for count in seen if count is not None), default=0)


def _refuse_reading(rec: Recorder, code: CodeType, frame: FrameType, name: str) -> None:
    """ConversionError where unconverted code may read a list, dict or set that is a Value: the Python object tells nothing."""
    for value in _within_reach(code, frame):
        if type(value) in (list, dict, set) and rec.heap.staged(value) is not None:
            raise ConversionError(
                f"{user_loc(frame.f_back)}: {name} is called here by an operator, a built-in or a library; it isn't converted "
                f"and would read a {type(value).__name__} that is known only when the Program runs: call a method by name instead"
            )


def _within_reach(code: CodeType, frame: FrameType) -> Iterator[object]:
    """What code that starts to run is given, and what it names: globals, and attributes of what is within reach."""
    names = mentioned(code)

    def inside(value: object) -> Iterable[object]:
        fields = {} if is_staged_object(value) else namespace_of(value)
        if fields and type(fields) is dict:
            return [fields[name] for name in names if name in fields]
        return value if isinstance(value, (tuple, list)) and type(value) in (tuple, list) else ()

    return nodes((*frame.f_locals.values(), *(frame.f_globals[name] for name in names if name in frame.f_globals)), inside)


@contextmanager
def _monitored(look: Look, is_watched: IsWatched, called: Called, left: Left) -> Iterator[None]:
    monitoring = sys.monitoring  # type: ignore[attr-defined]  # Python 3.12
    events = monitoring.events
    ends = (events.PY_RETURN, events.PY_YIELD)
    if monitoring.get_tool(TOOL) is not None:
        yield
        return
    seen: dict[int, CodeType] = {}  # the code whose calls are looked at, too
    thread = get_ident()

    def started(code: CodeType, offset: int) -> object:
        if not is_watched(code):
            return monitoring.DISABLE
        if get_ident() != thread:  # the events are those of all threads
            return None
        if id(code) not in seen:
            seen[id(code)] = code
            monitoring.set_local_events(TOOL, code, events.CALL | events.PY_RESUME | ends[0] | ends[1])
        look(code, sys._getframe(1))
        return None

    def calls(code: CodeType, offset: int, function: object, first: object) -> None:
        if isinstance(function, MethodDescriptorType) and first is not monitoring.MISSING:
            called(sys._getframe(1), function.__get__(first))
        elif isinstance(function, BuiltinFunctionType):
            called(sys._getframe(1), function)

    def ended(code: CodeType, *_: object) -> None:
        if id(code) in seen:
            left(sys._getframe(1))

    heard = {events.PY_START: started, events.PY_RESUME: started, events.CALL: calls, events.PY_UNWIND: ended}
    heard.update(dict.fromkeys(ends, ended))
    monitoring.use_tool_id(TOOL, "dy2st")
    for event, hear in heard.items():
        monitoring.register_callback(TOOL, event, hear)
    monitoring.set_events(TOOL, events.PY_START | events.PY_UNWIND)
    try:
        yield
    finally:
        for code in seen.values():
            monitoring.set_local_events(TOOL, code, 0)
        stop_monitoring()


def is_monitored() -> bool:
    """Whether a recording goes on that `sys.monitoring` watches."""
    return hasattr(sys, "monitoring") and sys.monitoring.get_tool(TOOL) == "dy2st"


def stop_monitoring() -> None:
    """Forget the callbacks, which hold a recording."""
    if is_monitored():
        monitoring = sys.monitoring  # type: ignore[attr-defined]  # Python 3.12
        events = monitoring.events
        monitoring.set_events(TOOL, 0)
        for event in (events.PY_START, events.PY_RESUME, events.CALL, events.PY_UNWIND, events.PY_RETURN, events.PY_YIELD):
            monitoring.register_callback(TOOL, event, None)
        monitoring.free_tool_id(TOOL)


def note_birth(rec: Recorder, frame: FrameType) -> None:
    """An object of the user's is made by code that isn't converted (an operator that gives a new one): it is born here."""
    if _is_ours(frame) or not frame.f_code.co_argcount:
        return
    made = frame.f_locals[frame.f_code.co_varnames[0]]
    may_be_known = isinstance(type(made).__new__, FunctionType) and is_old(made)
    if rec.heap.birth(made) is None and not may_be_known:
        rec.new(made)


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of this package: of one of its dataclasses, for example."""
    return frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]


def is_loaded(code: CodeType, frame: FrameType) -> bool:
    """Whether converted code has loaded a property whose getter this is."""
    caller = frame.f_back
    if caller is not None and caller.f_code is CACHING:
        caller = caller.f_back
    if caller is None or not is_converted(caller.f_code) or code.co_argcount != 1:
        return False
    owner = type(frame.f_locals[code.co_varnames[0]])
    return any(_getter(value) is code for cls in owner.__mro__ for value in vars(cls).values())


def asked_of_getattr(code: CodeType, frame: FrameType) -> set[str]:
    """The name that converted code has loaded, where this is the user's `__getattr__`, which is asked for it."""
    if code.co_name != "__getattr__" or code.co_argcount != 2 or frame.f_back is None or not is_converted(frame.f_back.f_code):
        return set()
    return {frame.f_locals[code.co_varnames[1]]}


def attribute_asked(code: CodeType, frame: FrameType) -> tuple[object, str] | None:
    """The object, and the name, of the attribute that this code is asked for, where it is a `__getattr__` or a `__get__`."""
    if not 2 <= code.co_argcount <= 3:
        return None
    first, *rest = (frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount])
    special = [in_classes(type(first).__mro__, name) for name in ("__get__", "__getattr__", "__getattribute__")]
    own = [getattr(method, "__code__", None) for method in special]
    if own[0] is code and rest[0] is not None:
        names = (name for cls in type(rest[0]).__mro__ for name, value in vars(cls).items() if value is first)
        return next(((rest[0], name) for name in names), None)
    return (first, rest[0]) if code in own[1:] and isinstance(rest[0], str) else None


def properties_near(frame: FrameType) -> set[str]:
    """The names of the properties of an object's class, and of the classes of the module of a getter of its."""
    owner = type(frame.f_locals[frame.f_code.co_varnames[0]])
    classes = {id(cls): cls for cls in (*owner.__mro__, *frame.f_globals.values()) if isinstance(cls, type)}
    return {name for cls in classes.values() for name, value in vars(cls).items() if _getter(value) and not name.startswith("__")}


def _getter(member: object) -> CodeType | None:
    """The code of a property's getter, where that is a function of the user's."""
    getter = member.fget if isinstance(member, property) else member.func if isinstance(member, cached_property) else None
    code = getattr(getter, "__code__", None)
    return code if isinstance(code, CodeType) and not is_library(code) else None


@per_code
def is_watched(code: CodeType) -> bool:
    """Whether calls of this code matter here: code of the user's that isn't converted."""
    is_users = not (is_library(code) or is_converted(code) or code.co_name == "<module>")
    return is_users or makes_object(code) or is_generated_method(code)


def makes_object(code: CodeType) -> bool:
    """Whether this is an `__init__` of the user's, or one that `dataclass` has written."""
    return code.co_name == "__init__" and (is_generated_method(code) or not is_library(code))


def is_generated_method(code: CodeType) -> bool:
    """Whether this is a special method that `dataclass` has written, such as `__eq__`; not the function that makes it."""
    return code.co_filename == "<string>" and code.co_name.startswith("__") and code.co_name != "__create_fn__"


@per_code
def may_store(code: CodeType) -> bool:
    """Whether this is code of the user's that stores an attribute, an item, a global or a variable of another function."""
    if is_library(code) or (code.co_name in SKIPPED and code.co_name != "<lambda>"):
        return False
    return stores(code)
