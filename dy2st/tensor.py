"""`dy2st.tensor`: the functions on tensors, as `paddle.tensor` has them; called, it makes a tensor, as `paddle.tensor(...)` does.

Paddle has a function and a module of this name, and importing a submodule puts it in the function's place.
"""

import inspect
import sys
from types import ModuleType
from typing import Any

from . import *  # noqa: F403
from . import linalg as linalg
from .api.making import tensor as make
from .runtime.tensors.tensor import Tensor


class _Callable(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        return make(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
__signature__ = inspect.signature(make)
