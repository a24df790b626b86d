"""A layer compiled: a copy of it, its attributes as state of the Programs, and its methods."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from typing import Any

from ... import pytree
from ...ir.core import Program
from ...nn.hooks import TABLES as HOOK_TABLES
from ...nn.hooks import has_hooks
from ...nn.layer import Layer, attribute_epoch
from ...runtime.library import flow
from ...runtime.where.tracebacks import leave_out_this_frame
from ...saving import Info
from ...viewer import HasPage
from ..interface.attribute import Attribute
from ..interface.errors import ScriptError
from ..interface.layer_names import names_of
from ..interface.script_module import ScriptModule
from ..static.static_function import StaticFunction
from .archive import Archive, Variant
from .classes import fields_of
from .function import ScriptFunction
from .hints import Hints, of_value
from .layer_attributes import OWN, PACKAGE, Attributes, hints_of, is_builtin, methods_of
from .markers import how
from .policy import LEFT_OUT, ResolvedNames
from .rebound import rebound

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
CONSTANTS = (tuple, frozenset, complex, bytes, range, slice, types.ModuleType, types.EllipsisType)


class CompiledModule(ScriptModule, HasPage):
    """A layer that was compiled: it holds a copy of the layer, with the same parameters, and the compiled methods."""

    def __init__(self, shadow: Layer, methods: dict[str, ScriptFunction]):
        vars(self).update({name: vars(shadow)[name] for name in vars(shadow) if name in OWN and name != "training"})
        vars(self).update(_shadow=shadow, _methods=methods)
        vars(self)["_non_persistable_buffer_names_set"] = shadow._non_persistable_buffer_names_set

    @property
    def training(self) -> bool:  # type: ignore[override]
        return self._shadow.training

    @training.setter
    def training(self, value: bool) -> None:
        self._shadow.training = value

    @property
    def _holder(self) -> Layer:
        """The copy, which what was scripted reads; a trace reads no attributes."""
        return self._shadow if any(isinstance(method, ScriptMethod) for method in self._methods.values()) else self

    @property
    def original_name(self) -> str:
        return type(self._shadow).__name__

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._methods["forward"](*args, **kwargs)
        except Exception as error:
            leave_out_this_frame(error)
            raise

    def __getattr__(self, name: str) -> Any:
        methods = vars(self).get("_methods", {})
        if name in methods:
            return methods[name]
        if name.startswith("__") or "_shadow" not in vars(self):
            raise AttributeError(name)
        found = getattr(self._shadow, name)
        if isinstance(found, types.MethodType) and found.__self__ is self._shadow and not how(found.__func__):
            raise AttributeError(f"{self.original_name}.{name} was not compiled: no compiled method calls it; mark it @export")
        return found

    def _page(self) -> str:
        return self._methods["forward"]._page()

    def _repr_html_(self) -> str | None:
        return self._methods["forward"]._repr_html_() if "forward" in self._methods else None

    def __deepcopy__(self, memo: dict) -> CompiledModule:
        """A copy with parameters, attributes and compiled methods of its own."""
        shadow = copy.deepcopy(self._shadow, memo)
        attributes: dict[int, Attributes] = {}
        methods = {name: method.copied(shadow, attributes) for name, method in self._methods.items()}
        memo[id(self)] = made = CompiledModule(shadow, methods)
        return made

    def _contents(self) -> tuple[Program, Info]:
        archive = Archive()
        for name, method in self._methods.items():
            whole = HookedMethod.of(method) if name == "forward" and has_hooks(self) else method
            archive.add_method(name, method.signature, whole.variants())
        scripted = [method for method in self._methods.values() if isinstance(method, ScriptMethod)]
        archive.add_layer(self, [(method._attributes, method._hints.classes) for method in scripted])
        return archive.contents(self.original_name, is_module=True, training=self.training)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "training":
            self._shadow.training = value
        else:
            setattr(self._shadow, name, value.value if isinstance(value, Attribute) else value)

    def __delattr__(self, name: str) -> None:
        delattr(self._shadow, name)


class ScriptMethod(ScriptFunction):
    """A compiled method of a layer; a Program for each way in which its parts are in training or not."""

    def __init__(self, function: Any, hints: Hints, names: ResolvedNames, owner: Layer, attributes: Attributes):
        super().__init__(function, hints, names, owner, attributes.enter)
        self._attributes = attributes
        self._mode: tuple[bool, ...] = ()
        self._mode_epoch = -1  # when that was read

    def copied(self, owner: Layer, attributes: dict[int, Attributes]) -> ScriptMethod:
        """The same method of a copy of the layer, whose `attributes` the methods share; it is compiled when it is called."""
        known = attributes.setdefault(id(self._attributes), self._attributes.copied(owner))
        made = ScriptMethod(self._plain, self._hints, self._names, owner, known)
        made._by_rank = self._by_rank
        return made

    def variant(self) -> Any:
        """Which layers are in training; read again once an attribute of any layer has been stored."""
        if self._mode_epoch != (epoch := attribute_epoch()):
            self._mode_epoch = epoch
            self._mode = tuple(layer.training for layer in self._owner.sublayers(include_self=True))
        return self._mode

    def compile(self) -> None:
        """Compile with all attributes as state, or else with those as constants that no method stores."""
        try:
            super().compile()
        except ScriptError:
            if not self._attributes.soften():
                raise
            super().compile()

    def variants(self) -> list[Variant]:
        """The Programs with the parts of the layer as they are now, all of them in training, and none of them."""
        found = super().variants()
        all_dtypes = [variant.dtypes for variant in found]
        layers = self._owner.sublayers(include_self=True)
        before = [layer.training for layer in layers]
        try:
            for mode in (True, False):
                for layer in layers:
                    layer.training = mode
                found += [Variant(dtypes, mode, self.program_for(dtypes)) for dtypes in all_dtypes]
        finally:
            for layer, training in zip(layers, before):
                layer.training = training
        return found

    def _staged(self, args: tuple, kwargs: dict) -> Any:
        staged = super()._staged(args, kwargs)
        self._attributes.refuse_shared(staged.program)
        return staged

    def _tensor_names(self) -> dict[int, str]:
        return names_of(self._owner)


class HookedMethod(ScriptMethod):
    """The `forward` of a layer between the layer's hooks, as a file has it: a loaded layer has none."""

    @classmethod
    def of(cls, forward: ScriptFunction) -> ScriptFunction:
        """For the Tensors that `forward` was compiled for. ScriptError: a hook can't be compiled, or the forward is a trace."""
        if not isinstance(forward, ScriptMethod):
            raise ScriptError(f"{forward.signature.name} was traced, and its layer has hooks since: trace a layer that calls it")
        made = cls(forward._plain, forward._hints, forward._names, forward._owner, forward._attributes)
        made._by_rank = forward._by_rank
        for dtypes, _ in list(forward._programs):
            made.program_for(dtypes)
        return made

    @property
    def _entry(self) -> Callable:
        return flow.called


