"""`f(...)`: what is called instead of `f` while staging.

User functions are converted, recursively; built-ins that can meet staged values have a counterpart in `builtins_`; methods
that change a list, dict or set go through the heap; what can't be converted is called as it is where that is safe, and
refused where it isn't.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from ...errors import ConversionError, Dy2stError, Dy2stWarning, SourceUnavailableError
from ...ops.python import math
from ...ops.registry import lookup
from .. import reentry, refusals
from ..blocks import user_instruction
from ..heap import Poison
from ..journal import Item, Variable
from ..proxies import Staged, StagedContainer, StagedSum, SumMethod
from ..spec import leaves
from ..static import PACKAGE, Recorder, current_recorder
from ..tensor import Tensor
from ..warn import warn_at, warn_unconverted
from .access import at
from .cursors import Stepped
from .gathering import gathered
from .generators import Generator
from .iteration import Iteration
from .ordering import sort
from .refused import acts, refusal
from .structures import is_run_time, is_staged_in
from .sums import on_alternatives
from .text import string_method

MUTATORS: dict[type, set[str]] = {
    list: {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "__setitem__", "__delitem__", "__iadd__"},
    dict: {"update", "pop", "popitem", "setdefault", "clear", "__setitem__", "__delitem__"},
    set: {"add", "discard", "remove", "pop", "clear", "update"},
}
SEARCHES = {"index", "count", "get", "pop", "remove", "add", "discard"}  # which compare their argument with what is there
FRESH = (list, dict, set)
COPIES = (copy.copy, copy.deepcopy)
READERS = {
    "get",
    "keys",
    "values",
    "items",
    "index",
    "count",
    "copy",
    "__getitem__",
    "__contains__",
    "__len__",
    "__iter__",
    "__repr__",
}
IMMUTABLE = (bool, int, float, complex, str, bytes, tuple, frozenset, range, slice, types.ModuleType, Tensor, Staged)

_converted: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def convert_call(function: Any) -> Any:
    """What to call in place of `function`."""
    rec = current_recorder()
    if rec is None:
        return function
    if isinstance(function, StagedSum):
        return lambda *args, **kwargs: on_alternatives(rec, function, lambda f: convert_call(f)(*args, **kwargs))
    if isinstance(function, SumMethod):
        return function
    replacement = _builtin(function)
    if replacement is not None:
        return replacement
    if isinstance(function, types.FunctionType):
        return _function(rec, function)
    if isinstance(function, types.MethodType):
        return _method(rec, function)
    if isinstance(function, functools.partial):
        return functools.partial(convert_call(function.func), *function.args, **function.keywords)
    if isinstance(function, type):
        return _construct(rec, function)
    owner = getattr(function, "__self__", None)
    if type(owner) in FRESH:
        return _container_method(rec, function, owner)
    if type(owner) is str and (method := string_method(owner, function.__name__)) is not None:
        return method
    if isinstance(function, types.BuiltinFunctionType | types.MethodWrapperType | types.MethodDescriptorType):
        return _foreign(rec, function)
    return _callable_object(rec, function)


def _builtin(function: Any) -> Any:
    from .builtins_ import REPLACEMENTS

    try:
        return REPLACEMENTS.get(function)
    except TypeError:  # unhashable callables are no built-ins
        return None


# --- functions of the user -------------------------------------------------------------------------------------------------


def _function(rec: Recorder, function: types.FunctionType) -> Any:
    inner = getattr(function, "__dy2st_original__", None)
    if inner is not None:
        return convert_call(inner)
    if getattr(function, "__dy2st_skip__", False):
        return _unconverted(rec, function)
    filename = function.__code__.co_filename
    if filename.startswith(PACKAGE):
        return _own(rec, function)
    module = function.__module__ or ""
    if is_foreign(module):
        return _foreign(rec, function)
    if inspect.isgeneratorfunction(function):
        return generator_of(rec, function)
    if is_converted(function):
        return _entering(rec, function, function, None)
    if inspect.iscoroutinefunction(function):
        return _unconverted(rec, function)
    try:
        converted, transpiled = converted_function(function, rec.facts.careful)
    except SourceUnavailableError:
        return _unconverted(rec, function)
    return _entering(rec, function, converted, transpiled)


def generator_of(rec: Recorder, function: types.FunctionType) -> Any:
    """A generator function: nothing of it runs before its first item is asked for."""
    site = user_instruction()
    if site in rec.facts.stepped:
        native = _unconverted(rec, function)
        return lambda *args, **kwargs: Stepped(rec, native(*args, **kwargs))
    try:
        converted, transpiled = converted_function(function, rec.facts.careful)
    except SourceUnavailableError:
        return _unconverted(rec, function)
    enter = _entering(rec, function, converted, transpiled)

    def call(*args: Any, **kwargs: Any) -> Generator:
        inspect.signature(function).bind(*args, **kwargs)
        make = lambda consume: enter(*args, **kwargs, **{transpiled.consumer: consume})  # noqa: E731
        return Generator(rec, function.__name__, make, site)

    return call


def is_converted(function: types.FunctionType) -> bool:
    """Whether a function is generated code already: an inner function or lambda of a converted one."""
    return is_generated(function.__code__)


def is_generated(code: types.CodeType) -> bool:
    """Whether this very code object is converted code; an equal one may belong to another file."""
    return _generated.get(id(code)) is code


_generated: dict[int, types.CodeType] = {}


def converted_function(function: types.FunctionType, careful: bool = False) -> tuple[types.FunctionType, Any]:
    """The converted twin of a function, sharing its globals, cells and defaults, and what the transpiler knows of it.

    careful: one that converts operators that may be between sets although it mentions none.
    """
    twins = _converted.setdefault(function, {})
    found = twins.get(careful)
    if found is None:
        from ... import transformers
        from .. import convert as jst

        transpiled = transformers.transpile(function, careful)
        converted = transpiled.instantiate(function, jst)
        _remember(converted.__code__)
        found = twins[careful] = (converted, transpiled)
    return found


def _remember(code: types.CodeType) -> None:
    _generated[id(code)] = code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_flags & inspect.CO_OPTIMIZED:  # else the body of a class
            _remember(constant)


def _entering(rec: Recorder, original: types.FunctionType, converted: types.FunctionType, transpiled: Any) -> Callable:
    """`converted`, noting on entry the closure variables and globals that it may store."""

    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs):
            if isinstance(value, Poison):
                value.refuse()
        args = tuple(rec.heap.resolve(a) if type(a) is set else a for a in args)  # so that their operators can be recorded
        for name, cell in rec.heap.variables(original):
            if transpiled is not None and rec.heap.birth(cell) is None:
                rec.facts.outer_cells.add(id(cell))
            if not rec.heap.is_local(cell):
                rec.journal.note(Variable(cell, name))
        if transpiled is not None:
            for name in transpiled.free_globals_stored:
                rec.journal.note(Item(original.__globals__, name))
            rec.facts.entered(rec, original, transpiled, args)
        return reentry.enter(rec, original, converted, args, kwargs)

    return call


def _method(rec: Recorder, method: types.MethodType) -> Any:
    owner = method.__self__
    if isinstance(owner, type):  # a class method
        return functools.partial(convert_call(method.__func__), owner)
    if isinstance(method.__func__, types.FunctionType):
        function = convert_call(method.__func__)
        return functools.partial(function, owner)
    return functools.partial(convert_call(method.__func__), owner)


def _own(rec: Recorder, function: types.FunctionType) -> Any:
    """A function of this package: it knows what to do while recording. A value whose kind follows the path is split first."""
    hint = getattr(function, "__dy2st_hint__", None)

    def call(*args: Any, **kwargs: Any) -> Any:
        if hint is not None and not any(
            isinstance(x, Staged) or (isinstance(x, Tensor) and x.is_staged) for x in leaves(list(args))
        ):
            warn_at(rec.here(), hint, Dy2stWarning)
        found = _first_sum((args, kwargs))
        if found is not None:
            return on_alternatives(rec, found, lambda x: call(*_with(args, found, x), **_with(kwargs, found, x)))
        return function(*map(rec.heap.resolve, args), **{k: rec.heap.resolve(v) for k, v in kwargs.items()})

    return call


def _first_sum(tree: Any) -> StagedSum | None:
    """The first value among the arguments, or in their lists, tuples and dicts, whose kind follows the path."""
    if isinstance(tree, StagedSum):
        return tree
    parts = tree.values() if type(tree) is dict else tree if type(tree) in (list, tuple) else ()
    return next((found for part in parts if (found := _first_sum(part)) is not None), None)


def _with(tree: Any, old: Any, new: Any) -> Any:
    """The same arguments with one value replaced."""
    if tree is old:
        return new
    if type(tree) is dict:
        return {key: _with(part, old, new) for key, part in tree.items()}
    return type(tree)(_with(part, old, new) for part in tree) if type(tree) in (list, tuple) else tree


# --- objects -----------------------------------------------------------------------------------------------------------------


def _construct(rec: Recorder, cls: type) -> Any:
    """A class is called: its `__init__` is converted, and the object is born here."""
    if issubclass(cls, BaseException | Tensor | tuple) or cls.__module__ == "builtins" or type(cls) is not type:
        return cls
    init = cls.__init__  # type: ignore[misc]
    if dataclasses.is_dataclass(cls) and isinstance(init, types.FunctionType) and init.__code__.co_filename == "<string>":
        return lambda *args, **kwargs: _dataclass(rec, cls, args, kwargs)
    if cls.__new__ is not object.__new__ or not isinstance(init, types.FunctionType):
        return lambda *args, **kwargs: rec.new(cls(*args, **kwargs))

    def construct(*args: Any, **kwargs: Any) -> Any:
        made = rec.new(cls.__new__(cls))
        convert_call(init)(made, *args, **kwargs)
        return made

    return construct


def _dataclass(rec: Recorder, cls: type, args: tuple, kwargs: dict) -> Any:
    """An instance of a dataclass, whose `__init__` was never source: it stores its fields, some of them made for it."""
    made = rec.new(cls(*args, **kwargs))
    given = {id(value) for value in (*args, *kwargs.values())}
    for value in vars(made).values():
        if type(value) in FRESH and id(value) not in given:
            rec.new(value)
    return made


def _callable_object(rec: Recorder, value: Any) -> Any:
    method = next((vars(cls)["__call__"] for cls in type(value).__mro__ if "__call__" in vars(cls)), None)
    if isinstance(method, types.FunctionType):
        return _method(rec, types.MethodType(method, value))
    return value if not callable(value) else _foreign(rec, value)


def _container_method(rec: Recorder, method: Any, owner: Any) -> Any:
    """A method of a Python list, dict or set; what it acts on is decided when it is called, after its arguments."""
    name = method.__name__

    def call(*args: Any, **kwargs: Any) -> Any:
        args = tuple(listed(a) if name == "extend" else rec.heap.resolve(a) if type(a) in (set, dict) else a for a in args)
        if type(owner) is not list or name == "extend":
            if any(isinstance(a, StagedContainer) for a in args):
                rec.heap.materialise(owner)
        proxy = rec.heap.staged(owner)
        if name == "sort" and proxy is None and rec.heap.is_local(owner):
            return sort(rec, owner, **kwargs)
        if proxy is None and name in MUTATORS[type(owner)]:
            if name == "setdefault" or (name == "update" and type(owner) is dict):
                return _by_item(rec, owner, name, *args, **kwargs)
            proxy = rec.heap.change(owner)
        if proxy is not None and proxy is not owner:
            return getattr(proxy, name)(*args, **kwargs)
        if any(map(is_staged_in, args)) and name in SEARCHES:
            return getattr(rec.heap.materialise(owner), name)(*args, **kwargs)
        found = method(*args, **kwargs)
        return rec.new(found) if name == "copy" else found

    return call


def _by_item(rec: Recorder, owner: dict, name: str, *args: Any, **kwargs: Any) -> Any:
    """`dict.update` and `dict.setdefault`, item by item."""
    if name == "setdefault" and rec.heap.birth(owner) is not None and not rec.heap.is_local(owner):
        return rec.heap.materialise(owner).setdefault(*args)
    if name == "setdefault":
        key, default = args[0], args[1] if len(args) > 1 else None
        if key not in owner:
            at(owner)[key] = default
        return at(owner)[key]
    for key, value in dict(*args, **kwargs).items():
        at(owner)[key] = value
    return None


# --- what can't be converted -----------------------------------------------------------------------------------------------


def is_foreign(module: str) -> bool:
    """Whether a module belongs to Python or to a library of kernels: its functions are called as they are."""
    root = module.partition(".")[0]
    return root in sys.stdlib_module_names or root in ("numpy", "scipy")


def _foreign(rec: Recorder, function: Any) -> Any:
    """A function of Python's library or of C: called as it is, on Python values only."""
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or (owner if isinstance(owner, type) else type(owner)).__module__
    name = getattr(function, "__name__", repr(function))
    instead = refusal(module, name)
    if instead is not None:
        raise ConversionError(refusals.unconvertible(rec.here(), f"a call of {name}", instead))

    def call(*args: Any, **kwargs: Any) -> Any:
        if isinstance(function, types.MethodDescriptorType) and args:
            return convert_call(getattr(args[0], name))(*args[1:], **kwargs)
        if len(rec.frames) > 1:
            receiver = receiver_of(function, args)
            changes_arguments = module.strip("_") in ("heapq", "bisect", "random") or function is next
            for value in (owner, *args) if changes_arguments else (receiver,):
                if name not in READERS and _is_mutable(value) and not rec.heap.is_local(value):
                    raise ConversionError(
                        f"{rec.here()}: {name} may change this {type(value).__name__}, which inside staged control flow can't be "
                        "taken back; use a list, a dict or a set of Python's own, and their methods"
                    )
        if acts(module, receiver_of(function, args)):
            _unconverted(rec, function)
        if module == "math" and name in math.RESULTS and any(map(is_run_time, args)):
            return lookup("math.call")(*(lookup("py.item")(a) if isinstance(a, Tensor) else a for a in args), name=name)
        args = tuple(gathered(rec, a) if isinstance(a, Iteration) else a for a in args)
        for value in (*args, *kwargs.values()):
            _no_staged(rec, value, f"{module}.{name}" if module not in (None, "builtins", "_operator") else name)
        try:
            found = function(*args, **kwargs)
        except TypeError as error:
            _refuse_staged(rec, error, name, (*args, *kwargs.values()))
            raise
        return _adopted(rec, found) if function in COPIES else found

    return call


