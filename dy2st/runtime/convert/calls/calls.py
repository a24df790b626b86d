"""`f(...)`: what is called instead of `f` while staging.

User functions are converted, recursively. Built-ins that can meet staged values have a counterpart in `builtins/table.py`.
Methods that change a list, dict or set go through the heap. What can't be converted is called as it is where that is safe, and
refused where it isn't.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from enum import Enum
from importlib import import_module
from typing import Any

from .... import pytree
from ....converted_code import is_converted, note_converted
from ....errors import ConversionError, Dy2stWarning, SourceUnavailableError
from ....ops.dispatch import RECORDERS
from ... import library
from ...control import reentry
from ...control.rebound import remember
from ...control.rest_arguments import Rest, with_named_rest
from ...heap.heap import Poison
from ...heap.identity import SCALARS, are_scalars
from ...heap.own_attributes import in_classes
from ...heap.staged_objects import python_class
from ...joining.activation import Arguments
from ...outside.answers import can_tell
from ...proxies import Staged, StagedContainer, StagedNumber, StagedStr, StagedSum, StagedTuple, SumMethod, on_kinds
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.call_hook import noted
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user, speaks_for_the_user
from ...where.lines import SourceLoc
from ...where.per_code import has_instruction, mentioned
from ...where.profiling import unwatched
from ...where.storing import STORES
from ...where.tracebacks import lead_through
from ...where.user_code import PACKAGE, is_foreign, user_instruction
from ...where.warn import warn_at
from ..builtins.cached_functions import CACHED, METHODS, cached, method_of_cache
from ..builtins.collections_ import constructor
from ..builtins.context_variables import CHANGES, context_variable
from ..builtins.dataclasses_ import construct_dataclass, has_generated_init
from ..builtins.enums import member_by_value
from ..builtins.foreign import foreign_class, foreign_function, unconverted
from ..builtins.functools_ import dispatched, is_dispatching
from ..builtins.methods import (
    DESCRIPTORS,
    container_method,
    from_keys,
    is_built_in_method,
    library_method,
    tuple_method,
    unbound_method,
)
from ..builtins.operator_ import GETTERS, getter
from ..builtins.table import REPLACEMENTS
from ..builtins.text import string_method
from ..builtins.wrong_arguments import in_pythons_words
from ..iteration.generation import Generation
from ..iteration.generators import Generator
from ..iteration.resumables import Resumable
from ..operations.sums import instead, on_alternatives, split_first
from .skipped import is_skipped, skipped

TRANSFORMERS, API = "dy2st.transformers", "dy2st.api."
FRESH = (list, dict, set)
FOREIGN = (types.FunctionType, types.BuiltinFunctionType)
NATIVE = (*FOREIGN, types.MethodType, type)


def convert_call(function: Any) -> Any:
    """What to call in place of `function`."""
    if not RECORDERS or (rec := current_recorder()) is None:
        return function
    kind = type(function)
    if rec.facts.policy.replaces and (found := rec.facts.policy.replacement(function)) is not None:
        return found
    if kind is types.FunctionType and function in rec.entering:
        return rec.entering[function]
    if kind is types.MethodType and type(function.__func__) is types.FunctionType and function.__func__ in rec.entering:
        return functools.partial(rec.entering[function.__func__], function.__self__)
    if kind in FOREIGN and function in rec.foreign:
        return rec.foreign[function]
    if kind in NATIVE:
        return (REPLACEMENTS.get(function) if kind in REPLACED else None) or _of_native(rec, function)
    if isinstance(function, StagedSum):
        return lambda *args, **kwargs: on_alternatives(rec, function, lambda f: as_the_user(convert_call(f), *args, **kwargs))
    if isinstance(function, StagedNumber):
        return lambda *args, **kwargs: on_kinds(function, lambda f: as_the_user(f, *args, **kwargs))  # which raises
    return function if isinstance(function, SumMethod) else _of(rec, function)


@unwatched
def _of_native(rec: Recorder, function: Any) -> Any:
    """What to call in place of a function, method or class: to look at it runs no code of the user's."""
    if type(function) is types.FunctionType:
        return _function(rec, function)
    if type(function) is types.BuiltinMethodType:
        owner = function.__self__
        if type(owner) in FRESH:
            return container_method(rec, function, owner)
        if type(owner) is str and (method := string_method(owner, function.__name__)) is not None:
            return in_pythons_words(function, method)
    return _of(rec, function)


