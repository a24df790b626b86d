"""`dy2st.jit.dy2static.program_translator`: static functions, and the switch that turns them all on and off."""

from __future__ import annotations

from collections.abc import Callable

from ...runtime import convert
from ...runtime.convert.calls.calls import converted_function
from ...transformers import transpile
from ..static.concrete import ConcreteProgram  # noqa: F401
from ..static.static_function import StaticFunction  # noqa: F401
from ..static.switch import enable_to_static, enabled


class ProgramTranslator:
    """The switch of `enable_to_static`, as an object: there is one, which `ProgramTranslator()` and `get_instance()` give."""

    _instance: ProgramTranslator | None = None

    def __new__(cls) -> ProgramTranslator:
        cls._instance = cls._instance or super().__new__(cls)
        return cls._instance

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The only one."""
        return cls()

    def enable(self, enable_to_static_: bool) -> None:
        """As `enable_to_static`: off, static functions run as the plain Python that they came from."""
        enable_to_static(enable_to_static_)

    @property
    def enable_to_static(self) -> bool:
        """Whether static functions are staged."""
        return enabled()

    def get_code(self, dygraph_func: Callable) -> str:
        """The rewritten source of a plain function."""
        return transpile(dygraph_func).source  # type: ignore[arg-type]


def convert_to_static(function: Callable) -> Callable:
    """The rewritten twin of a plain function, with its globals, closure and defaults; outside of staging it does the same."""
    return converted_function(function, convert, outside=True)[0]  # type: ignore[arg-type]
