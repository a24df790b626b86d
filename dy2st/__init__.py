# ruff: noqa: F401, F403
"""dy2st: ordinary Python models become static Programs. The front door: re-exports only.

Tensor functions have Paddle's names, signatures and defaults, so `import dy2st as paddle` runs many a Paddle model file. The
packages `dy2st.nn`, `dy2st.optimizer`, `dy2st.jit` ... are imported when they are first used: `import dy2st` needs NumPy only.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

from . import dtype as _dtype
from .api.attributes import *
from .api.autograd import *
from .api.compare import *
from .api.creation import *
from .api.gathering import *
from .api.joining import *
from .api.linalg import *
from .api.manipulation import *
from .api.math import *
from .api.memory import *
from .api.modes import *
from .api.random import *
from .api.reduce import *
from .api.slicing import *
from .config import VERSION as __version__
from .dtype import get_default_dtype, set_default_dtype
from .runtime.tensor import Tensor

globals().update(_dtype.DTYPES)  # dy2st.float32, dy2st.int64, dy2st.bool ...

_LAZY = ("func", "jit", "nn", "optimizer", "static")


def __getattr__(name: str) -> _Any:
    if name in _LAZY:
        return _import_module(f"{__name__}.{name}")
    if name == "ParamAttr":
        return _import_module(f"{__name__}.nn").ParamAttr
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