def _of(rec: Recorder, function: Any) -> Any:
    """What to call in place of anything that isn't a function in Python."""
    replacement = _builtin(function)
    if replacement is not None:
        return replacement
    owner, name = _owner_and_name(function)
    if isinstance(owner, tuple | StagedTuple) and name in ("index", "count"):
        return in_pythons_words(getattr((), name), tuple_method(rec, function, owner))
    if type(owner) is slice and name == "indices":
        indices = rec.convert_call(library.slices.indices_of)
        return in_pythons_words(function, functools.partial(indices, owner.start, owner.stop, owner.step))
    if isinstance(function, types.MethodType):
        return _method(rec, function)
    if isinstance(function, functools.partial):
        return functools.partial(convert_call(function.func), *function.args, **function.keywords)
    if isinstance(function, type):
        return _construct(rec, function)
    if isinstance(function, CACHED):
        return cached(rec, function)
    if type(owner) is ContextVar and name in CHANGES:
        return context_variable(rec, function)
    if isinstance(owner, CACHED) and name in METHODS:
        return method_of_cache(rec, function)
    if isinstance(function, GETTERS):
        return getter(rec, function)
    if is_built_in_method(function, owner):
        return library_method(rec, function, owner)
    if isinstance(owner, type) and name == "fromkeys" and library.twin_of(owner) is not None:
        return from_keys(rec, owner)
    if isinstance(function, DESCRIPTORS) and function.__objclass__ in library.BASES:
        return functools.partial(unbound_method, rec, function)
    if type(owner) in FRESH:  # a method such as `[].__len__`, which is no built-in function
        return container_method(rec, function, owner)
    if type(owner) is str and (method := string_method(owner, name)) is not None:
        return in_pythons_words(function, method)
    if name in PAST_CLASS and getattr(function, "__objclass__", None) is object:  # `super().__setattr__`
        return functools.partial(convert_call(getattr(object, name)), owner)
    if type(function) is types.BuiltinFunctionType and type(owner) is types.ModuleType:
        return _foreign(rec, function)
    if name == "__next__" and isinstance(function, types.MethodWrapperType):
        return functools.partial(convert_call(next), owner)
    if isinstance(function, types.BuiltinFunctionType | types.MethodWrapperType | types.MethodDescriptorType):
        return foreign_function(rec, function)
    return _callable_object(rec, function)


def _foreign(rec: Recorder, function: Any) -> Callable:
    """A function of Python's library or of C, which is looked at once in a recording, unless that has made it."""
    found = foreign_function(rec, function)
    if rec.heap.birth(function) is None:
        rec.foreign[function] = found
    return found


PAST_CLASS = ("__setattr__", "__delattr__", "__getattribute__")
REPLACED = frozenset(map(type, REPLACEMENTS))


def _builtin(function: Any) -> Any:
    """The counterpart of a built-in. A callable object isn't asked for its hash: that may be a method of the user's."""
    return REPLACEMENTS.get(function) if type(function) in REPLACED else None


def _owner_and_name(function: Any) -> tuple[Any, str]:
    """`__self__` and `__name__` where they are; a `__getattr__` of the user's isn't asked, as Python doesn't ask it in a call."""
    if isinstance(getattr(type(function), "__getattr__", None), types.FunctionType):
        return None, ""
    return getattr(function, "__self__", None), getattr(function, "__name__", "")


# --- functions of the user -------------------------------------------------------------------------------------------------


def _function(rec: Recorder, function: types.FunctionType) -> Any:
    inner = getattr(function, "__dy2st_original__", None)
    if inner is not None:
        return noted(function, convert_call(inner))
    if is_skipped(function):
        return skipped(rec, function)
    filename = function.__code__.co_filename
    if filename.startswith(PACKAGE) and not (filename.startswith(library.FOLDER) or is_converted(function.__code__)):
        scope = getattr(function, "__dy2st_scope__", None)
        return _own(rec, function) if scope is None else _scoped(scope, convert_call(function.__wrapped__))  # type: ignore[attr-defined]
    if is_dispatching(function):
        return dispatched(rec, function)
    module = function.__module__ or ""
    if is_foreign(module):
        return _foreign(rec, function)
    stand_in = rec.facts.policy.stand_in(function)
    if stand_in is not None:
        return stand_in
    function = rec.facts.policy.resolved(function)
    if inspect.isgeneratorfunction(function):
        return generator_of(rec, function)
    if is_converted(function.__code__):
        return _entering(rec, function, function, None)
    try:
        converted, transpiled = _converted(rec, function)
    except SourceUnavailableError:
        return unconverted(rec, function)
    entering = _entering(rec, function, converted, transpiled)
    if rec.heap.birth(function) is None:  # of one that is made here, defaults may change
        rec.entering[function] = entering
    return entering


