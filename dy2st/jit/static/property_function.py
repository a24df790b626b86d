"""`to_static(property=True)`: a method whose value is saved with the model, rather than its Program."""

from __future__ import annotations

from typing import Any

from .static_function import StaticFunction

KINDS = (bool, int, float, str)


class PropertyFunction(StaticFunction):
    """Runs as plain Python; `jit.save` calls it once, and what it gave then is what the loaded model's method gives."""

    @property
    def is_property(self) -> bool:
        return True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.dygraph_function(*args, **kwargs)

    def _program_for(self, bound: dict[str, Any], for_a_call: bool = False) -> Any:
        raise RuntimeError(f"{self._function.__qualname__} is a property (property=True): it has a value and no Program")

    @property
    def concrete_program(self) -> Any:
        return self._program_for({})

    def saved_value(self) -> Any:
        """What the file keeps: a number, a text, or a list of such; ValueError for anything else."""
        found = self()
        value = list(found) if isinstance(found, tuple) else found
        if not all(isinstance(item, KINDS) for item in (value if isinstance(value, list) else [value])):
            raise ValueError(f"the property {self._function.__qualname__} is a number, a text or a list of such, not {found!r}")
        return value
