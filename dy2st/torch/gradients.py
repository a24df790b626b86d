"""Calls that take part in torch's autograd: one torch.autograd.Function for each call of a Program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache
from typing import Any

import numpy as np

from .. import autograd
from ..api.autograd import no_grad
from ..ops.registry import lookup
from ..runtime.tensors.aliases import current_history
from ..runtime.tensors.tape import edge_of, record
from ..runtime.tensors.tensor import Tensor
from .crossing import Crossing, tensors_in
from .face import Size
from .mirror import Tensors, Twin
from .packages import torch
from .state import State
from .values import array_of, torch_of


def called(function: Callable, args: tuple, kwargs: dict, tensors: Tensors, state: State) -> Any:
    """function(*args, **kwargs), which takes Tensors of dy2st's, for tensors of torch's. state: where it may leave some."""
    records = torch().is_grad_enabled()
    given: dict[int, Argument] = {}  # by the id of the tensor of torch's

    def taken(x: Any) -> Any:
        if isinstance(x, torch().Size):
            return Size(x)
        if id(x) not in given:
            given[id(x)] = Argument(x, records)
        return given[id(x)].passed

    crossing = Crossing(args, kwargs, (torch().Tensor, torch().Size), taken)

    def handed_back(result: Any) -> Any:
        own = {id(x.passed): x.theirs for x in given.values()}  # a tensor that is handed on stays itself
        for twin in (*given.values(), *tensors):
            twin.tell_writes()
        for argument in given.values():
            argument.tell_leaf()
        left = (*tensors_in(result, Tensor), *tensors_in(crossing.parts, Tensor), *state.tensors())
        found = {id(x): x for x in left if id(x) not in own}
        held = {id(x.ours) for x in (*given.values(), *tensors)}
        made = {id(x): torch_of(x).requires_grad_() for x in found.values() if _is_leaf(x) and id(x) not in held}
        own, found = own | made, {key: x for key, x in found.items() if key not in made}
        call = _Differentiated(list(found.values()), list(given.values()), tensors) if records else None
        own |= zip(found, map(torch_of, found.values()) if call is None or not call.is_needed else call.results())
        state.replace(lambda x: own[id(x)])
        return crossing.hand_back(result, (Tensor, Size), lambda x: own[id(x)] if isinstance(x, Tensor) else torch().Size(x))

    try:
        with nullcontext() if records else no_grad():
            result = function(*crossing.args, **crossing.kwargs)
    except Exception as error:  # what the call has done before it raised, it has done
        told = _chain(error)
        for one, (parts, fields) in zip(told, handed_back([(x.args, vars(x)) for x in told])):
            one.args = parts
            vars(one).update(fields)
        raise
    return handed_back(result)


def _is_leaf(x: Tensor) -> bool:
    """Whether gradients flow into a tensor, and through it to no other."""
    return not x.stop_gradient and x._node is None


def _chain(error: BaseException | None) -> list[BaseException]:
    """An exception, and those that it comes from."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


class Argument(Twin):
    """An argument of a call. `passed`: the Tensor that the Program gets; one with a history, unlike a leaf, may be written."""

    def __init__(self, theirs: Any, records: bool):
        wants = records and theirs.requires_grad
        super().__init__(theirs, Tensor(array_of(theirs), stop_gradient=not wants))
        self.passed = self.ours if theirs.is_leaf or not wants else _handed_on(self.ours)
        self._edge = self.passed._node

    def tell_leaf(self) -> None:
        """Let gradients flow into the tensor of torch's where the call has made it a leaf."""
        if self.passed is self.ours and not self.ours.stop_gradient and self.ours._node is None:
            self.theirs.requires_grad_()

    @property
    def is_rewritten(self) -> bool:
        """Whether the call has given it another history."""
        return self.passed._node is not self._edge


def _handed_on(x: Tensor) -> Tensor:
    """Another Tensor on the same memory, with x as its history."""
    found, node = Tensor(x._data, stop_gradient=False), record(lookup("assign"), [x], [x._data], {})
    found._writes, found._node = x._writes, (node, 0)
    node.add_result(x._data, x._writes)
    return found


def _sources(outputs: list[Tensor]) -> Iterator[Tensor]:
    """The leaves that gradients of some Tensors go to."""
    for x in outputs:
        current_history(x)
    edges, seen = [edge_of(x) for x in outputs], set()
    while edges:
        edge = edges.pop()
        if isinstance(edge, Tensor):
            yield edge
        elif edge is not None and id(edge[0]) not in seen:
            seen.add(id(edge[0]))
            edges.extend(edge[0].edges)


