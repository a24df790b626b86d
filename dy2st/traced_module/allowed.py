"""What a graph may call by name: the public functions of the library, and the methods of Tensor, that compute on tensors.

Whatever sets how the process works (seed, set_device, set_printoptions), keeps or calls Python functions (hooks, apply), shares
memory with other libraries (dlpack), or belongs to the tape of gradients (backward) is no step of a graph. A file names no
others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

from .. import api
from ..nn import functional
from ..runtime.tensors.tensor import Tensor

_PACKAGES = (f"{api.__name__}.", f"{functional.__name__}.")  # functions from elsewhere only pass through them
_UTILITIES = {f"{api.__name__}.{name}" for name in ("modes", "flags", "dlpack")}
_NO_STEPS = {
    "apply", "apply_", "register_hook",  # they take Python functions
    "backward", "gradient", "clear_grad", "clear_gradient", "retain_grads", "requires_grad_",  # of the tape
    "__repr__", "__str__", "__format__", "__copy__", "__deepcopy__", "__reduce__",  # for Python
}  # fmt: skip


@lru_cache(maxsize=1)
def library() -> dict[str, Callable]:
    """Full name -> function, of the library's functions that a graph may call."""
    modules = [part for package in (api, functional) for part in vars(package).values() if isinstance(part, ModuleType)]
    public = {getattr(module, name) for module in modules for name in getattr(module, "__all__", ())}
    known = {f"{f.__module__}.{f.__qualname__}": f for f in public if inspect.isfunction(f)}
    return {name: f for name, f in sorted(known.items()) if name.startswith(_PACKAGES) and f.__module__ not in _UTILITIES}


@lru_cache(maxsize=1)
def methods() -> frozenset[str]:
    """The methods of Tensor that a graph may call: of those that show their calls."""
    return frozenset(name for name, method in vars(Tensor).items() if hasattr(method, "__wrapped__")) - _NO_STEPS