def pushing(rec: Recorder, function: Any) -> Any:
    """What to call in place of the function of a manager: a generator whose `yield` the body is pushed into, handlers and all."""
    is_users = inspect.isgeneratorfunction(function) and not is_foreign(function.__module__ or "")
    return generator_of(rec, function, resumable=False) if is_users else convert_call(function)


def generator_of(rec: Recorder, function: types.FunctionType, resumable: bool | None = None) -> Any:
    """A generator function: nothing of it runs before its first item is asked for. resumable: as in `transformers.transpile`."""
    site = user_instruction()
    try:
        wanted = True if site in rec.facts.pulled else resumable
        converted, transpiled = _converted(rec, function, wanted)
    except SourceUnavailableError:
        return unconverted(rec, function)
    enter = _entering(rec, function, converted, transpiled)
    protocol = transpiled.generator

    def call(*args: Any, **kwargs: Any) -> Generation:
        has_rest = bool(args) and type(args[-1]) is Rest
        if not has_rest and Arguments(function, args, kwargs).shape is None:
            as_the_user(function, *args, **kwargs)  # Python says what doesn't fit, and runs nothing of it
        make = lambda hand_to: enter(*args, **kwargs, **{protocol.consumer: hand_to})  # noqa: E731
        if protocol.is_resumable:
            return Resumable(rec, function, make, site, protocol.cleans_up)
        return Generator(rec, function, make, site)

    return call


def rewritten(
    function: types.FunctionType,
    careful: str = "",
    resumable: bool | None = None,
    typed: bool = False,
    loads: frozenset[str] = frozenset(),
    outside: bool = False,
    splits: frozenset[int] = frozenset(),
) -> Any:
    """What `transformers.transpile` gives. Who runs a traced module imports this file, and no transformer.

    An `import` statement would call the `__import__` that the user's code may have put in place of Python's.
    """
    try:
        return import_module(TRANSFORMERS).transpile(function, careful, resumable, typed, loads, outside, splits)
    except ConversionError as error:
        if error.filename and error.lineno:
            lead_through(SourceLoc(error.filename, error.lineno, function.__name__), error)
        raise error


def converted_function(
    function: types.FunctionType,
    namespace: Any,
    careful: str = "",
    resumable: bool | None = None,
    typed: bool = False,
    loads: frozenset[str] = frozenset(),
    outside: bool = False,
    splits: frozenset[int] = frozenset(),
) -> tuple[types.FunctionType, Any]:
    """A converted twin of a function, sharing its globals, cells and defaults, and what the transpiler knows of it.

    namespace: what the twin knows as `_jst`.
    careful: "containers" converts operators that may be between sets, though the function mentions none; "objects" converts all.
    resumable: whether a generator can be left and asked again; None: if its `yield`s want that. typed: hints of local variables
    count. loads: the attributes whose loads are converted as those of properties are.
    outside: the twin is called where nothing is staged, too. splits: the lines of `if`s at which its path splits.
    """
    transpiled = rewritten(function, careful, resumable, typed, loads, outside, splits)
    for body, rebound in transpiled.rebound:
        remember(body, rebound)
    return transpiled.instantiate(function, namespace), transpiled


@unwatched
def _converted(rec: Recorder, function: types.FunctionType, resumable: bool | None = None) -> tuple[types.FunctionType, Any]:
    facts = rec.facts
    loads = facts.loads.intersection(mentioned(function.__code__)) if facts.loads else facts.loads
    loads = loads - {"requires_grad"} if facts.policy.is_library(function) else loads
    splits = facts.splits.get(function.__code__, frozenset())
    return converted_function(function, rec.calls.namespace, facts.careful, resumable, facts.policy.typed, loads, splits=splits)


def can_split(function: types.FunctionType, line: int) -> bool:
    """Whether the statements after the `if` on a line of a function can be moved into both branches."""
    return import_module(TRANSFORMERS).can_split(function, line)


