"""The sample calls with one argument more: each parameter that they leave out, set to another value than its default."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

import dy2st

from .calls import INPUTS, calls
from .other_values import other

# Where the sample calls don't show a parameter: numbers that are near, elements that are equal, indices that come twice.
SHOWING = """
paddle.isclose(x, x + 0.1)
paddle.isclose(h, h)
paddle.allclose(x, x + 0.1)
paddle.allclose(h, h)
h.clone().nan_to_num_()
paddle.linalg.pinv(paddle.diag(paddle.to_tensor([1.0, 0.1])))
paddle.bincount(paddle.zeros([0], 'int64'))
paddle.searchsorted(paddle.to_tensor([1, 2, 3]), paddle.to_tensor([2]))
paddle.bucketize(paddle.to_tensor([2]), paddle.to_tensor([1, 2, 3]))
paddle.zeros([7, 2]).fill_diagonal_(1.0)
paddle.scatter(x, paddle.to_tensor([1, 1]), x)
x.clone().scatter_(paddle.to_tensor([1, 1]), x)
paddle.take_along_axis(x, paddle.to_tensor([[0, 1]]), 1)
x.take_along_dim(paddle.to_tensor([[0, 1]]), 1)
paddle.put_along_axis(x, paddle.to_tensor([[0]]), 9.0, 1)
x.clone().put_along_axis_(paddle.to_tensor([[0]]), 9.0, 1, 'add')
paddle.shard_index(paddle.to_tensor([[16]]), 20, 2, 0)
"""


def tensors() -> dict[str, Any]:
    return {"paddle": dy2st, **{name: dy2st.to_tensor(array) for name, array in INPUTS.items()}}


def evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "<call>", "eval"), names)


def leaves(value: Any) -> list:
    """What a result shows: arrays with whether gradients flow into them, and Python values."""
    if hasattr(value, "numpy"):
        return [value.numpy(), value.stop_gradient]
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, list | tuple) else [value]


def same(one: list, two: list) -> bool:
    """Whether two results are equal, to the last bit."""
    return len(one) == len(two) and all(map(_same, one, two))


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return one.dtype == two.dtype and np.array_equal(one, two, equal_nan=one.dtype.kind in "fc")
    return repr(one) == repr(two)


def result(node: ast.expr) -> list:
    dy2st.seed(7)
    return leaves(evaluated(node, tensors()))


def more() -> Iterator[tuple[str, ast.Call, str, Any]]:
    """("name.parameter", call, parameter, another value) of each parameter that a call leaves out."""
    known = tensors()
    for text in [*(call.text for call in calls()), *SHOWING.strip().splitlines()]:
        node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.Call):
            for name, value in left_out(node, known).items():
                yield f"{ast.unparse(node.func).rpartition('.')[2]}.{name}", node, name, value


def tried() -> set[str]:
    """Each "name.parameter" of them."""
    return {key for key, *_ in more()}


def effects() -> dict[str, bool]:
    """Of each "name.parameter" that a call leaves out: whether it changed a result, or was refused, in one of the calls."""
    found: dict[str, bool] = {}
    for key, node, name, value in more():
        found[key] = found.get(key) or changes(node, name, value)
    return found


def left_out(node: ast.Call, known: dict[str, Any]) -> dict[str, Any]:
    """The parameters that a call doesn't give, with other values than their defaults."""
    parameters = inspect.signature(evaluated(node.func, known)).parameters
    given = {*list(parameters)[: len(node.args)], *(keyword.arg for keyword in node.keywords), "name"}
    rest = {name: other(parameter.default) for name, parameter in parameters.items() if name not in given}
    return {name: value for name, value in rest.items() if value is not None}


def changes(node: ast.Call, name: str, value: Any) -> bool:
    more = ast.Call(node.func, node.args, [*node.keywords, ast.keyword(name, ast.Constant(value))])
    try:
        return not same(result(more), result(node))
    except (ValueError, TypeError, RuntimeError, IndexError):
        return True
