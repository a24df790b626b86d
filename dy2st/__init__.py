# ruff: noqa: F401, F403
"""dy2st: ordinary Python models become static Programs. The front door: re-exports only.

Tensor functions have Paddle's names, signatures and defaults, so `import dy2st as paddle` runs many a Paddle model file. The
packages `dy2st.nn`, `dy2st.optimizer`, `dy2st.jit` ... are imported when they are first used: `import dy2st` needs NumPy only.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

from . import dtype as _dtype
from .api.aliases import *
from .api.assembling import *
from .api.attributes import *
from .api.autograd import *
from .api.compare import *
from .api.complex_numbers import *
from .api.conversions import *
from .api.counting import *
from .api.creation import *
from .api.diagonals import *
from .api.distributions import *
from .api.factors import eigvalsh
from .api.flags import *
from .api.gathering import *
from .api.in_place import *
from .api.joining import *
from .api.limits import *
from .api.linalg import *
from .api.making import *
from .api.manipulation import *
from .api.math import *
from .api.memory import *
from .api.modes import *
from .api.norms import dist, norm
from .api.order import *
from .api.pairs import *
from .api.parts import *
from .api.picking import *
from .api.placing import *
from .api.products import *
from .api.random import *
from .api.reduce import *
from .api.running import *
from .api.slicing import *
from .api.solving import cholesky, inverse
from .api.special import *
from .api.windows import *
from .config import VERSION as __version__
from .dtype import get_default_dtype, set_default_dtype
from .runtime.tensor import Tensor

del globals()["tensor"]  # a module that is called as this function is: tensor.py
globals().update(_dtype.DTYPES)  # dy2st.float32, dy2st.int64, dy2st.bool ...
globals().update({name: _dtype.DTYPES[dtype] for name, dtype in _dtype.OTHER_NAMES.items()})

_LAZY = (
    "amp",
    "autograd",
    "base",
    "device",
    "distributed",
    "fft",
    "framework",
    "func",
    "io",
    "jit",
    "linalg",
    "metric",
    "nn",
    "optimizer",
    "regularizer",
    "signal",
    "static",
    "tensor",
    "traced_module",
    "utils",
)


_HOMES = {  # names that come with a package that isn't imported before they are used
    "ParamAttr": "nn",
    "autocast": "amp",
    "create_parameter": "nn.summary",
    "get_autocast_cpu_dtype": "amp",
    "get_autocast_dtype": "amp",
    "is_autocast_enabled": "amp",
    "load": "state_files",
    "save": "state_files",
    "summary": "nn.summary",
}


def __getattr__(name: str) -> _Any:
    if name in _LAZY:
        return _import_module(f"{__name__}.{name}")
    if name in _HOMES:
        return getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
