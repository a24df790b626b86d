"""How `script` stages: placeholders have types, names are resolved once, and a variable has one type."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ...annotations import copy_description
from ...converted_code import is_converted
from ...errors import Dy2stError, ShapeError
from ...ir.core import Program
from ...ir.flows import slots
from ...ir.join import alternatives
from ...ir.types import NEVER, NONE, DictType, ListType, SumType, TensorType, Type
from ...runtime.control.trial import raised_at, stored_globals, stored_variables
from ...runtime.heap.journal import Attribute
from ...runtime.heap.staged_objects import user_class
from ...runtime.outside.facts import Facts, StateSlot
from ...runtime.outside.policy import Policy
from ...runtime.proxies import Staged
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.user_code import user_loc
from ..interface.errors import ScriptError, script_error, shown
from .dtypes import ANY, tensors_in
from .hints import Hints
from .markers import how
from .python_calls import dropped, python_call
from .readable import readable
from .signature import evaluated, namespace_of
from .type_check import agrees, check_types, undefined

PACKAGE = __name__.partition(".")[0]
LEFT_OUT = "_left_out"  # of a compiled layer: the attributes without a type, and their classes
TYPED = (bool, int, float, str, list, dict, tuple, Tensor, Staged)


class ScriptPolicy(Policy):
    """The rules of one compiled function, or of all methods of one compiled layer.

    hints: turns hints into types. result: the declared type of the result. finals: the attributes that may not be stored.
    slots: location and type of each attribute that is state, by its name.
    """

    boxes_scalars = False
    exact = True
    typed = True

    def __init__(self, hints: Hints, names: ResolvedNames, result: Type | None = None, returns: Callable[[], Any] = lambda: None):
        self.hints, self.names, self.result, self.returns = hints, names, result, returns
        self.finals: set[tuple] = set()
        self.slots: dict[str, tuple[Attribute, Type]] = {}
        self.layers: dict[int, str] = {}  # the paths of the layers, by id
        self._declared: dict[int, tuple[Any, Type, bool]] = {}  # a list or dict, what it may hold, whether that was written

    def prepare(self, facts: Facts) -> None:
        facts.objects.update(self.hints.classes)
        for name, (location, type_) in self.slots.items():
            slot = facts.state[location.key] = StateSlot(name, location)
            slot.type = type_

    def state_name(self, location: Any, path: str) -> str:
        owner = self.layers.get(id(location.owner)) if isinstance(location, Attribute) else None
        return path if owner is None else f"{owner}.{location.name}" if owner else location.name

    def resolved(self, function: types.FunctionType) -> types.FunctionType:
        return self.names.resolved(function)

    def stand_in(self, function: types.FunctionType) -> Callable | None:
        kind = how(function)
        if kind == "ignore":
            return python_call(function, self.hints)
        return dropped(function) if kind == "drop" else None

    # --- types of variables --------------------------------------------------------------------------------------------

    def declared(self, rec: Any, value: Any, hint: Any) -> Any:
        namespace = self.names.namespace(rec.facts.active)
        try:
            type_ = self.hints.type_of(evaluated(hint, namespace))
        except (TypeError, NameError, AttributeError, SyntaxError) as error:
            raise script_error(f"the hint {hint}: {error}", user_loc()) from None
        return self._as(rec, value, type_, "the variable")

    def _as(self, rec: Any, value: Any, type_: Type, what: str) -> Any:
        """The value, known to be of a type."""
        if type(value) in (list, dict) and not value and isinstance(type_, ListType | DictType):
            self._declared[id(value)] = (value, type_, True)
            proxy, elements = rec.heap.materialise(value), rec.heap.elements
            own = elements.class_of(proxy._value)
            for key, part in slots(type_):
                if not any(t.dtype == ANY for t in tensors_in(part)):
                    elements.store(own, key, part, None)
            return value
        own = rec.type_of(value)
        if not agrees(own, type_):
            raise script_error(f"{what} is declared as {readable(type_)}, but the value is {readable(own)}", user_loc())
        if isinstance(type_, SumType) and not isinstance(own, SumType) and not any(True for _ in tensors_in(type_)):
            return rec.wrap(rec.coerce(value, type_))
        return value

    def note_empty(self, container: Any) -> None:
        assumed = ListType(TensorType(ANY)) if type(container) is list else DictType(NEVER, TensorType(ANY))
        self._declared.setdefault(id(container), (container, assumed, False))

    def before_item(self, rec: Any, container: Any, item: Any) -> None:
        _, type_, written = self._declared.get(id(container), (None, None, False))
        if type_ is None:
            return
        elem = type_.value if isinstance(type_, DictType) else type_.parts()[0]
        if not isinstance(item, TYPED) or agrees(own := rec.type_of(item), elem):
            return
        hint = readable(type_) if written else f"{'List[Tensor]' if isinstance(type_, ListType) else 'Dict[str, Tensor]'}"
        more = "" if written else f", as every empty one without a hint: write `name: {_suggested(type_, own)} = ...`"
        raise script_error(f"a {readable(own)} is put into a {hint}{more}", user_loc())

    def returned(self, rec: Any, value: Any) -> Any:
        if self.result is None:
            return value
        if type(value) in (list, dict) and not value:
            return self._as(rec, value, self.result, "the result")
        own = rec.type_of(value)
        if not agrees(own, self.result):
            raise script_error(
                f"the function is declared to return {readable(self.result)}, but returns {readable(own)}", self.returns()
            )
        return value

    # --- stores --------------------------------------------------------------------------------------------------------

    def before_store(self, rec: Any, location: Any) -> None:
        if location.key in self.finals:
            raise script_error(f"{location.name} is Final: a compiled function can't assign to it", user_loc())

    def before_field(self, rec: Any, obj: Any, name: str, is_known: bool) -> None:
        if not is_known and self.hints.fields_of(user_class(obj)) is not None and not _is_initialised(rec, obj):
            raise script_error(
                f"Tried to set nonexistent attribute: {name}. Did you forget to initialize it in __init__()?", user_loc()
            )

    # --- mistakes ------------------------------------------------------------------------------------------------------

    def needs_alternatives(self, rec: Any, staged: Any, error: Exception) -> None:
        kinds = alternatives(rec.type_of(staged))
        if NONE in kinds and isinstance(error, TypeError | AttributeError):
            name = staged._value.name
            raise script_error(
                f"{name or 'a value'} is {readable(rec.type_of(staged))} here and may be None: check it with "
                f"`if {name or 'x'} is not None:`, or `assert`; an attribute goes through a local variable first",
                user_loc(),
            ) from error

    def maybe_unbound(self, rec: Any, staged: Any) -> None:
        raise script_error(undefined(staged._value), user_loc())

    def raised(self, rec: Any, error: BaseException) -> None:
        if isinstance(error, NameError | AttributeError | TypeError | ShapeError) and not is_explicit(error):
            raise script_error(f"{type(error).__name__}: {error}{_why_left_out(error)}", raised_at(error)) from error

    def raises_late(self, error: BaseException) -> bool:
        return is_explicit(error)

    def check(self, program: Program) -> None:
        check_types(program, self.returns)


def _why_left_out(error: BaseException) -> str:
    """Why a compiled layer lacks an attribute that the layer has."""
    name = getattr(error, "name", None)
    kind = getattr(getattr(error, "obj", None), "__dict__", {}).get(LEFT_OUT, {}).get(name)
    if kind is None:
        return ""
    return (
        f" (the layer has one, but a compiled function has no type for a value of {kind}, so that it was left out; keep what "
        "is computed of it in an attribute, or give the class a hint)"
    )


def _suggested(type_: Type, own: Type) -> str:
    return f"List[{readable(own)}]" if isinstance(type_, ListType) else f"Dict[str, {readable(own)}]"


def is_explicit(error: BaseException) -> bool:
    """Whether a `raise` or `assert` of the user's raised this."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback is not None and traceback.tb_frame.f_code.co_name in ("_raise", "fail", "raise_dropped")


