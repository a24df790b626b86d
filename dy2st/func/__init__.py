"""Functions of functions.

`functionalize` takes writes in place out of one, `grad` gives its gradient, `make_program` shows its Program.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

_HOMES = {
    "functionalize": "functional",
    "grad": "gradient",
    "make_program": "programs",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> _Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
