"""Calls of torch's functions while PyTorch code is staged: each is made of operators, as its row in the table says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial, wraps
from inspect import signature
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from ..errors import ConversionError
from ..ir.types import TensorType
from ..ops.dispatch import recorder_of_mode
from ..runtime.control.trial import is_refusal
from ..runtime.convert.builtins.foreign import foreign_class, foreign_function
from ..runtime.convert.builtins.introspection import convert_type
from ..runtime.convert.operations.ifelse import convert_ifelse
from ..runtime.convert.operations.sums import first_open, instead, on_alternatives
from ..runtime.proxies import StagedBool, StagedSum, on_kinds
from ..runtime.recorder.unconverted_try import tries_for_itself
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.faults import as_the_user
from .answers import answer_to, known
from .askers import is_of_torch
from .errors import refuse_as_torch_does, torchs
from .expanded_writes import is_of_slices, not_written, write_expanded
from .face import Face, Size, asked_last, complete
from .instead import name_of, unmapped
from .modes import stand_ins
from .originals import uncompiled
from .overlaps import overlap_error, repeats, written_by
from .own_gradients import applied, is_apply
from .packages import torch
from .ranks import for_each_number, for_each_rank, numbers, open_rank
from .registering import REGISTERED, operator_of, registered
from .requires_grad import let_flow
from .shared_memory import Pair
from .values import holds, leaves, mapped

_QUESTIONS = "size dim numel is_floating_point is_complex __len__ stride is_contiguous storage_offset data_ptr".split()
_FOLLOWS_MEMORY = (
    "that {} was given, or has made. It gives a view or a copy, as the elements lie in memory, which torch and a Program decide "
    "in ways of their own, and the other tensor is used afterwards; write .clone() behind it for a copy"
)
_OF_NUMPY = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
_ATTRIBUTES = "shape dtype device requires_grad is_cuda ndim layout is_sparse is_quantized is_nested is_meta is_leaf".split()


CALLED = (
    BuiltinFunctionType, ClassMethodDescriptorType, FunctionType, MethodDescriptorType, MethodType, MethodWrapperType,
    WrapperDescriptorType, type,
)  # fmt: skip
OF_C = (BuiltinFunctionType, MethodDescriptorType, MethodWrapperType)


@cache
def table() -> dict[Any, Callable]:
    """The row of each function and method of torch's."""
    from .table import ROWS, function_of

    found = {function_of(name): row for name, row in ROWS.items()}
    methods = [name for name in ROWS if name.startswith("Tensor.") and not name.endswith(".__set__")]
    complete(dict(_attribute(name, ROWS[name]) for name in methods))
    tries_for_itself(torch().Tensor.__rsub__.__code__)  # that of the operators, for operands which aren't numbers
    return found


def _attribute(name: str, row: Callable) -> tuple[str, Any]:
    """The name and value of an attribute of the class: a method, or a property for `Tensor.T.__get__`."""
    from .table import ROWS, function_of

    own, method = name.removeprefix("Tensor.").removesuffix(".__get__"), _method(function_of(name), row)
    if not name.endswith(".__get__"):
        return own, method
    setter = f"Tensor.{own}.__set__"
    return own, property(method, _method(function_of(setter), ROWS[setter]) if setter in ROWS else None)


def _method(function: Any, row: Callable) -> Callable:
    @wraps(row)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return run(function, self, *args, **kwargs)

    return method


def call(function: Any, args: tuple, kwargs: dict) -> Any:
    """A call of torch's, of placeholders and real tensors. ConversionError: it has no row in the table."""
    if (written := registered(function)) is not None:
        return recorder_of_mode().convert_call(written)(*args, **kwargs)
    if function in table():
        return run(function, *args, **kwargs)
    if function is torch().device or (function in _questions() and not holds((args, kwargs), Face)):
        return function(*args, **kwargs)
    if isinstance(function, FunctionType):  # made of other functions
        return recorder_of_mode().convert_call(function)(*args, **kwargs)
    raise ConversionError(f"{recorder_of_mode().here()}: {unmapped(name_of(function))}")


