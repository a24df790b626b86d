"""Calls that take part in torch's autograd: one torch.autograd.Function for each call of a Program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from typing import Any

import numpy as np

from .. import autograd
from ..api.autograd import no_grad
from ..runtime.tensors.aliases import current_history
from ..runtime.tensors.tape import edge_of
from ..runtime.tensors.tensor import Tensor
from .crossing import Crossing, tensors_in
from .face import Size
from .mirror import Tensors, Twin
from .packages import torch
from .state import State
from .transforms import BatchedBackward, is_wrapped, refuse_old_batches
from .values import array_of, torch_of


def called(
    function: Callable, args: tuple, kwargs: dict, tensors: Tensors, state: State, substitutes: Sequence[Twin] = ()
) -> Any:
    """function(*args, **kwargs), which takes Tensors of dy2st's, for tensors of torch's. state: where it may leave some.

    substitutes: tensors that stand in for those of the module.
    """
    records = torch().is_grad_enabled()
    given: dict[int, Argument] = {}  # by the id of the tensor of torch's

    def taken(x: Any) -> Any:
        if isinstance(x, torch().Size):
            return Size(x)
        if id(x) not in given:
            given[id(x)] = Argument(x, records)
        return given[id(x)].ours

    crossing = Crossing(args, kwargs, (torch().Tensor, torch().Size), taken)

    def handed_back(result: Any) -> Any:
        own = {id(x.ours): x.theirs for x in given.values()}  # a tensor that is handed on stays itself
        for twin in (*given.values(), *tensors):
            twin.tell_writes()
        for argument in given.values():
            argument.tell_leaf()
        left = (*tensors_in(result, Tensor), *tensors_in(crossing.parts, Tensor), *state.tensors())
        found = {id(x): x for x in left if id(x) not in own}
        held = {id(x.ours) for x in (*given.values(), *tensors)}
        made = {id(x): torch_of(x).requires_grad_() for x in found.values() if _is_leaf(x) and id(x) not in held}
        own, found = own | made, {key: x for key, x in found.items() if key not in made}
        ends = ((twin.theirs, twin.leaf) for twin in (*given.values(), *tensors))
        rewritten = [twin for twin in (*given.values(), *tensors) if twin.has_new_history]
        node = _Node(list(found.values()), [*given.values(), *substitutes], tensors, ends, rewritten) if records else None
        own |= zip(found, map(torch_of, found.values()) if node is None or not node.is_needed else node.results())
        for twin in tensors:
            twin.end_history()
        for twin in substitutes:
            twin.skip_writes()  # torch has counted them for the tensors of the module
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
    """An argument of a call."""

    def __init__(self, theirs: Any, records: bool):
        wants = records and theirs.requires_grad
        super().__init__(theirs, Tensor(array_of(theirs), stop_gradient=not wants))
        self.start_history(theirs.is_leaf or not wants)

    def tell_leaf(self) -> None:
        """Let gradients flow into the tensor of torch's where the call has made it a leaf."""
        if self.leaf is self.ours and not self.ours.stop_gradient and self.ours._node is None:
            self.theirs.requires_grad_()


class Incoming(Twin):
    """A gradient that a backward is given. again: whether gradients may be taken of its gradients."""

    def __init__(self, theirs: Any, again: bool):
        super().__init__(theirs, Tensor(array_of(theirs), stop_gradient=not (again and theirs.requires_grad)))


def _with_history_of(x: Tensor) -> Tensor:
    """Another Tensor on the same memory, with the history that x has now."""
    found = Tensor(x._data, stop_gradient=x.stop_gradient)
    found._writes, found._node = x._writes, current_history(x)
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