def _entering(rec: Recorder, original: types.FunctionType, converted: types.FunctionType, transpiled: Any) -> Callable:
    """`converted`, noting on entry the closure variables and globals that it may store."""

    def call(*args: Any, **kwargs: Any) -> Any:
        called, entered = original, converted
        if args and type(args[-1]) is Rest:
            if not args[-1].is_of(original):
                return _spread(rec, original, args, kwargs)
            kwargs = {**kwargs, **args[-1].by_name(original)}
            called, entered, args = with_named_rest(original), with_named_rest(converted), args[:-1]
            note_converted(entered.__code__)
        if rec.heap.may_refuse():
            args = _usable(rec, args, kwargs)
        return reentry.enter(rec, called, entered, args, kwargs, original, transpiled)

    return call


def _usable(rec: Recorder, args: tuple, kwargs: dict) -> tuple:
    """The arguments by position: a set is what stands for it, so that its operators can be recorded. Poison is refused."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, Poison):
            value.refuse()
    return tuple(rec.heap.resolve(a) if type(a) is set else a for a in args)


def _spread(rec: Recorder, function: types.FunctionType, args: tuple, kwargs: dict) -> Any:
    """A call with what a function of this package was given in `*rest` and `**more`, and hands on: `Layer.__call__`."""
    runtime, rest = rec.calls.namespace, vars(args[-1])
    items, keywords = runtime.star(rest["items"]), runtime.keywords(rest["keywords"])
    return runtime.star_call(function)(*args[:-1], *items, **kwargs, **keywords)


def _method(rec: Recorder, method: types.MethodType) -> Any:
    owner = method.__self__
    if is_built_in_method(method, owner):
        return library_method(rec, method, owner)
    if isinstance(owner, type):  # a class method
        return functools.partial(convert_call(method.__func__), owner)
    if isinstance(method.__func__, types.FunctionType):
        bound = functools.partial(convert_call(method.__func__), owner)
        pythons = None if (empty := _empty(owner)) is None else getattr(empty, method.__name__, None)
        return bound if pythons is None else in_pythons_words(pythons, bound)
    return functools.partial(convert_call(method.__func__), owner)


def _empty(value: Any) -> Any:
    """An empty text or container of the class that a value is of, or stands for: its methods say what arguments they take."""
    if isinstance(value, StagedStr):
        return ""
    cls = value.stands_for if isinstance(value, StagedContainer) else type(value)
    return cls() if cls in library.BASES else None


def _own(rec: Recorder, function: types.FunctionType) -> Any:
    """A function of this package: it knows what to do while recording. A value whose kind follows the path is split first."""
    hint, asked = getattr(function, "__dy2st_hint__", None), inspect.unwrap(function)
    makes_tensors = function.__module__.startswith(API)

    def call(*args: Any, **kwargs: Any) -> Any:
        if hint is not None and (told := hint(*map(rec.heap.resolve, args), **kwargs)):
            warn_at(rec.here(), told, Dy2stWarning)
        found = split_first((args, kwargs), makes_tensors)
        if found is not None and not _is_its_method(function, found, args):
            again = lambda x: call(*instead(args, found, x), **instead(kwargs, found, x))  # noqa: E731
            return on_alternatives(rec, found, again) if isinstance(found, StagedSum) else on_kinds(found, again)
        taken = rec.heap.resolve if _keeps_arguments(function, args) else functools.partial(_taken, rec)
        result = as_the_user(function, *map(taken, args), **{k: taken(v) for k, v in kwargs.items()})
        if result is not None and can_tell(result) and not kwargs and _only_looks(rec, asked, args):
            rec.facts.guards.answers.note(asked, args)
        return rec.new(result) if _is_new_iterator(result, args) else result

    return call


def _only_looks(rec: Recorder, function: types.FunctionType, args: tuple) -> bool:
    """Whether a function of this package says something of an object from outside, such as an optimizer, or of a mode."""
    if has_instruction(function.__code__, *STORES) or not are_scalars(args[1:]):
        return False
    owner = args[0] if args else None
    is_layer = "_sub_layers" in getattr(owner, "__dict__", ())  # which has guards of its own
    is_value = isinstance(owner, (Tensor, Staged, type)) or pytree.is_container(owner)
    return owner is None or not (is_layer or is_value or type(owner) in SCALARS or rec.heap.birth(owner) is not None)


def _is_new_iterator(result: Any, args: tuple) -> bool:
    """Whether a function of this package has made an iterator, such as `layers.children()`, that no trial has to take back."""
    return isinstance(result, Iterator) and all(result is not a for a in args)


def _is_its_method(function: types.FunctionType, value: StagedSum | StagedNumber, args: tuple) -> bool:
    """Whether a function is a method of such a value itself, which tells its alternatives apart."""
    return bool(args) and args[0] is value and any(function is own for own in vars(StagedSum).values())


def _keeps_arguments(function: types.FunctionType, args: tuple) -> bool:
    """Whether this is a method of a staged container: it may keep what it is given, and lists itself what it iterates over."""
    return bool(args) and isinstance(args[0], StagedContainer) and getattr(type(args[0]), function.__name__, None) is function


def _taken(rec: Recorder, value: Any) -> Any:
    """An argument of a function of this package: a list for a view or a deque."""
    return rec.heap.resolve(listed(value) if python_class(value) is not None else value)


@speaks_for_the_user
def _scoped(scope: Callable, function: Any) -> Callable:
    """A function that was decorated with `no_grad()` or the like: the function is converted, the scope is around it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        with scope():
            return function(*args, **kwargs)

    return call


