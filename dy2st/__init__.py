# ruff: noqa: F401, F403
"""dy2st: ordinary Python models become static Programs. The front door: re-exports only.

Tensor functions have Paddle's names, signatures and defaults, so `import dy2st as paddle` runs many a Paddle model file. All is
imported when it is first used: the functions (`api.names`), and the packages `dy2st.nn`, `dy2st.optimizer`, `dy2st.jit` ...
"""

import typing as _typing
from importlib import import_module as _import_module

from .config import VERSION as __version__
from .late import late_names as _late_names

if _typing.TYPE_CHECKING:
    from .api.names import *

_HOMES = {  # names that come with a package that isn't imported before they are used
    "Model": "hapi.model",
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

_name, _names = _late_names(globals(), "api.names")


def __getattr__(name: str) -> _typing.Any:
    if name in _HOMES:
        return getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)
    return _name(name)


def __dir__() -> list[str]:
    return sorted({*_names(), *_HOMES})
