"""What a hook around a layer's forward gives: None, or what takes the place of the inputs or the outputs.

Rewritten while staging, where only the Program may know which of these it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def inputs_after(changed: Any, inputs: tuple) -> tuple:
    """The inputs after a hook that ran before forward and gave `changed`."""
    if changed is None:
        return inputs
    return changed if isinstance(changed, tuple) else (changed,)


def outputs_after(changed: Any, outputs: Any) -> Any:
    """The outputs after a hook that ran after forward and gave `changed`."""
    return outputs if changed is None else changed


def called_with(forward: Callable, inputs: tuple, kwargs: dict) -> Any:
    """What forward gives of inputs that a hook may have changed."""
    return forward(*inputs, **kwargs)
