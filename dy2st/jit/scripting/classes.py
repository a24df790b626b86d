"""Classes that a compiled function knows: their fields have types, and their methods are compiled."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
import types
import typing
from typing import Any

from ...annotations import evaluates_annotations
from ...ir.types import Type
from ...nn.layer import Layer
from ...runtime.stage.stage import stage
from ...runtime.tensors.spec import ValueSpec
from ...runtime.where.lines import SourceLoc
from ...runtime.where.user_code import is_ours
from ...silenced import parsed
from ..interface.errors import ScriptError, script_error
from .dtypes import default_types, general
from .hints import Hints
from .markers import how
from .policy import ResolvedNames, ScriptPolicy, as_script_error
from .signature import signature_of

_fields: dict[type, dict[str, Type]] = {}


def fields_of(cls: type) -> dict[str, Type] | None:
    """The fields of a scripted class; None of any other."""
    return _fields.get(cls)


def script_class(cls: type) -> type:
    """Learn a class's fields from its `__init__`, and check that its methods compile; the class itself."""
    if issubclass(cls, Layer):
        raise ScriptError(f"script takes a {cls.__name__} object, not the class: script({cls.__name__}(...))")
    if issubclass(cls, tuple):
        return cls
    loc = _refuse_bodies(cls)
    if cls.__bases__ != (object,):
        raise script_error(f"class {cls.__name__} inherits from {cls.__bases__[0].__name__}; a scripted class can't", loc)
    names = ResolvedNames()
    _fields[cls] = {}
    try:
        _fields[cls] = _fields_of_init(cls, names)
        _check_methods(cls, names)
    except Exception:
        del _fields[cls]
        raise
    return cls


class _InitPolicy(ScriptPolicy):
    """Looks at what `__init__` has made of an object."""

    def __init__(self, made: Any, hints: Hints, names: ResolvedNames):
        super().__init__(hints, names)
        self.made = made
        self.fields: dict[str, Type] = {}

    def returned(self, rec: Any, value: Any) -> Any:
        self.fields = {name: general(self.type_of_field(rec, field)) for name, field in vars(self.made).items()}
        return value

    def type_of_field(self, rec: Any, field: Any) -> Type:
        """Its type; an empty list or dict without a hint holds Tensors."""
        found = self._declared.get(id(field))
        return rec.type_of(field) if found is None else found[1]


def _fields_of_init(cls: type, names: ResolvedNames) -> dict[str, Type]:
    init: Any = cls.__init__  # type: ignore[misc]
    hints = Hints(fields_of)
    if not isinstance(init, types.FunctionType):
        return {}
    if dataclasses.is_dataclass(cls):
        written = typing.get_type_hints(cls)
        return {field.name: hints.type_of(written[field.name]) for field in dataclasses.fields(cls)}
    made: Any = object.__new__(cls)
    policy = _InitPolicy(made, hints, names)
    _stage_method(init, hints, policy, made)
    given = {name: hints.type_of(hint) for name, hint in typing.get_type_hints(cls).items()}
    return {name: given.get(name, type_) for name, type_ in policy.fields.items()}


def _check_methods(cls: type, names: ResolvedNames) -> None:
    """Each method is compiled once, for an object of the class."""
    for method in list(vars(cls).values()):
        if isinstance(method, types.FunctionType) and method.__name__ != "__init__" and not _is_generated(method):
            hints = Hints(fields_of)
            policy = ScriptPolicy(hints, names)
            _stage_method(method, hints, policy, ValueSpec(default_types(hints.type_of(cls)), "self"))


def _is_generated(method: types.FunctionType) -> bool:
    """Whether a method isn't compiled: a dataclass has it from Python, or a marker says so."""
    return bool(how(method)) or is_ours(method.__code__.co_filename) or evaluates_annotations(method.__code__)


def _stage_method(method: Any, hints: Hints, policy: ScriptPolicy, owner: Any) -> None:
    signature = signature_of(method, hints, True)
    policy.result = signature.result
    specs = tuple(ValueSpec(default_types(p.type), p.name) for p in signature.parameters)
    try:
        stage(policy.names.resolved(method), None, (owner, *specs), {}, {}, policy)
    except ScriptError:
        raise
    except Exception as error:
        raise as_script_error(error, signature.loc) from error


def _refuse_bodies(cls: type) -> SourceLoc | None:
    """Where a class is defined; a ScriptError where its body holds more than methods and hints."""
    try:
        lines, first = inspect.getsourcelines(cls)
    except (OSError, TypeError):
        raise ScriptError(f"the source of class {cls.__name__} can't be found") from None
    file = inspect.getsourcefile(cls) or ""
    body = parsed(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(body, ast.ClassDef)
    for part in body.body:
        is_text = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
        is_hint = isinstance(part, ast.AnnAssign) and (part.value is None or dataclasses.is_dataclass(cls))
        if not (is_text or is_hint or isinstance(part, ast.FunctionDef | ast.Pass)):
            loc = SourceLoc(file, first + part.lineno - 1, cls.__name__)
            raise script_error(f"class {cls.__name__}: the body of a scripted class holds methods and hints only", loc)
    return SourceLoc(file, first, cls.__name__)
