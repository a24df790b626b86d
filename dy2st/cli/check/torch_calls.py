"""PyTorch in a forward: each function has to be in the table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...nn.layer import Layer
from ..naming.pytorch import is_imported
from .finding import Finding
from .names import UNKNOWN
from .reached import Reached


def torch_calls(reached: Reached) -> Iterator[Finding]:
    """A Finding for each function of torch's that stands for no operators, and for each method that no tensor has here.

    The tensors of a Layer's methods are none of torch's.
    """
    if not is_imported():
        return
    from ...torch.lacking import lacking

    for node in reached.walk():
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            value = reached.names.value(node)
            why = lacking(value) if callable(value) else None
            if why is not None:
                yield reached.finding(node, "torch", why)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not isinstance(reached.owner, Layer):
            why = _of_method(reached, node.func)
            if why is not None:
                yield reached.finding(node, "torch", why)


def _of_method(reached: Reached, function: Any) -> str | None:
    from ...torch.lacking import lacking_method

    return lacking_method(function.attr) if reached.names.value(function.value) is UNKNOWN else None