def replacement(function: Any) -> Callable | None:
    """What to call in place of a function of torch's in converted code; None: it is converted, or called as it is."""
    if not isinstance(function, CALLED) and not _is_of_torch(type(function)):
        return None  # nobody is asked for a hash that may be the user's
    is_method = isinstance(function, MethodType) and isinstance(function.__func__, FunctionType)  # of a module of torch's
    called, written = function.__func__ if is_method else function, registered(function)
    if written is not None:
        return recorder_of_mode().convert_call(written)
    if called in table():
        return partial(run, called, *([function.__self__] if is_method else []))
    if (op := operator_of(function)) is not None:
        return partial(_called, op)
    if isinstance(function, TensorType):
        return partial(run, torch().Tensor.type, asked_last[0])  # x.type, which was loaded just now
    if (stand_in := stand_ins().get(function)) is not None:
        return recorder_of_mode().convert_call(stand_in)
    if function is type:
        return _type_of
    if isinstance(function, FunctionType | MethodType | torch().jit.ScriptFunction) and uncompiled(function) is not function:
        return recorder_of_mode().convert_call(uncompiled(function))
    if is_apply(function):
        return partial(_applied, function.__self__)
    if (answer := answer_to(function)) is not None:
        return answer
    owner = getattr(function, "__self__", None)
    if isinstance(function, OF_C) and isinstance(owner, torch().Tensor):  # a method of a real tensor
        return partial(_called, getattr(torch().Tensor, function.__name__), owner)
    if needs_row(function):
        return partial(_called, function)
    return partial(_without_placeholders, function) if _is_c_of_torch(function) else None


def _is_c_of_torch(function: Any) -> bool:
    """Whether code of torch's in C, which no row stands for, would read a placeholder as a tensor in memory."""
    if isinstance(function, type):
        makes_others = issubclass(function, BaseException | tuple)
        return is_of_torch(function) and not makes_others and (function.__module__ or "").startswith("torch._C")
    return isinstance(function, OF_C) and is_of_torch(function) and function not in known() and function not in _questions()


