"""`dy2st.static`: what Paddle keeps in `paddle.static` and a model file needs."""

from importlib import import_module as _import_module
from typing import Any as _Any

from ..api.build_strategy import BuildStrategy
from ..runtime.tensors.spec import InputSpec

__all__ = ["BuildStrategy", "InputSpec", "nn"]


def __getattr__(name: str) -> _Any:
    if name == "nn":
        return _import_module(f"{__name__}.nn")
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}: Programs are not written by hand here; "
        "decorate a function with jit.to_static"
    )
