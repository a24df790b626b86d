"""PyTorch modules in converted code: their calls, with hooks; a store goes into the table of its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from types import FunctionType, MethodType
from typing import Any

from ..errors import ConversionError
from ..nn.hooks import outputs_after
from ..ops.dispatch import recorder_of_mode
from ..runtime.convert.operations.attributes import store_past_class
from ..runtime.heap.journal import Item
from ..runtime.library.layer_hooks import called_after
from ..runtime.outside.attribute_tables import note_tables
from ..runtime.proxies import StagedSum
from ..runtime.tensors.tensor import Tensor
from .originals import uncompiled
from .packages import torch
from .static_module import plain

SCRIPT_MODULE = "a ScriptModule holds compiled code, not Python; use the module that torch.jit.script was given"


def module_call(function: Any) -> Callable | None:
    """What to call in place of a module, its `to`, its stores and loads; None: of others. ConversionError: a ScriptModule."""
    if isinstance(function, torch().jit.ScriptModule):
        raise ConversionError(f"{recorder_of_mode().here()}: {SCRIPT_MODULE}")
    if isinstance(function, torch().nn.Module):
        return partial(called, plain(uncompiled(function)))
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType) and function.__func__ in _methods():
        return partial(_methods()[function.__func__], function.__self__)
    if function is torch().nn.Module.__setattr__:
        return store
    if function is torch().nn.Module.__getattr__:  # which only looks into tables
        return function
    return _methods().get(function) if isinstance(function, FunctionType) else None  # others may have a hash of the user's


@cache
def _methods() -> dict[Any, Callable]:
    """What to call in place of methods that all modules have, or hand on to by super()."""
    module = torch().nn.Module
    return {module.to: moved, module.__call__: _wrapped, module._call_impl: _with_hooks}


def moved(module: Any, *args: Any, **kwargs: Any) -> Any:
    """module.to(...), which has nothing to do. ConversionError: it would change the module's tensors."""
    with torch()._C.DisableTorchFunction():
        device, dtype, _, layout = torch()._C._nn._parse_to(*args, **kwargs)
        tensors = [*module.parameters(), *module.buffers()]
        is_other = any(device not in (None, x.device) for x in tensors)
        is_other |= any(dtype not in (None, x.dtype) for x in tensors if x.is_floating_point())
    if is_other or layout is not None:
        said = f"{type(module).__name__}.to(...) would change the module's own tensors; do it outside of the function"
        raise ConversionError(f"{recorder_of_mode().here()}: {said}")
    return module


def store(module: Any, name: str, value: Any) -> None:
    """module.name = value, as torch.nn.Module does it: a tensor under the name of a buffer is that buffer from now on."""
    rec = recorder_of_mode()
    tables = [vars(module).get(table, {}) for table in ("_buffers", "_parameters", "_modules")]
    is_tensor = value is None or isinstance(value, Tensor | torch().Tensor) or isinstance(value, StagedSum)
    if name in tables[0] and is_tensor:
        rec.write(Item(tables[0], name), value)
    elif isinstance(value, torch().nn.Module) and tables[2].get(name) is value:
        pass
    elif any(name in table for table in tables) or isinstance(value, torch().nn.Module | torch().nn.Parameter):
        said = f"self.{name} = ... would give the module other parameters or modules, which a Program can't"
        raise ConversionError(f"{rec.here()}: {said}; do it outside of the function")
    else:
        store_past_class(rec, module, name, value)


def called(module: Any, *args: Any, **kwargs: Any) -> Any:
    """module(*args, **kwargs): its class's `__call__`, which as a rule is torch.nn.Module's."""
    rec = recorder_of_mode()
    rec.facts.policy.hooks.add(module)
    rec.convert_properties(computed(module))
    _guard_call(rec.facts.guards, module)
    with rec.enter_layer(module):
        call = _class_call(module)
        return _wrapped(module, *args, **kwargs) if call is None else rec.convert_call(MethodType(call, module))(*args, **kwargs)


def _guard_call(guards: Any, module: Any) -> None:
    """The methods that a call runs were read, of which the module itself may come to have one."""
    for name in ("forward", "_call_impl"):
        guards.read_table(vars(module), name)
    for name in ("__call__", "_call_impl"):
        guards.read_class(type(module), name)