def _without_placeholders(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of C's as it is. ConversionError: it is given a placeholder."""
    rec = recorder_of_mode()
    if holds((args, kwargs), Face):
        raise ConversionError(f"{rec.here()}: {unmapped(name_of(function))}")
    made = foreign_class if isinstance(function, type) else foreign_function
    return made(rec, function)(*args, **kwargs)


def needs_row(function: Any) -> bool:
    """Whether a function of C's computes tensors, so that it is an error to call it unless the table has it."""
    if not isinstance(function, OF_C) or function in _questions():
        return False
    return _is_torchs(function, getattr(function, "__self__", None))


def is_mapped(function: Any) -> bool:
    """Whether something stands for a function of torch's."""
    return function in REGISTERED or function in table() or function in stand_ins()


def _is_of_torch(cls: type) -> bool:
    """Whether instances of a class are torch's own, and can be looked up."""
    return cls.__hash__ is not None and _is_made_by_torch(cls)


def _is_made_by_torch(cls: type) -> bool:
    return cls.__module__.startswith("torch.") or issubclass(cls, torch().nn.Module | torch().jit.ScriptFunction | TensorType)


def _type_of(value: Any, *more: Any) -> Any:
    """`type(value)`: that of a placeholder is torch.Tensor."""
    if isinstance(value, StagedSum) and not more:
        return on_alternatives(recorder_of_mode(), value, _type_of)
    return torch().Tensor if type(value) is Face and not more else convert_type(value, *more)


def _called(function: Any, *args: Any, **kwargs: Any) -> Any:
    return call(function, args, kwargs)


def _applied(function: Any, *args: Any) -> Any:
    return applied(function, *[faced(plain(x)) if isinstance(x, torch().Tensor) else x for x in args])


def _is_torchs(function: Any, owner: Any) -> bool:
    """Whether a function of C's computes tensors."""
    if owner is None and getattr(torch()._C._VariableFunctions, function.__name__, None) is function:  # most of torch's
        return True
    classes = torch().Tensor.__mro__[:-1]
    return any(owner is x or type(owner) is x for x in _namespaces()) or getattr(function, "__objclass__", None) in classes


@cache
def _namespaces() -> tuple:
    c = torch()._C
    return (c._VariableFunctions, c._nn, c._linalg, c._special, c._fft, c._VariableFunctionsClass)


def run(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The row of a function of torch's, on Tensors with the methods of dy2st's; what it gives has torch's face.

    An argument that is a tensor on one path and None on another, or a number of open class, is told apart first.
    """
    row = table()[function]
    if function in _takes_lengths() and isinstance(args[-1] if args else None, Size | torch().Size) and args[-1]:
        args = (*args[:-1], *args[-1])  # lengths, where a tuple is numbers
    flag = _flag(row, args, kwargs)
    if flag is not None:
        known = lambda x: run(function, *instead(args, flag, x), **instead(kwargs, flag, x))  # noqa: E731
        return convert_ifelse(flag, lambda: known(True), lambda: known(False))
    choice = first_open((args, kwargs))
    if choice is not None:
        again = lambda x: run(function, *instead(args, choice, x), **instead(kwargs, choice, x))  # noqa: E731
        return on_alternatives(recorder_of_mode(), choice, again) if isinstance(choice, StagedSum) else on_kinds(choice, again)
    if (x := open_rank((args, kwargs))) is not None:
        return for_each_rank(x, lambda one: run(function, *instead(args, x, faced(one)), **instead(kwargs, x, faced(one))))
    dim: Any = _given(row, args, kwargs).get("dim")
    if numbers(dim):
        return for_each_number(dim, lambda known: run(function, *instead(args, dim, known), **instead(kwargs, dim, known)))
    is_leaf, out = kwargs.pop("requires_grad", False), kwargs.pop("out", None)
    policy = recorder_of_mode().facts.policy
    with policy.plain(), torch()._C.DisableTorchFunction():
        if function not in _takes_arrays():
            args, kwargs = mapped(_pythons, args), mapped(_pythons, kwargs)
        found = _made(function, row, args, kwargs, {} if out is None else {"out": out})
        found = mapped(_recorded, found)
        if out is not None:
            as_the_user(_stored(), row.__name__, mapped(plain, out), found)
            return out
    policy.layouts.note(function, args, kwargs, found)
    base = next((x for x in leaves((args, kwargs)) if type(x) is Face), None) if function in _may_copy() else None
    if base is not None and isinstance(found, Tensor) and found._data is not base._data:
        policy.pairs.append(Pair(found._data, base._data, _FOLLOWS_MEMORY.format(name_of(function)), function in _views()))
    found = mapped(faced, found)
    policy.restricted_views.note(function, args, kwargs, found)
    if is_leaf:
        let_flow(found, True)
    return found


def _made(function: Any, row: Callable, args: tuple, kwargs: dict, out: dict) -> Any:
    """What a row makes of arguments, on Tensors of dy2st's; an error is the one that torch raises. out: where it goes."""
    refuse_as_torch_does(function, args, kwargs | out)
    targets = written_by(function, args, out)
    if targets:
        policy, name = recorder_of_mode().facts.policy, name_of(function)
        policy.restricted_views.note_writes(targets, (args, kwargs))
        is_repeated = any(repeats(x._data) for x in targets)
        if is_repeated and function is torch().Tensor.__setitem__ and is_of_slices(args[1]) and args[1] is not Ellipsis:
            args = (run(torch().Tensor.__getitem__, *args[:2]), Ellipsis, args[2])
            targets = [args[0]]
        error = overlap_error(function, args, kwargs | out, targets, name, policy.layouts)
        if is_repeated and out:
            raise not_written(name)
        if is_repeated:
            return as_the_user(write_expanded, function, row, *mapped(plain, (args, kwargs)), name, policy.layouts, error)
    try:
        return as_the_user(row, *mapped(plain, args), **mapped(plain, _of_torch(row, kwargs)))
    except Exception as error:
        if is_refusal(error):
            raise
        told = torchs(function, args, kwargs, error)
    raise told


@cache
def _takes_lengths() -> frozenset:
    """Classes of tensors and `Tensor.new`: they take lengths one by one, or as a torch.Size."""
    from .table.constructors import CLASSES

    return frozenset([*(getattr(torch(), name) for name in CLASSES), torch().Tensor.new])


def _pythons(value: Any) -> Any:
    """A number of NumPy's as torch takes it where it takes numbers: as one of Python's."""
    return value.item() if issubclass(type(value), np.generic) and value.dtype.kind in "biufc" else value


@cache
def _takes_arrays() -> frozenset:
    """Functions to which a number of NumPy's tells its dtype."""
    return frozenset([torch().tensor, torch().as_tensor, torch().asarray])


@cache
def _may_copy() -> frozenset:
    """Functions that give a view or a copy, as the elements lie in memory."""
    cls = torch().Tensor
    of_tensors = [cls.reshape, cls.reshape_as, cls.flatten, cls.ravel, cls.contiguous]
    return frozenset([*_views(), *of_tensors, torch().reshape, torch().flatten, torch().ravel])


@cache
def _views() -> frozenset:
    """Functions that give a view in any case, or raise."""
    return frozenset([torch().Tensor.view, torch().Tensor.view_as])


@cache
def _stored() -> Callable:
    from .table.rows import stored

    return stored


def _flag(row: Callable, args: tuple, kwargs: dict) -> Any:
    """An argument that only the Program knows, for a parameter that is a bool, such as is_causal; None if there is none."""
    if not any(isinstance(x, StagedBool) for x in (*args, *kwargs.values())):
        return None
    given = _given(row, args, kwargs)
    flags = (given[name] for name, hint in _parameters(row).items() if hint == "bool" and name in given)
    return next((x for x in flags if isinstance(x, StagedBool)), None)


def _given(row: Callable, args: tuple, kwargs: dict) -> dict[str, Any]:
    """The arguments by the names of the row's parameters."""
    return {**dict(zip(_parameters(row), args)), **kwargs}


@cache
def _parameters(row: Callable) -> dict[str, Any]:
    """The parameters of a row with their hints."""
    return {name: parameter.annotation for name, parameter in signature(row).parameters.items()}


def _of_torch(row: Callable, kwargs: dict) -> dict:
    """Arguments by torch's names, of which NumPy's may stand for some, as `axis` for `dim`."""
    if kwargs.keys().isdisjoint(_OF_NUMPY):
        return kwargs
    own = signature(row).parameters
    return {name if name in own else _OF_NUMPY.get(name, name): value for name, value in kwargs.items()}


def plain(value: Any) -> Any:
    """A Tensor of dy2st's, for one with torch's face and for a real one of torch's."""
    if type(value) is Face:
        return Tensor(value._data, value.stop_gradient)
    if isinstance(value, torch().Tensor):  # of which the Program knows the elements, and nobody else
        rec = recorder_of_mode()
        tensor = rec.facts.policy.lifted(value)
        return Tensor(rec.lower(tensor), tensor.stop_gradient)
    return tuple(value) if isinstance(value, Size | torch().Size) else value


def _recorded(value: Any) -> Any:
    """A Tensor of the Program, for one whose elements a row knows."""
    is_known = isinstance(value, Tensor) and not value.is_staged
    return Tensor(recorder_of_mode().lower(value), value.stop_gradient) if is_known else value


def faced(value: Any) -> Any:
    return Face(value._data, value.stop_gradient) if isinstance(value, Tensor) and type(value) is not Face else value


@cache
def _questions() -> frozenset:
    """Functions that tell of a real tensor what its elements don't change."""
    cls = torch().Tensor
    found = [getattr(cls, name) for name in _QUESTIONS] + [getattr(cls, name).__get__ for name in _ATTRIBUTES]
    of_dtypes = [torch().promote_types, torch().can_cast]
    return frozenset([*found, *of_dtypes, torch().is_floating_point, torch().is_complex, torch().numel])


@contextmanager
def recorded() -> Iterator[None]:
    """In here each call of torch's is recorded, of code that isn't converted and without placeholders, too."""

    class Mode(torch().overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
            return call(func, args, kwargs or {}) if recorder_of_mode() is not None else func(*args, **(kwargs or {}))

    for of_torch in (table, known, stand_ins):  # some of it is imported when it is asked for first: not while recording
        of_torch()
    with Mode():
        yield
