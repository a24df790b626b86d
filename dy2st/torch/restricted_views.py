"""Views that torch may refuse to write: outputs of functions with several views, and views made under no_grad.

torch refuses such a write where gradients are on, and a gradient flows to the view or the written value. It refuses any use of
such a view after a write into its base, too. It raises by itself, of stand-ins that are made as the views were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..ir.core import Block, Operation, Value
from ..ops.dispatch import recorder_of_mode
from ..ops.registry import view_of
from ..runtime.tensors.grad_mode import is_grad_enabled
from ..runtime.where.profiling import unwatched
from .face import Face
from .packages import torch
from .values import leaves, mapped

_UNTRACKED = frozenset(["unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes"])  # writes into their results aren't counted
_BASES = _UNTRACKED | {"detach"}  # no view in the sense of autograd


class _Made(NamedTuple):
    """The call that made a view, and the number of the view among its results. Arguments have the gradient flags of that time.

    records: whether gradients were on. writes: how many writes had been recorded.
    """

    function: Callable
    args: tuple
    kwargs: dict
    place: int
    records: bool
    writes: int

    @property
    def base(self) -> Value:
        """The tensor that it is a view of."""
        return next(x._data for x in leaves((self.args, self.kwargs)) if type(x) is Face)

    def again(self, stand_in: Callable[[Any], Any]) -> Any:
        """The view that torch makes, of stand-ins for the arguments; None: the call gives no such tensor, or raises."""
        args, kwargs = mapped(stand_in, (self.args, self.kwargs))
        try:
            with torch().set_grad_enabled(self.records):
                found = leaves(self.function(*args, **kwargs))
        except Exception:  # the stand-ins for dynamic dimensions don't fit
            return None
        return found[self.place] if self.place < len(found) else None


class _Write(NamedTuple):
    """A write into a tensor. block: what it was recorded in. given: the tensors by which a gradient may flow into it."""

    target: Value
    block: Block
    given: list[Any]


class RestrictedViews:
    """Records the calls that made restricted views, and the writes into tensors."""

    def __init__(self) -> None:
        self._made: dict[Value, _Made] = {}
        self._origins: dict[Value, str] = {}  # the names of the functions that have made tensors, of some
        self._writes: list[_Write] = []
        self._counts: dict[Value, int] = {}  # for each base, how many writes had been recorded after the last one into it

    @unwatched
    def note(self, function: Callable, args: tuple, kwargs: dict, found: Any) -> None:
        """A call of torch's has given `found`."""
        given = [x._data for x in leaves((args, kwargs)) if type(x) is Face]
        results = [x for x in leaves(found) if type(x) is Face]
        if function.__name__ in _BASES:
            self._origins.update((x._data, function.__name__) for x in results)
        if len(results) < 2 and is_grad_enabled() and self._made.keys().isdisjoint(given):
            return
        args, kwargs = mapped(_as_now, (args, kwargs))
        for place, x in enumerate(results):
            if given and x._data not in given and _is_view(_attached(x._data)):
                made = _Made(function, args, kwargs, place, is_grad_enabled(), len(self._writes))
                self._made.setdefault(x._data, made)

    def note_writes(self, targets: list[Face], given: Any) -> None:
        """A call writes tensors, of what it is given."""
        tensors = [_as_now(x) for x in leaves(given) if isinstance(x, torch().Tensor)] if is_grad_enabled() else []
        self._writes += [_Write(x._data, recorder_of_mode().frame.block, tensors) for x in targets]
        self._counts.update((self._base(x._data, _UNTRACKED), len(self._writes)) for x in targets)

    def _base(self, value: Value, ends: frozenset[str]) -> Value:
        """The tensor that a view is of, by way of others; or the first one that a function of one of these names has made."""
        while self._origins.get(value) not in ends and _is_view(value):
            value = self._made[value].base if value in self._made else value.owner.operands[0]  # type: ignore[union-attr]
        return value

    def base(self, x: Any) -> Any:
        """The tensor that `x` is a view of."""
        return Face(self._base(x._data, _BASES), False)

    def holds(self, x: Any) -> bool:
        """Whether a tensor may be a view that torch refuses to write or use: without gradients it refuses none."""
        return type(x) is Face and x._data in self._made and is_grad_enabled()

    def key(self, x: Any, own: str, key_of: Callable[[Any], Any]) -> str | None:
        """Cache key of the calls that made a tensor; None where a later write into its base may change the answer."""
        if not self.holds(x):
            return own
        made = self._made[x._data]
        found = mapped(key_of, (made.args, made.kwargs))
        if made.writes < self._counts.get(self._base(x._data, _UNTRACKED), 0) or None in leaves(found):
            return None
        return f"{own} {made.function} {made.place} {made.records} {found}"

    def stand_in(self, x: Any, plain: Callable, needs_gradient: Callable, blocks: Sequence[Block]) -> Any:
        """A stand-in that is such a view, as `x` is.

        plain: gives one that isn't a view. needs_gradient: whether a stand-in for a tensor requires a gradient.
        blocks: those being recorded; a write in another one may not have run.
        """
        found = self._again(x, plain)
        if found._base is None or not found.is_floating_point():
            return found
        later = self._writes[self._made[x._data].writes :]
        after = [write for write in later if write.block in blocks and self._meet(write, x, _UNTRACKED)]
        if after:
            flows = any(needs_gradient(given) for write in after if self._meet(write, x, _BASES) for given in write.given)
            found._base.add_(torch().zeros((), dtype=found.dtype, device=found.device, requires_grad=flows))
        return found

    def _again(self, x: Any, plain: Callable) -> Any:
        """The same, before any write."""
        found = self._made[x._data].again(lambda given: self._again(given, plain)) if self.holds(x) else None
        return found if isinstance(found, torch().Tensor) else plain(x)

    def _meet(self, write: _Write, x: Any, ends: frozenset[str]) -> bool:
        return self._base(write.target, ends) is self._base(x._data, ends)


def _as_now(x: Any) -> Any:
    return Face(x._data, x.stop_gradient) if type(x) is Face else x


def _attached(value: Value) -> Value:
    """The tensor before it was detached, as each result is under no_grad."""
    while isinstance(value.owner, Operation) and value.owner.name == "detach":
        value = value.owner.operands[0]
    return value


def _is_view(value: Value) -> bool:
    return isinstance(value.owner, Operation) and view_of(value.owner.name) is not None