def receiver_of(function: Any, args: tuple) -> Any:
    """The object whose method a function is, if it is one."""
    if args and isinstance(function, types.FunctionType) and "." in function.__qualname__:
        return args[0]
    return getattr(function, "__self__", None)


def _refuse_staged(rec: Recorder, error: TypeError, name: str, args: tuple) -> None:
    """ConversionError where a function of C or of a library was given a number or text that only the Program knows."""
    staged = next((part for value in args for part in _parts(value) if isinstance(part, Staged)), None)
    if staged is not None and not isinstance(error, Dy2stError):
        raise ConversionError(
            f"{rec.here()}: {name} isn't converted and is given a {rec.type_of(staged)} that is known only when the "
            "Program runs; write it with operators and built-ins, or call it on what the function returns"
        ) from error


def _parts(value: Any) -> list:
    """A value, or what a list, tuple or dict holds, at any depth."""
    items = value.values() if type(value) is dict else value if type(value) in (list, tuple) else None
    return [value] if items is None else [part for item in items for part in _parts(item)]


def _is_mutable(value: Any) -> bool:
    return value is not None and not isinstance(value, IMMUTABLE) and not callable(value)


def _adopted(rec: Recorder, value: Any) -> Any:
    """A copy that a library function made: it and what it holds were born here."""
    if isinstance(value, list | tuple | set):
        for item in value:
            _adopted(rec, item)
    elif isinstance(value, dict):
        for item in value.values():
            _adopted(rec, item)
    return rec.new(value)


def _no_staged(rec: Recorder, value: Any, name: str) -> None:
    if (isinstance(value, Tensor) and value.is_staged) or (isinstance(value, Staged) and name.startswith("numpy.")):
        if name.startswith("numpy."):
            raise ConversionError(
                f"{rec.here()}: {name} is a NumPy call on a value that is computed when the Program runs; use "
                f"dy2st.{name.rpartition('.')[2]} instead"
            )
    if type(value) in FRESH and rec.heap.staged(value) is not None:
        raise ConversionError(
            f"{rec.here()}: {name} isn't converted and would read a {type(value).__name__} that is known only "
            f"when the Program runs"
        )


def _unconverted(rec: Recorder, function: Any) -> Any:
    if len(rec.frames) > 1:
        raise ConversionError(
            f"{rec.here()}: {function.__qualname__} can't be converted and is called inside staged control "
            f"flow; call it before, or rewrite it"
        )
    warn_unconverted(rec.here(), function)
    return function


def listed(values: Any) -> Any:
    """An iterable as a new list."""
    return convert_call(list)(values)
