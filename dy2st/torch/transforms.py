"""Static functions under `torch.func` and forward-mode derivatives: a call is one torch.autograd.Function of tensors.

Its derivatives are again such Functions, of functions that take them with torch's autograd on plain tensors; so they nest. A
batch of `vmap` is run element by element. A derivative runs the Program again, which is why that may change no state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from itertools import chain
from typing import Any

from ..errors import ConversionError
from .crossing import Crossing, tensors_in
from .packages import torch

RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness flags "
    "on vmap or perform the randomness operation out of vmap"
)


def is_transformed(given: Any) -> bool:
    """Whether a transform of `torch.func` is under way, or forward-mode derivatives of tensors in a structure."""
    if torch()._C._are_functorch_transforms_active():
        return True
    forward_mode = torch().autograd.forward_ad
    if forward_mode._current_level < 0:
        return False
    return any(forward_mode.unpack_dual(x).tangent is not None for x in tensors_in(given, torch().Tensor))


def is_wrapped(x: Any) -> bool:
    """Whether a transform has to do with a tensor."""
    return x is not None and torch()._C._functorch.is_functorch_wrapped_tensor(x)


def refuse_old_batches() -> None:
    """ConversionError: gradients are batched by the predecessor of `torch.func`, which Functions have no part in."""
    count = torch()._C._vmapmode_increment_nesting() - 1
    torch()._C._vmapmode_decrement_nesting()
    if count:
        raise ConversionError(
            "is_grads_batched=True or vectorize=True through a static function: write torch.func.vmap around "
            "torch.autograd.grad, or torch.func.jacrev"
        )


def without_transforms() -> AbstractContextManager:
    """A context in which no transform is under way."""
    return torch()._functorch.pyfunctorch.temporarily_clear_interpreter_stack()


def plain_element(x: Any) -> Any:
    """A tensor without transforms; of a batch, the first one."""
    functorch = torch()._C._functorch
    while functorch.is_functorch_wrapped_tensor(x):
        axis = functorch.maybe_get_bdim(x) if functorch.is_batchedtensor(x) else -1
        x = functorch.get_unwrapped(x)
        x = x if axis < 0 else x.new_empty([*x.shape[:axis], *x.shape[axis + 1 :]]) if x.shape[axis] == 0 else x.select(axis, 0)
    return x


class StaticCall:
    """A call of a static function, as a function of tensors.

    call: runs the Program on plain tensors; slots: the attributes of modules that hold another tensor for now, as (table,
    name, tensor); captured: the plain tensors that it reads besides its arguments; draws: whether it draws random numbers.
    """

    def __init__(
        self, call: Callable, args: tuple, kwargs: dict, slots: Sequence[tuple[dict, str, Any]], captured: list, draws: bool
    ):
        self._call, self._args, self._kwargs = call, args, kwargs
        self._slots, self._captured, self.draws = slots, captured, draws
        with without_transforms():
            self.seed: tuple[int, ...] = (int(torch().randint(2**62, ())),) if draws else ()
        wrapped = [tensor for *_, tensor in slots]
        found = {id(x): x for x in chain(tensors_in((args, kwargs), torch().Tensor), wrapped)}
        self.given = [*found.values(), *(x for x in captured if id(x) not in found)]
        self._count = len(found)
        self._last: list[Any] = []  # of the last run, also that of an element: the arguments, and the result without tensors

    def element(self, i: int) -> StaticCall:
        """The call for one element of a batch, which draws random numbers of its own."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), seed=(*self.seed, i))
        return made

    def __call__(self, *tensors: Any) -> tuple:
        """The tensors in the result."""
        values = {id(x): value for x, value in zip(self.given[: self._count], tensors)}
        crossing = Crossing(self._args, self._kwargs, torch().Tensor, lambda x: values[id(x)])
        swapped = [(table, name, values[id(tensor)]) for table, name, tensor in self._slots]
        with stored(swapped), _drawn_from(self.seed if self.draws else None):
            result = self._call(*crossing.args, **crossing.kwargs)
        found = {id(x): x for x in tensors_in(result, torch().Tensor)}
        places = {key: place for place, key in enumerate(found)}
        self._last[:] = crossing, crossing.hand_back(result, torch().Tensor, lambda x: _Place(places[id(x)]))
        given = {id(x) for x in tensors}
        return tuple(x.view_as(x) if key in given else x for key, x in found.items())

    def is_captured(self, i: int) -> bool:
        """Whether the Program reads tensor number i itself."""
        return i >= self._count

    @property
    def kind(self) -> Any:
        """The result of the last run but for its tensors."""
        return self._last[1]

    def own(self, tensors: Sequence[Any]) -> list[Any]:
        """The tensors to compute derivatives with: those that the Program reads itself in the place of their equals."""
        return [*tensors[: self._count], *self.given[self._count :]]

    def handed_back(self, tensors: tuple) -> Any:
        """The result with these tensors in it."""
        crossing, result = self._last
        return crossing.hand_back(result, _Place, lambda place: tensors[place.number])