def _is_initialised(rec: Any, obj: Any) -> bool:
    """Whether the `__init__` of an object is active."""
    return any(call.original.__name__ == "__init__" and call.arguments.args[0] is obj for call in rec.facts.active)


class ResolvedNames:
    """The global names of functions, as they are when the function is first compiled."""

    def __init__(self) -> None:
        self._twins: dict[int, tuple[Any, types.FunctionType]] = {}
        self._modules: dict[int, types.ModuleType] = {}

    def resolved(self, function: types.FunctionType) -> types.FunctionType:
        """A twin of a function that goes on seeing the globals and closure variables of now."""
        if is_converted(function.__code__):
            return function
        known = self._twins.get(id(function))
        if known is not None:
            return known[1]
        namespace = function.__globals__
        if not stored_globals(function.__code__):
            modules = {name: self._module(value) for name, value in namespace.items() if type(value) is types.ModuleType}
            namespace = {function.__name__: function, **namespace, **modules}
        twin = types.FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, _frozen_cells(function)
        )
        twin.__kwdefaults__ = function.__kwdefaults__
        copy_description(twin, function)
        twin.__dict__.update(function.__dict__)
        self._twins[id(function)] = (function, twin)
        self._twins[id(twin)] = (twin, twin)
        return twin

    def _module(self, module: types.ModuleType) -> types.ModuleType:
        """A module whose attributes stay what they are now; this package's own are known to."""
        if module.__name__.partition(".")[0] == PACKAGE:
            return module
        if id(module) not in self._modules:
            made = self._modules[id(module)] = types.ModuleType(module.__name__)
            vars(made).update(vars(module))
        return self._modules[id(module)]

    def has(self, function: Any) -> bool:
        """Whether a function has been met."""
        return id(function) in self._twins

    def namespace(self, active: list) -> dict[str, Any]:
        """The names that a hint in the innermost active function may use."""
        for call in reversed(active):
            found = self._twins.get(id(call.original))
            if found is not None:
                return namespace_of(found[1])
        return {}


def _frozen_cells(function: types.FunctionType) -> tuple:
    found = []
    kept = {"__class__", *stored_variables(function.__code__)}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found.append(cell if name in kept else types.CellType(cell.cell_contents))
        except ValueError:
            found.append(cell)
    return tuple(found)


def as_script_error(error: Exception, start: Any = None) -> ScriptError:
    """What the compiler ran into, as a ScriptError that shows the line."""
    loc = raised_at(error) or start
    text = str(error) if isinstance(error, Dy2stError) else f"{type(error).__name__}: {error}"
    given = text if loc is None or text.startswith(f"{loc.file}:") else f"{loc}: {text}"
    return ScriptError(given + shown(loc))
