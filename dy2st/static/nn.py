"""`dy2st.static.nn`: control flow as calls of functions. Plain Python says the same, and is converted just as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.converted import converted
from ..runtime.library import flow

__all__ = ["case", "cond", "switch_case", "while_loop"]


def cond(
    pred: Any, true_fn: Callable | None = None, false_fn: Callable | None = None, name: Any = None, return_names: Any = None
) -> Any:
    """true_fn() where `pred` (a tensor of one element, or a bool) is true, else false_fn(); None where that one is None.

    `return_names` has no effect. TypeError: a branch isn't callable.

    >>> dy2st.static.nn.cond(dy2st.to_tensor(True), lambda: 1, lambda: 2)
    1
    """
    for branch, said in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if branch is not None:
            _callable(branch, f"the {said} of cond")
    return converted(flow.cond)(pred, true_fn, false_fn)


def while_loop(cond: Callable, body: Callable, loop_vars: Any, is_test: bool = False, name: Any = None) -> Any:
    """`loop_vars = body(*loop_vars)` for as long as `cond(*loop_vars)`; a list or tuple, as `loop_vars` is.

    `is_test` has no effect. TypeError: `cond` or `body` isn't callable. ValueError: no variables, or `body` gives another number
    of them.
    """
    _callable(cond, "the cond of while_loop")
    _callable(body, "the body of while_loop")
    if not isinstance(loop_vars, list | tuple):
        raise TypeError(f"the loop_vars of while_loop are a list or tuple, not {type(loop_vars).__name__}")
    if not loop_vars:
        raise ValueError("the loop_vars of while_loop are empty")
    return type(loop_vars)(converted(flow.while_loop)(cond, body, tuple(loop_vars)))


def case(pred_fn_pairs: Any, default: Callable | None = None, name: Any = None) -> Any:
    """What the function behind the first true condition gives; without one, `default()`, or else the last function's.

    pred_fn_pairs: (tensor of one element, callable) pairs. TypeError: it is something else. ValueError: there is no function.
    """
    if not isinstance(pred_fn_pairs, list | tuple):
        raise TypeError(f"the pred_fn_pairs of case are a list or tuple, not {type(pred_fn_pairs).__name__}")
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"the pred_fn_pairs of case hold tuples (pred, fn), not {pair!r}")
        _callable(pair[1], "each fn of case")
    return _chosen(list(pred_fn_pairs), default, "case")


def switch_case(branch_index: Any, branch_fns: Any, default: Callable | None = None, name: Any = None) -> Any:
    """What the function of this number gives; without one, `default()`, or else that of the largest number.

    branch_index: an int, or an integer tensor of one element. branch_fns: a dict, pairs (int, callable), or callables, whose
    places are their numbers. TypeError: it is something else. ValueError: a number stands twice, or there is no function.
    """
    if not isinstance(branch_fns, list | tuple | dict):
        raise TypeError(f"the branch_fns of switch_case are a dict, list or tuple, not {type(branch_fns).__name__}")
    pairs = list(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    if pairs and callable(pairs[0]):
        pairs = list(enumerate(pairs))
    numbers = set()
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], int):
            raise TypeError(f"the branch_fns of switch_case hold pairs (int, callable), not {pair!r}")
        _callable(pair[1], "each function of switch_case")
        if pair[0] in numbers:
            raise ValueError(f"the branch_fns of switch_case have the number {pair[0]} twice")
        numbers.add(pair[0])
    return _chosen(
        [(branch_index == number, function) for number, function in sorted(pairs, key=lambda p: p[0])], default, "switch_case"
    )


def _chosen(pairs: list, default: Callable | None, where: str) -> Any:
    if default is not None:
        _callable(default, f"the default of {where}")
    elif not pairs:
        raise ValueError(f"{where} has no function to call")
    return converted(flow.case)(pairs, default or pairs[-1][1])


def _callable(value: Any, what: str) -> None:
    if not callable(value):
        raise TypeError(f"{what} is callable, not {type(value).__name__}")