def own_call(module: Any) -> Any:
    """The method that a call of a module runs in place of its forward between its hooks; None: there is none."""
    call = _class_call(module)
    if call is not None:
        return MethodType(call, module)
    impl = module._call_impl
    return None if getattr(impl, "__func__", None) is torch().nn.Module._call_impl else impl


def _class_call(module: Any) -> Any:
    """The `__call__` of a module's class; None: it is torch.nn.Module's."""
    call = type(module).__call__
    wrapped = getattr(type(module), "_wrapped_call", None)
    if wrapped is not None and call.__module__ == "torch.fx.graph_module":  # which only explains errors
        call = wrapped.cls_call or super(wrapped.cls, module).__call__.__func__
    return None if call is torch().nn.Module.__call__ else call


def _wrapped(module: Any, *args: Any, **kwargs: Any) -> Any:
    """torch.nn.Module.__call__. What `module.compile()` leaves in a module computes what its code says."""
    impl = module._call_impl
    if getattr(impl, "__func__", None) is torch().nn.Module._call_impl:
        return _with_hooks(module, *args, **kwargs)
    return recorder_of_mode().convert_call(impl)(*args, **kwargs)


def _with_hooks(module: Any, *args: Any, **kwargs: Any) -> Any:
    """torch.nn.Module._call_impl: the forward of a module between its hooks."""
    convert, every = recorder_of_mode().convert_call, torch().nn.modules.module
    if not hooks_of(module):
        return convert(module.forward)(*args, **kwargs)
    _refuse_others(module, every)
    pre = module._forward_pre_hooks_with_kwargs
    post = {**every._global_forward_hooks_with_kwargs, **module._forward_hooks_with_kwargs}
    before = (*every._global_forward_pre_hooks.items(), *module._forward_pre_hooks.items())
    after = (*every._global_forward_hooks.items(), *module._forward_hooks.items())
    hooks = tuple((hook, key in pre) for key, hook in before)
    args, kwargs, result = convert(called_after)(module, module.forward, hooks, args, kwargs)
    for key, hook in after:
        given = convert(hook)(module, args, kwargs, result) if key in post else convert(hook)(module, args, result)
        result = outputs_after(given, result)
    return result


def computed(module: Any) -> tuple[str, ...]:
    """The names of the tensors of a module that parametrizations compute of others, each time they are asked for."""
    return tuple(module._modules.get("parametrizations", ()))


def hooks_of(module: Any) -> tuple:
    """The numbers of the hooks that a call of a module runs."""
    every = torch().nn.modules.module
    own = [getattr(module, table) for table in _TABLES]
    return tuple(key for table in (*own, *(getattr(every, f"_global{table}") for table in _TABLES)) for key in table)


_TABLES = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks", "_forward_hooks_always_called")


def _refuse_others(module: Any, every: Any) -> None:
    if any(getattr(module, table) or getattr(every, f"_global{table}") for table in _TABLES[2:]):
        said = f"{type(module).__name__} has hooks for its backward, or with always_call=True, which a Program doesn't run"
        raise ConversionError(f"{recorder_of_mode().here()}: {said}; remove them, or register hooks of its forward")


note_tables(torch().nn.Module.__getattr__, ("_parameters", "_buffers", "_modules"))


class Hooks:
    """The hooks of the modules that a function calls: a call asks whether they are those that were staged."""

    def __init__(self) -> None:
        self._modules: dict[int, Any] = {}
        self._numbers: dict[int, tuple] = {}
        self._last = -1
        self.now = self._now  # one object, to be told from others

    def add(self, module: Any) -> None:
        """The function calls this one, too."""
        self._modules[id(module)] = module
        self._last = -1

    def _now(self) -> tuple:
        last = torch().utils.hooks.RemovableHandle.next_id  # it grows with each hook
        if last != self._last:
            self._numbers, self._last = {key: found for key, m in self._modules.items() if (found := hooks_of(m))}, last
        else:
            self._numbers = {key: found for key in self._numbers if (found := hooks_of(self._modules[key]))}
        return tuple(self._numbers.values())
