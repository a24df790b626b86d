"""Functions and classes of Python's library, of C, and others that can't be converted: called as they are, on Python values only.

They are refused arguments that they would read or change otherwise than plain Python does. Those are containers that only the
Program knows, staged numbers, and objects that a trial would have to take back.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import types
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from random import Random
from types import CodeType, FunctionType
from typing import Any

from ....converted_code import FUTURE_FLAGS
from ....errors import ConversionError, Dy2stError, StagedValueError
from ....ops.python import math
from ....ops.registry import lookup
from ....pytree import attributes_of, contents_of, held_in, is_container, module_of, nodes
from ...heap.heap import Poison
from ...heap.identity import SCALARS, are_scalars
from ...heap.staged_objects import contents, is_staged_object, python_class
from ...library import BASES, DictView, all_python, base_of, to_python
from ...outside.answers import looks
from ...proxies import Staged, StagedSum
from ...recorder import refusals
from ...recorder.changed_outside import held_before, may_change, refuse_changes
from ...recorder.changing_calls import CHANGING_ARGUMENTS, READERS, keeps_state, library_of
from ...recorder.made_anew import IMMUTABLE, is_nobodys
from ...recorder.recorder import Recorder
from ...recorder.unfit_operands import number_method
from ...recorder.values import is_plain_object
from ...tensors.tensor import Tensor
from ...where.copied_frames import called_by_copies, finding_the_user, may_look
from ...where.faults import as_the_user, speaks_for_the_user
from ...where.profiling import unwatched
from ...where.user_code import is_foreign
from ...where.warn import warn_unconverted
from ..iteration.gathering import gathered
from ..iteration.generation import Generation
from ..operations.item_sources import Iteration, refuse_outside
from ..operations.structures import is_run_time, is_staged_in
from ..operations.sums import instead as replaced
from .refused import MAKERS, OF_MODULE, STARTING, acts, reads_settings, refusal, refuse_outside_changes
from .weak_references import let_die

DEEP_COPIES = (copy.deepcopy, dataclasses.asdict, dataclasses.astuple)
# Libraries that hold what they are given, hand it on, or use it by operators, which say themselves what can't be.
HOLDING = set(
    "abc bisect builtins collections contextlib contextvars copy dataclasses enum functools heapq itertools operator queue "
    "types typing weakref".split()
)
KEEPING = HOLDING - {"builtins"}  # and ask for no class
# Those that read the other operand, and hold none of it.
OPERATORS = {f"__{way}{name}__" for name in "add and mul or sub xor".split() for way in ("", "r", "i")}
OPERATORS |= {f"__{name}__" for name in "eq ge gt le lt ne".split()}
HOLDERS = {("builtins", cls.__name__) for cls in (types.MappingProxyType, types.MethodType, types.CellType)}
HOLDERS |= {("inspect", "bind"), ("inspect", "bind_partial")}
TAKING_APART = {"copyreg", "json", "pickle", "pprint"}  # what they are given, at any depth, by its class
BUILDING = {"copyreg", "json", "pickle"}  # containers that nobody else holds


@speaks_for_the_user
def _call(function: Callable, args: tuple, kwargs: dict) -> Any:
    return function(*args, **kwargs)


def called_by_the_user(rec: Recorder, function: Callable, *args: Any, **kwargs: Any) -> Any:
    """What a function of Python's gives in the user's module: `namedtuple` and the like ask in which they are called.

    `exec`, `eval` and `compile` read text with the `from __future__ import` of the code that calls them.
    """
    let_die(rec, function)
    if may_look(function):
        return called_by_copies(function, args, kwargs)
    active = rec.facts.active
    if not active:
        return _call(function, args, kwargs)
    users = active[-1].converted
    return FunctionType(_call_with(users.__code__.co_flags & FUTURE_FLAGS), users.__globals__)(function, args, kwargs)


@cache
def _call_with(future: int) -> CodeType:
    """The code of `_call`, with these flags of `from __future__ import`."""
    code = _call.__code__.replace(co_flags=_call.__code__.co_flags & ~FUTURE_FLAGS | future)
    return speaks_for_the_user(FunctionType(code, {})).__code__


def foreign_function(rec: Recorder, function: Any) -> Callable:
    """A function of Python's library or of C: called as it is, on Python values only."""
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or module_of(owner if isinstance(owner, type) else type(owner))
    name = getattr(function, "__name__", None) or f"{type(function).__name__}(...)"
    is_deep_copy = any(function is known for known in DEEP_COPIES)
    may_be_refused = refusal(module, name, -1) is not None  # given none or few arguments
    keeps_nothing = isinstance(owner, str | bytes)  # of what its methods are given
    is_split = module == "math" or function is issubclass  # which keep nothing, either
    is_simple = not may_be_refused and _is_simple(function, module, name) and not looks(module, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        receiver, has_own_names = receiver_of(function, args), False
        if is_simple and not kwargs and are_scalars(args):
            found = called_by_the_user(rec, function, *args)
            if type(found) in SCALARS:
                return found
        else:
            if may_be_refused:
                has_own_names = _refuse(rec, function, module, name, args)
            if isinstance(function, types.MethodDescriptorType) and args:
                own = isinstance(args[0], function.__objclass__)  # whatever a subclass says
                method = function.__get__(args[0]) if own else as_the_user(getattr, args[0], name)
                return as_the_user(rec.convert_call(method), *args[1:], **kwargs)
            if module == "math" and name in math.RESULTS:
                methods = [number_method("math.call", {"name": name}, arg) for arg in args]
                args = tuple([arg if method is None else rec.convert_call(method)() for arg, method in zip(args, methods)])
            if module == "math" and name in math.RESULTS and any(map(is_run_time, args)):
                return lookup("math.call")(*(lookup("py.item")(a) if isinstance(a, Tensor) else a for a in args), name=name)
            found = checked(receiver, args, kwargs)
        if is_deep_copy or ((library_of(module) in BUILDING or name == "__new__") and is_container(found)):
            _adopt(rec, found)
            return found
        is_new = is_nobodys(found) or has_own_names or name in MAKERS or hasattr(type(found), "__next__")
        if is_new:
            return _new(rec, found, (receiver, *args, *kwargs.values()))
        rec.facts.was_given(rec, function, found)
        return found

    def checked(receiver: Any, args: tuple, kwargs: dict) -> Any:
        is_told = False
        has_parts = bool(kwargs) or not are_scalars(args)
        if has_parts and (keeps_nothing or is_split) and (choice := _first_sum(args, kwargs)) is not None:
            return rec.on_alternatives(
                choice, lambda x: checked(receiver, replaced(args, choice, x), replaced(kwargs, choice, x))
            )
        changes = has_parts or not (owner is None or isinstance(owner, types.ModuleType | str))
        changes = changes or (owner is not None and keeps_state(owner))
        is_asked_again = looks(module, name)
        if changes and not is_asked_again:
            _refuse_changes(rec, function, name, args)
        if reads_settings(function, receiver):
            rec.facts.guards.answers.note_settings(function, args, kwargs)
        elif is_told := not is_asked_again and acts(module, name, receiver):
            refuse_outside_changes(rec.here(), module, name, receiver)
            _act(rec, function, args)
        title = f"{module}.{name}" if module not in (None, "builtins", "_operator") else name
        if has_parts:
            if not is_deep_copy:
                args, kwargs = _given(rec, module, name, title, args, kwargs)
            args = _as_python(rec, title, args, kwargs)
            is_held = library_of(module) in HOLDING or (module, name) in HOLDERS
            if keeps_nothing or (module is not None and not is_held and is_foreign(module)):
                _refuse_staged(rec, None, title, (*args, *kwargs.values()))
            if module not in ("builtins", "_operator") and not is_asked_again:
                for arg in (*args, *kwargs.values()):
                    if type(arg) not in SCALARS:
                        rec.facts.read_names(rec, arg)
        if is_asked_again:
            rec.facts.guards.answers.note(function, args, kwargs)
        watched = () if is_told or is_asked_again or not may_change(function) else (receiver, *args, *kwargs.values())
        before = held_before(rec, watched) if watched else []
        try:
            try:
                with rec.told_to_act(function) if is_told else nullcontext():
                    return _called(rec, function, args, kwargs)
            finally:
                refuse_changes(rec, _title(function), before)
        except TypeError as error:
            _refuse_staged(rec, error, title, (*args, *kwargs.values()))
            raise

    return call


def _first_sum(args: tuple, kwargs: dict) -> StagedSum | None:
    """The first argument whose kind follows the path."""
    return next((arg for arg in (*args, *kwargs.values()) if isinstance(arg, StagedSum)), None)


def _is_simple(function: Any, module: Any, name: str) -> bool:
    """Whether a function of C takes Python's scalars, and does nothing but compute something of them."""
    is_of_c = type(function) is types.BuiltinFunctionType and type(function.__self__) is types.ModuleType
    is_plain = is_of_c and module not in (None, "builtins") and name not in MAKERS
    return is_plain and not (acts(module, name, None) or reads_settings(function, None) or may_look(function))


def _refuse(rec: Recorder, function: Any, module: Any, name: str, args: tuple) -> bool:
    """ConversionError for a call that no Program can hold. True: `eval` or `exec` with names of its own, which is called."""
    instead = refusal(module, name, sum(a is not None for a in args))
    if instead is None:
        return False
    if not _has_own_names(rec, function, args):
        raise ConversionError(refusals.unconvertible(rec.here(), f"a call of {name}", instead))
    _refuse_staged(rec, None, name, args)
    unconverted(rec, function)
    return True


def _has_own_names(rec: Recorder, function: Any, args: tuple) -> bool:
    """Whether `eval` or `exec` runs with names of its own: what it binds lies in a dict that the converted code has made."""
    return (function is eval or function is exec) and len(args) > 1 and type(args[-1]) is dict and rec.heap.is_local(args[-1])


def foreign_class(rec: Recorder, cls: type) -> Callable:
    """A class of Python's library, or one whose instances aren't made by a converted `__init__`."""
    instead = OF_MODULE.get(module_of(cls), {}).get(cls.__name__)
    if instead is not None:
        raise ConversionError(refusals.unconvertible(rec.here(), f"{module_of(cls)}.{cls.__name__}", instead))

    def construct(*args: Any, **kwargs: Any) -> Any:
        if is_foreign(module_of(cls)):
            args, kwargs = _given(rec, module_of(cls), cls.__name__, cls.__qualname__, args, kwargs)
            args = _as_python(rec, cls.__qualname__, args, kwargs)
        made = _called(rec, cls, args, kwargs)
        if isinstance(cls.__new__, types.FunctionType) and not is_nobodys(made):
            return made  # it may have been there before
        return _new(rec, made, (*args, *kwargs.values()))

    return construct


def _new(rec: Recorder, made: Any, given: tuple) -> Any:
    """Note that a call has made an object of what it was given.

    One that may be a view of what comes from outside, such as a memoryview, is nothing that a trial could change and forget.
    """
    if issubclass(type(made), IMMUTABLE):  # whatever class it says it is of
        return made
    is_whole = is_container(made) or hasattr(type(made), "__next__")
    may_be_view = not is_whole and any(_is_mutable(x) and not rec.heap.is_local(x) for x in given)
    if may_be_view and len(rec.frames) > 1:
        rec.heap.rebirth_of(made, rec.frames[0])
        return made
    return rec.new(made)


def unconverted(rec: Recorder, function: Any) -> Any:
    """A function that can't be converted: called once, with a warning; refused where a trial might call it."""
    _call_as_it_is(rec, function)
    called = finding_the_user(function)

    @speaks_for_the_user
    def call(*args: Any, **kwargs: Any) -> Any:
        found = called(*args, **kwargs)
        return _new(rec, found, (*args, *kwargs.values())) if is_nobodys(found) else found

    return call


def _called(rec: Recorder, function: Any, args: tuple, kwargs: dict) -> Any:
    """The result of a call.

    StagedValueError: something that it calls has asked for a value that only the Program knows, whatever it makes of the refusal.
    """
    before = rec.refused
    try:
        found = called_by_the_user(rec, function, *args, **kwargs)
    except Exception as error:
        if rec.refused is before or isinstance(error, Dy2stError):
            raise
        raise StagedValueError(rec.refused) from error
    if rec.refused is not before:
        raise StagedValueError(rec.refused)  # the function has caught it, as a TypeError, and found another way
    return found


def _act(rec: Recorder, function: Any, args: tuple) -> None:
    """Warn of a side effect that happens while staging only; that on an object of the function's own ends with it."""
    if rec.heap.birth(receiver_of(function, args)) is None or getattr(function, "__name__", "") in STARTING:
        _call_as_it_is(rec, function)


def _call_as_it_is(rec: Recorder, function: Any) -> None:
    """Warn that a function is called while staging only; ConversionError inside staged control flow."""
    if len(rec.frames) > 1:
        rec.act(
            f"{rec.here()}: {_title(function)} can't be converted and is called inside staged control flow; call it before "
            "(or write print(...), which prints whenever the Program gets there)"
        )
    warn_unconverted(rec.here(), function)


def _title(function: Any) -> str:
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", type(function).__name__)
    return f"{module}.{name}" if isinstance(module, str) and is_foreign(module) else name


def receiver_of(function: Any, args: tuple) -> Any:
    """The object whose method a function is, if it is one."""
    if args and isinstance(function, types.FunctionType) and "." in function.__qualname__:
        return args[0]
    return getattr(function, "__self__", None)


def _is_for_staging(rec: Recorder, value: Any) -> bool:
    """Whether staging may change a container of no known birth itself, as nothing outside leads to it."""
    is_plain = type(value) in (list, dict, set)
    return rec.frame is rec.frames[0] and is_plain and not rec.facts.outlasts(rec, value)


@unwatched
def _refuse_changes(rec: Recorder, function: Any, name: str, args: tuple) -> None:
    """ConversionError where a call inside staged control flow may change an object from outside of it.

    A container of a subclass that comes from outside the function is refused wherever it may be changed, as are objects whose
    state C keeps.
    """
    for value in args:
        refuse_outside(rec, value)
    changes_arguments = name in CHANGING_ARGUMENTS or function is next
    owner = getattr(function, "__self__", None)
    for value in (owner, *args) if changes_arguments else (receiver_of(function, args),):
        if name in READERS or not _is_mutable(value) or rec.heap.is_local(value) or isinstance(value, Random):
            continue
        if rec.heap.birth(value) is None and _is_for_staging(rec, value):
            continue
        is_subclass = type(value) not in BASES and base_of(type(value)) is not None
        if rec.heap.birth(value) is None and (is_subclass or changes_arguments or keeps_state(value)):
            raise ConversionError(
                f"{rec.here()}: {name} may change this {type(value).__name__} from outside while staging, and then never again; "
                "use a list, a dict or a set of Python's own and their methods, or one that the function makes"
            )
        if len(rec.frames) > 1:
            if not all(frame.is_tentative for frame in rec.frames[1:]):
                rec.facts.changes_argument(value)
            rec.act(
                f"{rec.here()}: {name} may change this {type(value).__name__}, which inside staged control flow can't be "
                "taken back; use a list, a dict or a set of Python's own, and their methods"
            )


def _is_mutable(value: Any) -> bool:
    return value is not None and not isinstance(value, IMMUTABLE) and not callable(value)


def _adopt(rec: Recorder, value: Any) -> None:
    """A copy that a library function made: it and what it holds were born here."""
    if isinstance(value, Tensor | Staged | type | FunctionType) or rec.heap.birth(value) is not None:
        return
    parts = contents_of(value)[1] if is_container(value) else [*attributes_of(value).values()] if is_plain_object(value) else []
    if not isinstance(value, IMMUTABLE):
        rec.new(value)
    for part in parts:
        _adopt(rec, part)


# --- what is given to them -------------------------------------------------------------------------------------------------


def _as_python(rec: Recorder, name: str, args: tuple, kwargs: dict) -> tuple:
    """The arguments with iterators of Python's for those of dy2st; ConversionError for what only the Program knows."""
    for a in args if library_of(name) in ("copy", "pickle") else ():
        if isinstance(a, Iteration):
            a.__reduce_ex__(2)
    read = {id(a): _pythons(rec, a) for a in args if issubclass(type(a), Iteration)}  # whatever a dead weak proxy says
    args = tuple(read.get(id(a), a) for a in args)
    for value in (*args, *kwargs.values()) if name.startswith("numpy.") else ():
        if is_run_time(value):
            raise ConversionError(f"{rec.here()}: {_on_arrays(name.removeprefix('numpy.'))}")
    for part in parts_of((*args, *kwargs.values())) if rec.heap.may_refuse() else ():
        if issubclass(type(part), Poison):
            raise ConversionError(
                f"{rec.here()}: {name} isn't converted and would read a {vars(part)['kind']} that is known only "
                "when the Program runs; write a loop or a comprehension, or call it on what the function returns"
            )
    return args


def _pythons(rec: Recorder, items: Iteration) -> Any:
    """What gives the items when it is asked for them; where only the Program knows how many there are, a list."""
    if items.is_staged and not isinstance(items, Generation):
        return gathered(rec, items)
    given = iter(items)
    return given if items.stands_for is types.GeneratorType else itertools.chain(given)  # only a generator has a `send`


def _on_arrays(name: str) -> str:
    """What is said of a NumPy function, or of what an array does, that is given what only the Program knows."""
    if name == "__setitem__":
        return (
            "a NumPy array can't hold a value that is computed when the Program runs; make a tensor, a = dy2st.zeros(shape), and "
            "store into that, or a list, and dy2st.stack it"
        )
    if name.startswith("__"):
        return f"{name} of a NumPy array is given a value that is computed when the Program runs; use dy2st.to_tensor(array)"
    own = _own_name(name)
    instead = f"use dy2st.{own} instead" if own else "write it with functions and operators of dy2st"
    return f"numpy.{name} is a NumPy call on a value that is computed when the Program runs; {instead}"


def _own_name(name: str) -> str | None:
    """How dy2st calls the NumPy function of a name; None where it has none: `linalg.norm`, `mean`."""
    for path in (name, name.rpartition(".")[2]):
        found: Any = import_module("dy2st")  # by name: its functions are above this module
        for step in path.split("."):
            found = getattr(found, step, None)
        if callable(found):
            return path
    return None


def _given(rec: Recorder, module: str | None, name: str, title: str, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """The arguments, with Python's own for what stands for a deque or the like: one that is given twice is one."""
    made: dict[int, Any] = {}
    copies: dict[int, Any] = {}
    is_taken_apart = library_of(module) in TAKING_APART

    def given(value: Any) -> Any:
        is_written = python_class(value) is not None
        if is_written and id(value) not in made:
            made[id(value)] = _of_python(rec, module, name, title, value)
        if is_taken_apart and any(python_class(node) is not None for node in nodes(value)):
            return all_python(value, copies)
        return made[id(value)] if is_written else value

    return tuple(map(given, args)), {key: given(value) for key, value in kwargs.items()}


def _of_python(rec: Recorder, module: str | None, name: str, title: str, value: Any) -> Any:
    """What a call is given for a deque or the like: its items to change, itself to keep, or one of Python's with its items."""
    python: Any = python_class(value)
    is_staged, is_changed = is_staged_object(value), name in CHANGING_ARGUMENTS and issubclass(python, list)
    if is_changed and not is_staged:
        return contents(value)
    if not is_changed and (library_of(module) in KEEPING and name not in OPERATORS) or (module, name) in HOLDERS:
        return value
    if is_staged or is_staged_in(value._table if isinstance(value, DictView) else contents(value)):
        raise ConversionError(
            f"{rec.here()}: {title} isn't converted and would read a {python.__name__} that is known only "
            "when the Program runs; write a loop or a comprehension, or call it on what the function returns"
        )
    return to_python(value)


@unwatched
def parts_of(value: Any) -> list:
    """What a list, tuple, set or dict holds, at any depth; another value itself."""
    return [part for part in nodes(value, held_in) if not is_container(part)]


@unwatched
def _refuse_staged(rec: Recorder, error: TypeError | None, name: str, args: tuple) -> None:
    """ConversionError where a function of C or of a library is given a number, text or tensor that only the Program knows."""
    staged = next((part for part in parts_of(args) if issubclass(type(part), Staged | Tensor) and is_run_time(part)), None)
    if staged is not None and not isinstance(error, Dy2stError):
        raise ConversionError(
            f"{rec.here()}: {name} isn't converted and is given a value ({refusals.in_words(rec.type_of(staged))}) that is known "
            "only when the Program runs; write it with operators and built-ins, or call it on what the function returns"
        ) from error