class _Place:
    """Stands for a tensor of a result."""

    def __init__(self, number: int):
        self.number = number

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, _Place) and other.number == self.number

    __hash__ = None  # type: ignore[assignment]


class _Derivative:
    """A function of the inputs of another one, and of weights or tangents; asked: the numbers of the inputs that count."""

    def __init__(self, function: Any, count: int, asked: tuple[int, ...], results: tuple[int, ...]):
        self.function, self.count, self.asked, self.results = function, count, asked, results
        self.reached: set[int] = set()  # the numbers of the inputs that a gradient has arrived at

    @property
    def draws(self) -> bool:
        """Whether random numbers are drawn."""
        return self.function.draws

    kind = None  # only tensors

    def element(self, i: int) -> Any:
        """The same for one element of a batch."""
        made = type(self)(self.function.element(i), self.count, self.asked, self.results)
        made.reached = self.reached
        return made

    def own(self, tensors: Sequence[Any]) -> list[Any]:
        """The tensors to compute derivatives with."""
        return [*self.function.own(tensors[: self.count]), *tensors[self.count :]]

    def is_captured(self, i: int) -> bool:
        """Whether the Program reads tensor number i itself."""
        return i < self.count and self.function.is_captured(i)

    def run(self, tensors: Sequence[Any], again: bool) -> tuple[list, list]:
        """The inputs that count, and the results that depend on them. again: whether another derivative asks for these."""
        taken = self.function.own(tensors[: self.count])
        for i in self.asked:
            x = taken[i]
            if not (self.function.is_captured(i) or (again and x.is_leaf and x.requires_grad)):
                taken[i] = x.detach().requires_grad_()  # without its history, which may lead to another input
        found = self.function(*taken)
        return [taken[i] for i in self.asked], [found[i] for i in self.results]


class Backward(_Derivative):
    """The gradients of the inputs for those of the results."""

    def __call__(self, *tensors: Any) -> tuple:
        again = torch().is_grad_enabled()
        with torch().enable_grad():
            inputs, results = self.run(tensors, again)
        pairs = [(x, g) for x, g in zip(results, tensors[self.count :]) if x.requires_grad]
        found = _gradients([x for x, _ in pairs], inputs, [g for _, g in pairs], again)
        self.reached.update(i for i, g in zip(self.asked, found) if g is not None)
        return tuple(torch().zeros_like(x) if g is None else g for x, g in zip(inputs, found))


class BatchedBackward:
    """The backward of a call for gradients that `vmap` batches, as a function of them and of what it follows.

    backward: gives the gradients, some of them None, for those of the results, None where there is none.
    """

    draws, kind = False, None

    def __init__(self, backward: Callable[[tuple], tuple], gradients: tuple, follows: list):
        self._backward, self._follows = backward, follows
        self._places = [i for i, g in enumerate(gradients) if g is not None]
        self._count = len(gradients)
        self.given = [*(gradients[i] for i in self._places), *follows]
        self.reached: set[int] = set()  # the numbers of the tensors that a gradient has arrived at

    def element(self, i: int) -> BatchedBackward:
        """The same for one element of a batch."""
        return self

    def own(self, tensors: Sequence[Any]) -> list[Any]:
        """The tensors to compute derivatives with."""
        return [*tensors[: len(self._places)], *self._follows]

    def is_captured(self, i: int) -> bool:
        """Whether tensor number i is one that the call follows."""
        return i >= len(self._places)

    def __call__(self, *tensors: Any) -> tuple:
        given: dict[int, Any] = dict(zip(self._places, tensors))
        found = self._backward(tuple(given.get(i) for i in range(self._count)))
        self.reached.update(i for i, g in enumerate(found) if g is not None)
        return tuple(torch().zeros_like(x) if g is None else g for x, g in zip(self._follows, found))

    def apply(self) -> tuple:
        """The gradients for the batch."""
        found = transformed().apply(self, *self.given)
        return tuple(g if i in self.reached else None for i, g in enumerate(found))