class _Node:
    """A node of torch's graph: the part of the tape that leads from some Tensors to the tensors of torch's they are computed of.

    outputs: those Tensors; given: the arguments of the call, and the incoming gradients of its backward; tensors: those of the
    module; ends: each tensor of torch's with the leaf of the tape that stands for it; rewritten: arguments and tensors of the
    module that the call has given a new history.
    """

    def __init__(
        self, outputs: list[Tensor], given: list[Twin], tensors: Tensors, ends: Iterable[tuple[Any, Tensor]],
        rewritten: Sequence[Twin] = (),
    ):  # fmt: skip
        self._given, self._tensors, self._rewritten = given, tensors, rewritten
        self._new, self._outputs = outputs, [*outputs, *(_with_history_of(x.ours) for x in rewritten)]
        sources = set(_sources(self._outputs))
        self._follows = [(theirs, ours) for theirs, ours in ends if ours in sources]
        self._wanted = [ours for _, ours in self._follows]
        self._results: list[Twin] = []

    @property
    def is_needed(self) -> bool:
        """Whether a gradient may go from some result to somewhere."""
        return bool(self._wanted and self._outputs)

    def results(self) -> tuple:
        """The tensors of torch's for the outputs, with their history; tensors that were written get theirs."""
        follows, self._follows = [theirs for theirs, _ in self._follows], []  # torch's graph holds them from now on
        followed = {id(x) for x in follows}
        plain = [x.theirs for x in self._rewritten if id(x.theirs) not in followed]
        self._histories = [None if x.is_leaf else _history().apply(x) for x in follows]
        found = _function().apply(self, *follows, *plain)
        for twin in (*self._rewritten, *self._results):
            twin.skip_writes()  # torch has counted those of `mark_dirty`, which the Program made
        return found[: len(self._new)]

    def given_out(self, ctx: Any, inputs: tuple) -> tuple:
        """The results, as tensors of torch's. inputs: the tensors that they may follow."""
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
        self._count = len(inputs)
        ctx.set_materialize_grads(False)  # a result that nothing is computed of has no gradient, rather than zeros
        return tuple(found)

    def taken_back(self, ctx: Any, gradients: tuple) -> tuple:
        """The gradients of what the results follow, of those of the results; with a history under create_graph=True."""
        _ = ctx._raw_saved_tensors  # RuntimeError: an earlier backward has freed the graph
        refuse_old_batches()
        if any(map(is_wrapped, gradients)):
            count = len(self._wanted)
            batched = BatchedBackward(lambda given: self.taken_back(ctx, given)[:count], gradients, self._followed(ctx))
            return (*batched.apply(), *[None] * (self._count - count))
        self._note_writes()
        again = torch().is_grad_enabled()  # which create_graph=True makes it
        arrived = [(x, Incoming(g, again)) for x, g in zip(self._outputs, gradients) if not x.stop_gradient and g is not None]
        if not arrived:
            return (None,) * self._count
        ends, starts = [x for x, _ in arrived], [twin.ours for _, twin in arrived]
        found = autograd.grad(ends, self._wanted, starts, retain_graph=True, create_graph=again, allow_unused=True)
        if again:
            made = self._differentiable(found, self._followed(ctx), [twin for _, twin in arrived])
        else:
            made = _of_their_own(found, starts)
        return (*made, *[None] * (self._count - len(made)))

    def _followed(self, ctx: Any) -> list:
        """Tensors with the histories of those that the results follow; a leaf is itself."""
        nodes = [node for node, _ in ctx.next_functions]
        return [node.variable if tensor is None else tensor for tensor, node in zip(self._histories, nodes)]

    def _differentiable(self, found: Sequence[Tensor | None], follows: list, arrived: list[Incoming]) -> list:
        """Gradients as tensors of torch's that gradients can be taken of. follows: what the results of this node follow."""
        outputs = [g for g in found if g is not None]
        ends = [*zip(follows, self._wanted), *((twin.theirs, twin.ours) for twin in arrived)]
        node = _Node(outputs, [*self._given, *arrived], self._tensors, ends)
        made = iter(node.results() if node.is_needed else map(torch_of, outputs))
        return [None if g is None else next(made) for g in found]

    def _note_writes(self) -> None:
        """Let the tape know what torch has written since the call."""
        for twin in (*self._tensors, *self._results):
            twin.note_writes()
        for twin in self._given:
            if twin.note_writes() and any(np.may_share_memory(twin.ours._data, x._data) for x in self._new):
                raise RuntimeError(OVERWRITTEN)


def _of_their_own(gradients: Sequence[Tensor | None], arrived: list[Tensor]) -> list:
    """Gradients as tensors of torch's, which adds others to them in place: none shares memory with another."""
    taken = {id(_owner(x._data)) for x in arrived}
    made: list[Any] = []
    for g in gradients:
        if g is None:
            made.append(None)
            continue
        owner = id(_owner(g._data))
        made.append(torch_of(g).clone() if owner in taken else torch_of(g))
        taken.add(owner)
    return made


def _owner(array: np.ndarray) -> np.ndarray:
    """The array that an array is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


OVERWRITTEN = "an argument of a static function was changed in place, and a result that is a view of it has the old history"


@cache
def _history() -> Any:
    """The autograd.Function that gives a tensor with the history of its argument now, and without its elements."""

    class History(torch().autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.new_empty(()).expand(x.shape)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient

    return History


@cache
def _function() -> Any:
    """The autograd.Function that makes the nodes of torch's graph: it takes a `_Node`, and the tensors that it follows."""

    class Call(torch().autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, node: _Node, *inputs: Any) -> tuple:
            ctx.node = node
            return node.given_out(ctx, inputs)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> tuple:
            return None, *ctx.node.taken_back(ctx, gradients)

    return Call
