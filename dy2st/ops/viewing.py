"""Operators whose result shares the memory of operand 0, and beside each of them the one that copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .registry import OpDef, View, define


def define_view(
    name: str,
    kernel: Callable[..., Any],
    infer: Callable[..., Any],
    grad: Any = None,
    template: Any = None,
    raises: tuple[str, ...] = (),
    onnx: Any = None,
    **shown: Any,
) -> OpDef:
    """The operator `name`, which gives a view, and `<name>_copy`, which gives the same elements in memory of their own.

    shown: fields of its `View`. onnx: the lowering of both.
    """
    view = View(f"{name}_copy", **shown)

    def copy(x: np.ndarray, *others: Any, **attrs: Any) -> np.ndarray:
        ordered = np.ascontiguousarray(x).reshape(x.shape) if view.of_memory else x
        return np.array(kernel(ordered, *others, **attrs), order="C")

    copy.__wrapped__ = kernel  # type: ignore[attr-defined]  # whose parameters it takes
    define(view.copy, kernel=copy, infer=infer, grad=grad, row_major=True, raises=raises, onnx=onnx)
    return define(name, kernel=kernel, infer=infer, grad=grad, template=template, raises=raises, view=view, onnx=onnx)