def script_layer(layer: Layer) -> CompiledModule:
    """Compile a layer's `forward` and exported methods, and all that they call."""
    hints, names = Hints(fields_of), ResolvedNames()
    shadow = copied_layer(layer, hints)
    attributes = Attributes(shadow, hints)
    methods: dict[str, ScriptFunction] = {}
    cls = type(shadow)
    forward = vars(layer).get("forward", getattr(cls, "forward", None))
    wanted = {"forward": forward} if forward is not Layer.forward else {}
    wanted.update({name: function for name, function in methods_of(cls).items() if how(function) == "export"})
    for name, function in wanted.items():
        function = function.dygraph_function if isinstance(function, StaticFunction) else function
        plain = getattr(function, "__func__", function)
        methods[name] = ScriptMethod(plain, hints, names, shadow, attributes)
        methods[name].compile()
    for name, function in methods_of(cls).items():
        if name not in methods and names.has(function) and not how(function) and not name.startswith("__"):
            methods[name] = ScriptMethod(function, hints, names, shadow, attributes)
    return CompiledModule(shadow, methods)


def copied_layer(layer: Layer, hints: Hints) -> Layer:
    """The same layer with the same parameters and buffers, and copies of the attributes that have a type.

    Functions and hooks in it that hold the layer, or a part of it, hold the copy of that.
    """
    memo: dict[int, Any] = {}
    made = _copied_layer(layer, hints, memo)
    for part in list(memo.values()):
        for table in [vars(part), *(vars(part)[name] for name in HOOK_TABLES)] if isinstance(part, Layer) else ():
            table.update({name: rebound(value, memo) for name, value in table.items()})
    return made


def _copied_layer(layer: Layer, hints: Hints, memo: dict[int, Any]) -> Layer:
    """memo: what was copied by now, layers and containers, by id: what two attributes share, they share still."""
    if isinstance(layer, CompiledModule) or (isinstance(layer, ScriptModule) and "_methods" in vars(layer)):
        return layer
    if id(layer) in memo:
        return memo[id(layer)]
    made = memo[id(layer)] = object.__new__(type(layer))
    own = vars(made)
    for name, value in vars(layer).items():
        if name in ("_parameters", "_buffers", "_non_persistable_buffer_names_set", *HOOK_TABLES):
            own[name] = copy.copy(value)
        elif name == "_sub_layers":
            own[name] = {key: child and _copied_layer(child, hints, memo) for key, child in value.items()}
        elif name == "forward" and isinstance(value, StaticFunction | types.MethodType):
            continue
        elif is_builtin(layer) or name in OWN or name.startswith("__"):
            own[name] = value
        else:
            _copy_attribute(own, name, value, layer, hints, memo)
    return made


def _copy_attribute(own: dict[str, Any], name: str, value: Any, layer: Layer, hints: Hints, memo: dict[int, Any]) -> None:
    if isinstance(value, Attribute):
        own.setdefault("_attribute_types", {})[name] = value.type
        value = value.value
    if isinstance(value, bool | int | float | str | type(None) | type) or isinstance(value, FUNCTIONS):
        own[name] = value
    elif name in hints_of(type(layer)) or name in own.get("_attribute_types", {}) or of_value(hints, value) is not None:
        own[name] = pytree.copied(value, pytree.is_no_container, lambda part: part, memo)
    elif isinstance(value, CONSTANTS) or type(value).__module__.partition(".")[0] == PACKAGE:
        own[name] = value  # a dtype, a tuple of layers: what a compiled function can name
    else:
        own.setdefault(LEFT_OUT, {})[name] = type(value).__name__
