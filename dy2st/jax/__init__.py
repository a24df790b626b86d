"""JAX: a Program as a pure function of arrays, for XLA on CPU, GPU and TPU, and the engine `jax`.

Nothing here imports jax before it is used: `pip install '.[jax]'` brings it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..extras import how_to_install

if TYPE_CHECKING:
    from .placing import place as place
    from .pure import function as function
    from .sent import traffic as traffic
    from .status import Status as Status
    from .step import training_step as training_step

# Names and their modules, which are imported when they are first used.
_HOMES = {
    "function": "pure", "Status": "status", "training_step": "step", "place": "placing", "traffic": "sent",
    "compile_program": "engine",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ImportError as error:
        if error.name not in ("jax", "jaxlib"):
            raise
        raise ImportError(f"dy2st.jax needs the package jax: {how_to_install('jax')}") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
