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
    onnx_complex: Any = None,
    **shown: Any,
) -> OpDef:
    """The operator `name`, which gives a view, and `<name>_copy`, which gives the same elements in memory of their own.

    shown: fields of its `View`. onnx, onnx_complex: the lowering of both.
    """
    view = View(f"{name}_copy", **shown)

    def copy(x: np.ndarray, *others: Any, **attrs: Any) -> np.ndarray:
        ordered = np.ascontiguousarray(x).reshape(x.shape) if view.of_memory else x
        return np.array(kernel(ordered, *others, **attrs), order="C")

    copy.__wrapped__ = kernel  # type: ignore[attr-defined]  # whose parameters it takes
    shared: dict[str, Any] = {"infer": infer, "grad": grad, "raises": raises, "onnx_complex": onnx_complex}
    if onnx is not None:
        shared["onnx"] = onnx
    define(view.copy, kernel=copy, row_major=True, **shared)
    return define(name, kernel=kernel, template=template, view=view, **shared)