class _Differentiated:
    """One call that gradients may be asked of. outputs: what it gives; given: its arguments."""

    def __init__(self, outputs: list[Tensor], given: list[Argument], tensors: Tensors):
        self._given, self._tensors = given, tensors
        self._rewritten = [x for x in given if x.is_rewritten]
        self._new, self._outputs = outputs, [*outputs, *(x.passed for x in self._rewritten)]
        sources = set(_sources(self._outputs))
        self._wanted = [twin for twin in (*given, *tensors) if twin.ours in sources]
        self._results: list[Twin] = []

    @property
    def is_needed(self) -> bool:
        """Whether a gradient may go from some result to somewhere."""
        return bool(self._wanted and self._outputs)

    def results(self) -> tuple:
        """The tensors of torch's for the outputs, with their history; arguments that were written get theirs."""
        plain = [x.theirs for x in self._rewritten if not x.theirs.requires_grad]
        found = _function().apply(self, *[twin.theirs for twin in self._wanted], *plain)
        return found[: len(self._new)]

    def given_out(self, ctx: Any, count: int) -> tuple:
        """The results, as tensors of torch's. count: of what they may follow."""
        found = [torch_of(x) for x in self._new]
        for place, output in enumerate(self._new):
            others = [*(x.ours._data for x in self._given), *(x._data for x in self._new if x is not output)]
            if any(np.may_share_memory(output._data, x) for x in others):
                found[place] = found[place].view_as(found[place])  # torch refuses to write a view that a Function has made
        found += [x.theirs for x in self._rewritten]
        ctx.mark_dirty(*(x.theirs for x in self._rewritten))
        ctx.mark_non_differentiable(*(x for x, output in zip(found, self._outputs) if output.stop_gradient))
        self._seen = [x.detach() for x in found]  # on the same memory, with the same count of writes
        self._results = [Twin(x, output) for x, output in zip(self._seen, self._outputs)]
        self._count = count
        ctx.set_materialize_grads(False)  # a result that nothing is computed of has no gradient, rather than zeros
        return tuple(found)

    def taken_back(self, gradients: tuple) -> tuple:
        """The gradients of what the results follow, of those of the results."""
        self._note_writes()
        pairs = [(x, Tensor(array_of(g))) for x, g in zip(self._outputs, gradients) if not x.stop_gradient and g is not None]
        ends, starts = [x for x, _ in pairs], [g for _, g in pairs]
        sources = [twin.ours for twin in self._wanted]
        found = autograd.grad(ends, sources, starts, allow_unused=True, retain_graph=True) if ends else [None] * len(sources)
        made = tuple(None if g is None else torch_of(g) for g in found)
        made = _once(made) if torch().is_grad_enabled() else made  # which create_graph=True makes it
        return (*made, *[None] * (self._count - len(made)))

    def _note_writes(self) -> None:
        """Let the tape know what torch has written since the call."""
        for twin in (*self._tensors, *self._results):
            twin.note_writes()
        for twin in self._given:
            if twin.note_writes() and any(np.may_share_memory(twin.ours._data, x._data) for x in self._new):
                raise RuntimeError(OVERWRITTEN)


OVERWRITTEN = "an argument of a static function was changed in place, and a result that is a view of it has the old history"
TWICE = "a gradient of a gradient isn't taken through a static function: take it of the module, or leave out create_graph=True"


def _once(gradients: tuple) -> tuple:
    """Gradients that are refused to be differentiated again."""
    places = [place for place, g in enumerate(gradients) if g is not None]
    fail = torch()._C._functions.DelayedError(TWICE.encode(), len(places))
    found = list(gradients)
    made = fail(*[found[place].requires_grad_() for place in places])
    for place, x in zip(places, made if len(places) > 1 else [made]):
        found[place] = x
    return tuple(found)


@cache
def _function() -> Any:
    """The autograd.Function whose calls are those of Programs: it takes a `_Differentiated`, and the tensors that it follows."""

    class Call(torch().autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, call: _Differentiated, *inputs: Any) -> tuple:
            ctx.call = call
            return call.given_out(ctx, len(inputs))

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> tuple:
            return None, *ctx.call.taken_back(gradients)

    return Call
