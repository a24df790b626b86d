"""`sorted`, `list.sort`, `min` and `max`, by values or keys that may be known only at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.registry import lookup
from ...heap.identity import SCALARS, are_scalars
from ...heap.markers import MISSING
from ...library import sorting
from ...proxies import StagedList, StagedSum, as_flag
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user
from ..operations.ifelse import convert_ifexp
from ..operations.operators import is_users
from ..operations.structures import class_of, compare, holds_scalars, is_run_time, is_staged_in
from .mapping import fold_from_first


def convert_sorted(iterable: Any, *, key: Any = None, reverse: bool = False) -> Any:
    """`sorted(iterable, key=key, reverse=reverse)`"""
    rec = current_recorder()
    if rec is None:
        return as_the_user(sorted, iterable, key=key, reverse=reverse)
    items = rec.heap.resolve(rec.convert_call(list)(iterable))
    sort(rec, items, key=key, reverse=reverse)
    return items


def sort(rec: Recorder, items: Any, *, key: Any = None, reverse: bool = False) -> None:
    """`items.sort(...)`, for a list that this Block may change: at once where the order is known while staging."""
    if isinstance(key, StagedSum):
        rec.on_alternatives(key, lambda k: rec.convert_call(items.sort)(key=k, reverse=reverse))
        return
    if isinstance(items, StagedList):
        items.sort(key=key, reverse=reverse)
        return
    reverse = as_flag(reverse)
    keys = items if key is None else as_the_user(list, map(rec.convert_call(key), items))
    if is_staged_in(keys) or is_run_time(reverse):
        lookup("list.sort_by")(rec.heap.materialise(items), rec.new(list(keys)), reverse=reverse)
        return
    if not SCALARS.issuperset(map(type, keys)) and any(map(_says_what_is_less, keys)) and len(keys) <= sorting.MOST:
        rec.convert_call(sorting.sort_by_comparing)(items, rec.new(list(keys)), lambda a, b: compare("<", a, b), reverse)
        return
    order = as_the_user(sorted, range(len(items)), key=keys.__getitem__, reverse=reverse)
    items[:] = [items[i] for i in order]


def _says_what_is_less(value: Any) -> bool:
    """Whether a value is an object whose class has a `<` of its own, or the `>` that Python asks of the other one."""
    cls = class_of(value)
    return any(is_users(getattr(cls, name, None), cls) for name in ("__lt__", "__gt__"))


def extreme(python: Callable, symbol: str) -> Callable:
    """`min` or `max`: the first item that no other one is `symbol` than."""

    def convert_extreme(*values: Any, key: Any = None, default: Any = MISSING) -> Any:
        rec = current_recorder()
        if rec is not None and isinstance(key, StagedSum):
            return rec.on_alternatives(key, lambda k: convert_extreme(*values, key=k, default=default))
        given = {} if default is MISSING else {"default": default}
        if rec is None or not values or (given and len(values) > 1):
            return as_the_user(python, *values, key=key, **given)
        if key is None and (are_scalars(values) if len(values) > 1 else holds_scalars(rec, values[0])):
            return as_the_user(python, *values, **given)
        source = rec.new(list(values)) if len(values) > 1 else values[0]

        def empty() -> Any:
            return as_the_user(python, (), **given)

        def better_item(best: Any, item: Any) -> Any:
            return convert_ifexp(compare(symbol, item, best), lambda: item, lambda: best)

        if key is None:
            return fold_from_first(source, better_item, empty)

        def keyed(item: Any) -> tuple:
            return as_the_user(rec.convert_call(key), item), item

        def better(best: tuple, item: Any) -> Any:
            found = keyed(item)
            return convert_ifexp(compare(symbol, found[0], best[0]), lambda: found, lambda: best)

        return fold_from_first(source, better, lambda: (None, empty()), keyed)[1]

    return convert_extreme


convert_min = extreme(min, "<")
convert_max = extreme(max, ">")
