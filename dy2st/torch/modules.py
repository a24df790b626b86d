"""PyTorch modules in converted code: a call is the hooks and the converted forward; a store goes into the table of its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..runtime.convert.operations.attributes import store_past_class
from ..runtime.heap.journal import Item
from ..runtime.proxies import StagedSum
from ..runtime.tensors.tensor import Tensor
from .packages import torch


def module_call(function: Any) -> Callable | None:
    """What to call in place of a module, or of its `__call__`; None for anything else."""
    if isinstance(function, torch().nn.Module):
        return partial(called, function)
    return store if function is torch().nn.Module.__setattr__ else None


def store(module: Any, name: str, value: Any) -> None:
    """module.name = value, as torch.nn.Module does it: a tensor under the name of a buffer is that buffer from now on."""
    rec = recorder_of_mode()
    tables = [vars(module).get(table, {}) for table in ("_buffers", "_parameters", "_modules")]
    is_tensor = value is None or isinstance(value, Tensor | torch().Tensor) or isinstance(value, StagedSum)
    if name in tables[0] and is_tensor:
        rec.write(Item(tables[0], name), value)
    elif any(name in table for table in tables) or isinstance(value, torch().nn.Module | torch().nn.Parameter):
        said = f"self.{name} = ... would give the module other parameters or modules, which a Program for all calls can't"
        raise ConversionError(f"{rec.here()}: {said}; do it outside of the function")
    else:
        store_past_class(rec, module, name, value)


def called(module: Any, *args: Any, **kwargs: Any) -> Any:
    """module(*args, **kwargs), as torch.nn.Module.__call__ does it: its hooks around its forward."""
    convert = recorder_of_mode().convert_call
    for hook in module._forward_pre_hooks.values():
        given = convert(hook)(module, args)
        if given is not None:
            args = given if isinstance(given, tuple) else (given,)
    result = convert(module.forward)(*args, **kwargs)
    for hook in module._forward_hooks.values():
        given = convert(hook)(module, args, result)
        if given is not None:
            result = given
    return result