class Forward(_Derivative):
    """The tangents of the results for those of the inputs: the gradient of a backward, which is linear in its weights."""

    def __call__(self, *tensors: Any) -> tuple:
        again = torch().is_grad_enabled()
        with torch().enable_grad():
            inputs, results = self.run(tensors, again)
            ends = [x for x in results if x.requires_grad]
            weights = [torch().zeros_like(x, requires_grad=True) for x in ends]
            gradients = _gradients(ends, inputs, weights, True)
            pairs = [(g, t) for g, t in zip(gradients, tensors[self.count :]) if g is not None and g.requires_grad]
            found = dict(zip(map(id, ends), _gradients([g for g, _ in pairs], weights, [t for _, t in pairs], again)))
        return tuple(torch().zeros_like(x) if found.get(id(x)) is None else found[id(x)] for x in results)


def _gradients(ends: list, inputs: list, weights: list, again: bool) -> Sequence[Any]:
    """The gradients of the inputs; None where none arrives."""
    if not ends or not inputs:
        return [None] * len(inputs)
    return torch().autograd.grad(ends, inputs, weights, create_graph=again, allow_unused=True)


@contextmanager
def stored(swapped: list[tuple[dict, str, Any]]) -> Iterator[None]:
    """Let attributes of modules hold other tensors."""
    before = [(table, name, table[name]) for table, name, _ in swapped]
    try:
        for table, name, value in swapped:
            table[name] = value
        yield
    finally:
        for table, name, value in before:
            table[name] = value


@contextmanager
def _drawn_from(seed: tuple[int, ...] | None) -> Iterator[None]:
    """Draw random numbers from a seed; nobody else's change. None: nothing is drawn."""
    if seed is None:
        yield
        return
    generator = torch().default_generator
    before = generator.get_state()
    generator.manual_seed(hash(seed) % 2**62)
    try:
        yield
    finally:
        generator.set_state(before)


def _differentiable(tensors: Sequence[Any]) -> tuple[int, ...]:
    return tuple(i for i, x in enumerate(tensors) if x.is_floating_point() or x.is_complex())


@cache
def transformed() -> Any:
    """The autograd.Function of a function of tensors, which it takes first."""

    class Transformed(torch().autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(function: Any, *tensors: Any) -> tuple:
            return function(*function.own(tensors))

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
            ctx.function, *tensors = inputs
            ctx.results = _differentiable(output)
            ctx.inputs = _differentiable(tensors)
            ctx.mark_non_differentiable(*(x for i, x in enumerate(output) if i not in ctx.results))
            ctx.save_for_backward(*tensors)
            ctx.save_for_forward(*tensors)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> tuple:
            tensors = ctx.saved_tensors
            asked = tuple(i for i in ctx.inputs if ctx.needs_input_grad[1 + i])
            function = Backward(ctx.function, len(tensors), asked, ctx.results)
            found = dict(zip(asked, Transformed.apply(function, *tensors, *(gradients[i] for i in ctx.results))))
            return None, *(found[i] if i in function.reached else None for i in range(len(tensors)))

        @staticmethod
        def jvp(ctx: Any, _: None, *tangents: Any) -> tuple:
            tensors = ctx.saved_tensors
            asked = tuple(i for i in ctx.inputs if tangents[i] is not None)
            function = Forward(ctx.function, len(tensors), asked, ctx.results)
            found = dict(zip(ctx.results, Transformed.apply(function, *tensors, *(tangents[i] for i in asked))))
            return tuple(found.get(i) for i in range(max(ctx.results, default=-1) + 1))

        @staticmethod
        def vmap(info: Any, axes: tuple, function: Any, *tensors: Any) -> tuple:
            if function.draws and info.randomness == "error":
                raise RuntimeError(RANDOM)
            if not info.batch_size:
                raise ConversionError("vmap of a static function over an empty batch: what the result is like isn't known")
            results, kinds = [], []
            for i in range(info.batch_size):
                one = function.element(i) if function.draws and info.randomness == "different" else function
                picked = [x if axis is None else x.select(axis, i) for x, axis in zip(tensors, axes[1:])]
                results.append(Transformed.apply(one, *picked))
                kinds.append(one.kind)
            if any(kind != kinds[0] for kind in kinds):
                raise ConversionError("vmap: the static function gives another result, besides tensors, for another element")
            return tuple(torch().stack(found) for found in zip(*results)), (0,) * len(results[0])

    return Transformed