# --- objects -----------------------------------------------------------------------------------------------------------------


def _construct(rec: Recorder, cls: type) -> Any:
    """A class is called: its `__init__` is converted where it can be, and the object is born here."""
    if issubclass(cls, BaseException) and _has_own_init(cls):
        return _constructor(rec, cls, cls.__init__)  # type: ignore[arg-type]
    if type(cls).__hash__ is None:
        raise ConversionError(
            f"{rec.here()}: {cls.__qualname__} can't be hashed, since its metaclass {type(cls).__name__} has an __eq__ and no "
            "__hash__; give it one, __hash__ = type.__hash__"
        )
    if issubclass(cls, BaseException):
        return _exception(rec, cls)
    if issubclass(cls, Tensor | contextlib._GeneratorContextManager):
        return cls
    if issubclass(cls, Enum):
        return functools.partial(member_by_value, rec, cls)
    if issubclass(cls, tuple) and library.twin_of(cls) is None:
        return cls
    if is_foreign(pytree.module_of(cls)):
        return foreign_class(rec, cls)
    if library.twin_of(cls) is not None:
        return constructor(cls)
    if in_classes(type(cls).__mro__, "__call__") is not vars(type)["__call__"]:  # the metaclass makes objects, as it likes
        return cls
    if has_generated_init(cls):
        return lambda *args, **kwargs: construct_dataclass(rec, cls, args, kwargs)
    init = cls.__init__  # type: ignore[misc]
    if cls.__new__ is not object.__new__ or not isinstance(init, types.FunctionType):
        return foreign_class(rec, cls)
    return _constructor(rec, cls, init)


def _has_own_init(cls: type[BaseException]) -> bool:
    """Whether an exception is made by an `__init__` of the user's, and by Python's `__new__`."""
    init, new = cls.__init__, cls.__new__  # type: ignore[misc]
    is_written = isinstance(init, types.FunctionType) and init.__code__.co_filename != "<string>"
    return is_written and not isinstance(new, types.FunctionType) and not is_foreign(pytree.module_of(cls))


@speaks_for_the_user
def _exception(rec: Recorder, cls: type[BaseException]) -> Callable:
    """An exception that nothing of the user's makes."""
    return lambda *args, **kwargs: rec.new(as_the_user(cls, *args, **kwargs))


@speaks_for_the_user
def _constructor(rec: Recorder, cls: Any, init: types.FunctionType) -> Callable:
    def construct(*args: Any, **kwargs: Any) -> Any:
        given = (args, kwargs) if issubclass(cls, BaseException) else ((), {})  # where `__new__` keeps them, too
        made = rec.new(as_the_user(cls.__new__, cls, *given[0], **given[1]))
        convert_call(init)(made, *args, **kwargs)
        return made

    return construct


def _callable_object(rec: Recorder, value: Any) -> Any:
    if issubclass(type(value), library.Kept):
        return convert_call(rec.new(library.opened(value)))
    method = next((vars(cls)["__call__"] for cls in type(value).__mro__ if "__call__" in vars(cls)), None)
    if isinstance(method, types.FunctionType):
        return _method(rec, types.MethodType(method, value))
    return value if not callable(value) else foreign_function(rec, value)


def listed(values: Any) -> Any:
    """An iterable as a new list."""
    return convert_call(list)(values)
