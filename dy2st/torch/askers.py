"""Who asks a placeholder for its class: Python code, which is told torch.Tensor, or code of C, which is not.

Code of C takes an object of that class for a tensor in memory, and reads what isn't there. `isinstance` and the check in C are
the same function of Python's. Only the running instruction of the innermost Python function distinguishes them: it calls
`isinstance`, or a function or class of C.
"""

from __future__ import annotations

import _abc  # type: ignore[import-not-found]
import dis
import inspect
from collections.abc import Callable, Container
from functools import partial
from types import BuiltinFunctionType, CodeType, FrameType, MethodDescriptorType, MethodWrapperType, WrapperDescriptorType
from typing import Any

from ..runtime.where.per_code import per_code
from .packages import torch

ASKING = frozenset({isinstance, issubclass, getattr, hasattr, super, _abc._abc_instancecheck})
OF_C = (BuiltinFunctionType, MethodDescriptorType, MethodWrapperType, WrapperDescriptorType, type)
_ABSENT = object()


def called_by(frame: FrameType) -> Any:
    """The function or class of C that the running instruction calls, unless it is `isinstance` or the like; else None."""
    names = _callees(frame.f_code).get(frame.f_lasti)
    function = _found(frame, names) if names else None
    while isinstance(function, partial):
        function = function.func
    is_of_c = isinstance(function, OF_C) and function not in ASKING
    return function if is_of_c else None


def _found(frame: FrameType, names: tuple[str, ...]) -> Any:
    """What a name with attributes means in a frame; None: there is none."""
    first, found = names[0], _ABSENT
    if first in _local_names(frame.f_code):  # making the dict of local variables is slow
        found = frame.f_locals.get(first, _ABSENT)
    for variables in (frame.f_globals, frame.f_builtins):
        found = variables.get(first, found) if found is _ABSENT else found
    for name in names[1:]:
        found = getattr(found, name, None)
    return None if found is _ABSENT else found


@per_code
def _local_names(code: CodeType) -> Container[str]:
    """The names that may be local variables: in the body of a module or class, any."""
    is_function = code.co_flags & inspect.CO_OPTIMIZED
    return frozenset((*code.co_varnames, *code.co_cellvars, *code.co_freevars)) if is_function else _Any()


class _Any:
    """Holds every name."""

    def __contains__(self, name: object) -> bool:
        return True


@per_code
def _callees(code: CodeType) -> dict[int, tuple[str, ...]]:
    """For the place of each call of `name(...)` or `name.attribute(...)` in code: the names.

    The instructions that load what is called begin where the call does in the source.
    """
    found: dict[int, tuple[str, ...]] = {}
    loading: dict[tuple, list[tuple[tuple, str]]] = {}
    for instruction, begin, end in _placed(code):
        if instruction.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FAST", "LOAD_DEREF")):
            loading[begin] = [(end, str(instruction.argval))]
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            loading.setdefault(begin, []).append((end, str(instruction.argval)))
        elif "CALL" in instruction.opname:
            found[instruction.offset] = tuple(name for place, name in loading.get(begin, ()) if place < end)
    return found


def _placed(code: CodeType) -> list[tuple[Any, tuple, tuple]]:
    """Instructions with the places in the source where they begin and end; without, where Python keeps no such places."""
    keeps: Callable | None = getattr(code, "co_positions", None)  # from Python 3.11 on
    if keeps is None:
        return _unplaced(code)
    places = list(keeps())
    found = []
    for instruction in dis.get_instructions(code):
        line, last, begin, end = places[instruction.offset // 2]
        found.append((instruction, (line, begin), (last or 0, end or 0)))
    return found


def _unplaced(code: CodeType) -> list[tuple[Any, tuple, tuple]]:
    """The same by the height of the stack: a call leaves its result where what it calls was loaded."""
    found, height = [], 0
    for count, instruction in enumerate(dis.get_instructions(code)):
        after = height + dis.stack_effect(instruction.opcode, instruction.arg, jump=False)
        begin = after if "CALL" in instruction.opname else height + (instruction.opname not in ("LOAD_ATTR", "LOAD_METHOD"))
        found.append((instruction, (begin,), (count,)))
        height = after
    return found


def is_of_torch(function: Any) -> bool:
    """Whether a function or class of C is torch's, or derives from one of torch's tensors."""
    base = torch()._C.TensorBase
    if isinstance(function, type) and issubclass(function, base):
        return True
    owner = getattr(function, "__objclass__", None) or getattr(function, "__self__", None)
    cls = owner if isinstance(owner, type) else type(owner)
    is_of_package = any((getattr(x, "__module__", None) or "").partition(".")[0] == "torch" for x in (function, cls, owner))
    is_static = owner is None and getattr(base, getattr(function, "__name__", ""), None) is function
    return is_of_package or is_static
