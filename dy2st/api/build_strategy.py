"""Settings of Paddle's compiler."""

from __future__ import annotations

from typing import Any


class BuildStrategy:
    """What a Paddle model file sets for Paddle's compiler: attributes that are kept, and have no effect here.

    settings: the first of them, by name.
    """

    def __init__(self, **settings: Any):
        vars(self).update(settings)

    def __repr__(self) -> str:
        return f"BuildStrategy({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
