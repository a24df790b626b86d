"""Layer: the base class of models and of their parts, with Paddle's names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..dtypes import DType, as_dtype, get_default_dtype
from ..errors import ConversionError, ShapeError
from ..ir.visible import visible
from ..ops import dispatch
from ..runtime.library.layer_hooks import called_with, inputs_after
from ..runtime.proxies import Staged
from ..runtime.tensors import unique_names
from ..runtime.tensors.borrowed import own as own_items
from ..runtime.tensors.borrowed import own_arguments
from ..runtime.tensors.call_hook import current_observer
from ..runtime.tensors.spelling import is_of_package, spell_arguments
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.tracebacks import leave_out_this_frame
from .hooks import TABLES as HOOK_TABLES
from .hooks import HookRemoveHelper, outputs_after
from .layer_names import MoreOfLayer
from .parameter import ParamAttr, Parameter
from .paths import LAYERS, offer
from .tree import named_layers, named_members, state_entries

if TYPE_CHECKING:
    from .call_types import Computes, ComputesStatic, P, R

_TABLES = ("_parameters", "_buffers", "_sub_layers")


def attribute_epoch() -> int:
    """Counts every store on any Layer of anything but a buffer: as long as it stands still, no such attribute has changed."""
    return Layer._epoch[0]


def _count_change() -> None:
    Layer._epoch[0] += 1


def _stands_for_another(cls: type) -> bool:
    """Whether this is what stands for a value while staging: what it is, the path decides."""
    return issubclass(cls, Staged) or cls.__module__.startswith("dy2st.runtime.heap")


class Layer(MoreOfLayer):
    """Holds parameters, buffers and sublayers, which it finds when they are assigned as attributes, and computes `forward`.

    A Parameter assigned as an attribute becomes a parameter, a Layer a sublayer, any other Tensor a buffer that is not saved with
    the state dict (`register_buffer` makes one that is). name_scope: the beginning of its full name, the class name where None.
    dtype: of the parameters that it makes, the default dtype where None.

    >>> net = dy2st.nn.Linear(2, 3)
    >>> [name for name, parameter in net.named_parameters()]
    ['weight', 'bias']
    """

    _epoch = [0]
    training: bool

    def __init__(self, name_scope: str | None = None, dtype: Any = None):
        store = object.__setattr__
        store(self, "training", True)
        store(self, "_full_name", unique_names.generate(name_scope or unique_names.in_words(type(self).__name__)))
        store(self, "_dtype", as_dtype(dtype or get_default_dtype()).name)
        for table in (*_TABLES, *HOOK_TABLES):
            store(self, table, {})
        store(self, "_non_persistable_buffer_names_set", set())

    # --- running -------------------------------------------------------------------------------------------------------

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        spell_arguments(cls)

    if TYPE_CHECKING:
        forward: Any  # subclasses define it, with parameters of their own
    else:

        def forward(self, *inputs: Any, **kwargs: Any) -> Any:
            """What the layer computes of `inputs`, as its class says; subclasses define it.

            NotImplementedError: one that doesn't.
            """
            raise NotImplementedError(f"{type(self).__name__} has no forward method")

    @overload
    def __call__(self: Computes[P, R], *inputs: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __call__(self: ComputesStatic[P, R], *inputs: P.args, **kwargs: P.kwargs) -> R: ...
    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        try:
            inputs, kwargs = own_arguments(inputs, kwargs)
            observer = current_observer()
            if observer is not None:
                return observer.call_layer(self, inputs, kwargs)
            rec = dispatch.current_mode().rec
            if rec is None:
                if not self._forward_pre_hooks and not self._forward_post_hooks:
                    return self.forward(*inputs, **kwargs)
                return self._run(lambda function: function, inputs, kwargs)
            with rec.enter_layer(self):
                return self._run(rec.convert_call, inputs, kwargs)
        except Exception as error:
            refused = self._unfit(error, inputs, kwargs)
            leave_out_this_frame(error)
            if refused is None:
                raise
        raise refused

    def _unfit(self, error: Exception, inputs: tuple, kwargs: dict) -> Exception | None:
        """What to raise in place of an error that a layer of this package gives for an input of another kind."""
        forward = type(self).forward
        if not is_of_package(forward):
            return None
        from ..runtime.tensors.unfit import unfit  # which only what fails needs

        return unfit(error, forward, (self, *inputs), kwargs, type(self).__name__)

    def _run(self, convert: Callable, inputs: tuple, kwargs: dict) -> Any:
        """The forward between its hooks, each passed through `convert` (the recorder rewrites them)."""
        given = inputs
        for hook in list(self._forward_pre_hooks.values()):
            inputs = convert(inputs_after)(convert(hook)(self, inputs), inputs)
        if inputs is given:
            outputs = convert(self.forward)(*inputs, **kwargs)
        else:
            outputs = convert(called_with)(self.forward, inputs, kwargs)
        for hook in list(self._forward_post_hooks.values()):
            outputs = outputs_after(convert(hook)(self, inputs, outputs), outputs)
        return outputs

    def register_forward_pre_hook(self, hook: Callable) -> HookRemoveHelper:
        """Call `hook(layer, inputs)` before forward; what it returns, if not None, replaces the inputs, a tuple.

        Gives a handle to remove it.
        """
        return HookRemoveHelper(self._forward_pre_hooks, hook, _count_change)

    def register_forward_post_hook(self, hook: Callable) -> HookRemoveHelper:
        """Call `hook(layer, inputs, outputs)` after forward; what it returns, if not None, replaces the outputs.

        Gives a handle to remove it.
        """
        return HookRemoveHelper(self._forward_post_hooks, hook, _count_change)

    # --- attributes ----------------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        table = self._table_for(name, value)
        if table != "_buffers" or name not in self.__dict__.get("_buffers", ()):
            Layer._epoch[0] += 1
        if table is None:
            if any(name in self.__dict__.get(t, ()) for t in _TABLES):
                self._forget(name)
            object.__setattr__(self, name, value)
            return
        if table not in self.__dict__:
            raise AttributeError(f"{type(self).__name__}.__init__ must call super().__init__() before it assigns {name}")
        if table != "_buffers" or name not in self._buffers:
            self._forget(name, but=table)
            if table == "_buffers":
                self._non_persistable_buffer_names_set.add(name)
        self.__dict__[table][name] = value

    def _table_for(self, name: str, value: Any) -> str | None:
        """The table that an attribute belongs in: by what it is, or, for None, by what it was."""
        if isinstance(value, Parameter):
            return "_parameters"
        if name in self.__dict__.get("_parameters", ()) and value is not None and not _stands_for_another(type(value)):
            kind = type(value).__name__
            raise TypeError(f"assignment to parameter '{name}' should be of type Parameter or None, but got '{kind}'")
        if isinstance(value, Layer):
            return "_sub_layers"
        if isinstance(value, Tensor):
            return "_buffers"
        if value is None or isinstance(value, Staged):
            return next((t for t in _TABLES if name in self.__dict__.get(t, ())), None)
        return None

    def _forget(self, name: str, but: str | None = None) -> None:
        """Remove `name` from every table except `but`, where a replaced entry keeps its place."""
        for table in _TABLES:
            if table != but:
                self.__dict__[table].pop(name, None)
        self.__dict__.pop(name, None)
        self._non_persistable_buffer_names_set.discard(name)

    def __getattr__(self, name: str) -> Any:
        tables = self.__dict__
        for table in _TABLES:
            if table in tables and name in tables[table]:
                return tables[table][name]
        if name in tables.get("_derived", ()):
            return tables["_derived"][name](self)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __delattr__(self, name: str) -> None:
        Layer._epoch[0] += 1
        if any(name in self.__dict__.get(t, ()) for t in _TABLES):
            self._forget(name)
        else:
            object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._parameters, *self._buffers, *self._sub_layers]

    # --- making parts --------------------------------------------------------------------------------------------------

    def create_parameter(
        self, shape: Any, attr: Any = None, dtype: Any = None, is_bias: bool = False, default_initializer: Any = None
    ) -> Parameter | Any:
        """A new Parameter of the given shape, a list of ints; None where `attr` is False.

        attr: a ParamAttr, an initializer, a name, None or False; TypeError for others. dtype: that of the layer where None.
        Biases (`is_bias`) start at 0 and weights by XavierUniform, where neither attr nor `default_initializer` says otherwise.
        ValueError: a length that is no int >= 0. ConversionError: inside a static function, where it would be drawn once.
        """
        from .initializer import Constant, XavierUniform, everywhere  # as rarely

        attr = ParamAttr.of(attr)
        if attr is None:
            return None
        mode = dispatch.current_mode()
        if (staging := mode.rec or mode.tracer) is not None:
            raise ConversionError(
                f"{staging.here()}: a parameter is made here while this is staged: it would be drawn once, and belong to no "
                f"model; make it, or the {type(self).__name__} that has it, in __init__, and use it here"
            )
        for length in shape:
            if not isinstance(length, int | np.integer) or length < 0:
                raise ValueError(
                    f"{type(self).__name__}: a parameter's shape holds ints >= 0, not {length!r}"
                )
        made = Parameter(np.zeros([int(d) for d in shape], as_dtype(dtype or self._dtype).numpy), attr.trainable)
        made.name = attr.name or unique_names.generate(f"{self._full_name}.{'b' if is_bias else 'w'}")
        made.optimize_attr = {"learning_rate": attr.learning_rate}
        made.regularizer, made.need_clip = attr.regularizer, attr.need_clip
        start = attr.initializer or everywhere.given(is_bias) or default_initializer
        (start or (Constant(0.0) if is_bias else XavierUniform()))(made)
        return made

    def add_parameter(self, name: str, parameter: Parameter | None) -> Parameter | None:
        """Add `parameter`, of any shape and dtype (or None, for none), under `name`; gives it back.

        TypeError: it is no Parameter, or the name no str. KeyError: a name that is taken, empty or has a dot.
        """
        if parameter is not None and not isinstance(parameter, Parameter):
            raise TypeError(f"add_parameter takes a Parameter or None, not {type(parameter).__name__}")
        Layer._epoch[0] += 1
        self._forget(self._fresh(name), but="_parameters")
        self._parameters[name] = parameter
        return parameter

    def add_sublayer(self, name: str, sublayer: Layer | None) -> Layer | None:
        """Add `sublayer` (or None, for none) under `name`, which may have dots, unlike those of parameters and buffers.

        Gives it back. TypeError: it is no Layer. KeyError: a name that is taken or empty.
        """
        if sublayer is not None and not isinstance(sublayer, Layer):
            kind = type(sublayer).__name__
            cure = "; write its Layer, nn.ReLU() for F.relu, or call it in forward" if kind == "function" else ""
            raise TypeError(f"add_sublayer takes a Layer or None, not {kind}{cure}")
        Layer._epoch[0] += 1
        self._forget(self._fresh(str(name), dots=True), but="_sub_layers")
        self._sub_layers[str(name)] = sublayer
        return sublayer

    def register_buffer(self, name: str, tensor: Tensor | None, persistable: bool = True) -> None:
        """Add `tensor` (or None, for none), that is no parameter; a `persistable` one is part of the state dict.

        It has any shape and dtype. TypeError: it is no Tensor, or the name no str. KeyError: a name that is taken, empty or has a
        dot.
        """
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"register_buffer takes a Tensor or None, not {type(tensor).__name__}")
        Layer._epoch[0] += 1
        self._forget(self._fresh(name), but="_buffers")
        self._buffers[name] = tensor
        if persistable:
            if tensor is not None:
                tensor.persistable = True
        else:
            self._non_persistable_buffer_names_set.add(name)

    def _fresh(self, name: str, dots: bool = False) -> str:
        """`name`, which must be a string, unless `dots` one without them, that isn't a method or plain attribute."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a parameter, buffer or sublayer is a str, not {type(name).__name__}")
        if not name or ("." in name and not dots):
            raise KeyError(f"the name of a parameter, buffer or sublayer is not empty and has no dot, unlike {name!r}")
        if hasattr(type(self), name) or name in self.__dict__:
            raise KeyError(f"{type(self).__name__} already has an attribute {name!r}")
        return name

    # --- walking the tree ------------------------------------------------------------------------------------------------

    def named_parameters(self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True) -> Iterator:
        """(dotted name, Parameter) of each parameter, in the order of their definition: an iterator.

        prefix: what the names begin with. include_sublayers: also those of the layers below. remove_duplicate: each parameter
        once, under its first name.
        """
        return named_members(self, "_parameters", prefix, include_sublayers, remove_duplicate)

    def parameters(self, include_sublayers: bool = True) -> list[Parameter]:
        """A list of the parameters, each once; include_sublayers: also those of the layers below."""
        return [value for _, value in self.named_parameters(include_sublayers=include_sublayers)]

    def named_buffers(self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True) -> Iterator:
        """(dotted name, Tensor) of all buffers, saved or not: an iterator.

        As `named_parameters`: prefix, include_sublayers, remove_duplicate.
        """
        return named_members(self, "_buffers", prefix, include_sublayers, remove_duplicate)

    def buffers(self, include_sublayers: bool = True) -> list[Tensor]:
        """A list of tensors: the buffers, of any shapes and dtypes, each once.

        include_sublayers: also those of the layers below.
        """
        return [value for _, value in self.named_buffers(include_sublayers=include_sublayers)]

    def named_sublayers(
        self, prefix: str = "", include_self: bool = False, layers_set: set | None = None, remove_duplicate: bool = True
    ) -> Iterator:
        """(dotted name, Layer) of all layers below this one: an iterator.

        prefix: what the names begin with. include_self: this layer, too, first. layers_set: layers that are left out, though
        not those below them. remove_duplicate: each layer once, under its first name.
        """
        left_out = {id(layer) for layer in layers_set or ()}
        return named_layers(self, prefix, include_self, set(), remove_duplicate, left_out)

    def sublayers(self, include_self: bool = False) -> list[Layer]:
        """A list of all layers below this one; include_self: this one, too, first."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def named_children(self) -> Iterator[tuple[str, Layer]]:
        """(name, Layer) of the direct sublayers."""
        return ((name, child) for name, child in self._sub_layers.items() if child is not None)

    def children(self) -> Iterator[Layer]:
        """The direct sublayers: an iterator."""
        return (child for _, child in self.named_children())

    def apply(self, fn: Callable[[Layer], Any]) -> Layer:
        """Call `fn` on every sublayer, then on this layer, which is the result."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    # --- modes, dtype, state -----------------------------------------------------------------------------------------------

    def train(self, mode: bool = True) -> Layer:
        """Training mode, or not where `mode` is False, for this layer and all below it; gives this layer."""
        return self._set_training(mode)

    def eval(self) -> Layer:
        """Inference mode: dropout passes everything, batch normalisation uses its running statistics. Gives this layer."""
        return self._set_training(False)

    def _set_training(self, value: bool) -> Layer:
        Layer._epoch[0] += 1
        for layer in self.sublayers(include_self=True):
            layer.training = value
        return self

    def to(self, device: Any = None, dtype: Any = None, blocking: bool | None = None) -> Layer:
        """Cast the floating-point parameters and buffers to `dtype`; gives this layer. `blocking` has no effect.

        ValueError: a `device` that isn't the CPU. TypeError: a dtype that isn't floating.
        """
        if device is not None and not str(device).startswith(("cpu", "Place(cpu")):
            raise ValueError(f"tensors live on the CPU; there is no device {device!r}")
        if dtype is not None:
            self.astype(dtype)
        return self

    def astype(self, dtype: Any) -> Layer:
        """Cast the floating-point parameters and buffers to `dtype`; gives this layer. TypeError: a dtype that isn't floating."""
        return self._cast_but(dtype, ())

    def _cast_but(self, dtype: Any, excluded: Any) -> Layer:
        """Cast what the layers hold that aren't of the `excluded` classes."""
        wanted = as_dtype(dtype)
        if not wanted.is_floating:
            raise TypeError(f"a layer is cast to a floating-point dtype, not {wanted.name}")
        classes = tuple(excluded) if isinstance(excluded, list | tuple) else (excluded,)
        if not all(isinstance(cls, type) for cls in classes):
            raise TypeError(f"excluded_layers is a class of layers or a list of such, not {excluded!r}")
        for layer in self.sublayers(include_self=True):
            if not isinstance(layer, classes):
                layer._cast_own(wanted)
        return self

    def _cast_own(self, wanted: DType) -> None:
        self._dtype = wanted.name
        for tensor in (*self._parameters.values(), *self._buffers.values()):
            if tensor is not None and tensor.dtype.is_floating:
                tensor._data = tensor._array("layer.to(dtype)").astype(wanted.numpy)
                tensor._writes[0] += 1

    def float(self, excluded_layers: Any = None) -> Layer:
        """Cast the floating-point parameters and buffers to float32; gives this layer.

        excluded_layers: a class or a list of classes whose layers stay as they are; TypeError for others.
        """
        return self._cast_but("float32", excluded_layers or ())

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zeros, or to None where not `set_to_zero`."""
        from ..api.autograd import clear_gradients  # only who trains needs it: loading is quick without

        clear_gradients(self.parameters(), set_to_zero)

    def state_dict(
        self, destination: dict | None = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> dict[str, Tensor]:
        """Dotted name -> Tensor, for every parameter and persistable buffer: the tensors themselves, of their shapes and dtypes.

        destination: a dict that they are put into, which is the result. include_sublayers: also those of the layers below.
        structured_name_prefix: what the names begin with.

        >>> sorted(dy2st.nn.Linear(2, 3).state_dict())
        ['bias', 'weight']
        """
        entries = {} if destination is None else destination
        entries.update(state_entries(self, structured_name_prefix, include_sublayers))
        return entries

    def set_state_dict(self, state_dict: dict, use_structured_name: bool = True) -> tuple[list[str], list[str]]:
        """Copy values into the parameters and buffers of the same name; the names that were missing and that were not expected.

        state_dict: name -> Tensor or array, cast to the dtype of its target. use_structured_name: the names are dotted ones, not
        those of the tensors. The result is a tuple of two lists. ShapeError, before anything is written, where a shape differs.
        """
        from ..api.checks import check_state  # which loading a model doesn't need

        check_state("set_state_dict", state_dict)
        own = self.state_dict()
        if not use_structured_name:
            own = {tensor.name or name: tensor for name, tensor in own.items()}
        values = {name: np.asarray(value) for name, value in own_items(state_dict).items() if name in own}
        for name, value in values.items():
            if list(value.shape) != own[name].shape:
                raise ShapeError(f"set_state_dict: {name} has shape {own[name].shape}, the given value {list(value.shape)}")
        for name, value in values.items():
            own[name].set_value(value.astype(own[name].dtype.numpy))
        return [name for name in own if name not in values], [name for name in state_dict if name not in own]

    load_dict = set_dict = set_state_dict

    # --- text ------------------------------------------------------------------------------------------------------------

    def full_name(self) -> str:
        """A name that no other layer has: the class name and a number."""
        return self._full_name

    def extra_repr(self) -> str:
        """What `repr` shows between the parentheses."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        children = [f"({visible(name)}): {child!r}".replace("\n", "\n  ") for name, child in self._sub_layers.items()]
        if not children:
            return f"{type(self).__name__}({extra})"
        lines = ([extra] if extra else []) + children
        return f"{type(self).__name__}(\n  " + "\n  ".join(lines) + "\n)"


offer(__name__, LAYERS, __package__)
