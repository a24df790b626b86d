"""PyLayer: a computation with a forward and a backward of the user's own."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import pytree
from ..api.converted import converted
from ..errors import ConversionError
from ..ops import dispatch
from ..ops.custom_gradient import GRADIENTS, custom_gradient
from ..runtime.proxies import Staged, StagedScalar
from ..runtime.tensors.grad_mode import no_grad
from ..runtime.tensors.spec import is_tensor
from ..runtime.tensors.tensor import Tensor


class PyLayerContext:
    """What `forward` leaves for `backward`: the tensors that it saves, and its attributes."""

    def __init__(self) -> None:
        self._saved: tuple = ()
        self._without_gradient: tuple = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep `tensors` for `backward`; once."""
        self._saved = tensors

    def saved_tensor(self) -> tuple:
        """A tuple of what `save_for_backward` was given."""
        return self._saved

    def mark_not_inplace(self, *tensors: Any) -> None:
        """Nothing, whatever `tensors` are: results never share memory with the inputs."""

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """The results `tensors` get `stop_gradient=True`."""
        self._without_gradient = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros, rather than None, for a result that no gradient arrives at. Zeros are all there is.

        NotImplementedError: a `value` of False.
        """
        if not value:
            raise NotImplementedError("set_materialize_grads(False): backward gets zeros where no gradient arrives")


class PyLayer:
    """A subclass defines two static methods, and is called by `apply`.

    forward(ctx, *args, **kwargs) computes the results, a tensor or a list or tuple with tensors. backward(ctx, *gradients) takes
    the gradient of each tensor of the results, and gives one, or None, for each tensor among the arguments, in order, of its
    shape and dtype. In a static function `forward` is converted; `backward` runs as it is, at eager speed with all of the static
    function. A saved model holds the forward only.

    >>> class Double(dy2st.autograd.PyLayer):
    ...     forward = staticmethod(lambda ctx, x: x * 2)
    ...     backward = staticmethod(lambda ctx, g: g * 2)
    >>> Double.apply(dy2st.to_tensor([1.0, 2.0])).tolist()
    [2.0, 4.0]
    """

    @staticmethod
    def forward(ctx: PyLayerContext, *args: Any, **kwargs: Any) -> Any:
        """What is computed of the arguments; `ctx`, a PyLayerContext, keeps what backward needs.

        NotImplementedError: it isn't defined.
        """
        raise NotImplementedError("a PyLayer defines forward(ctx, ...)")

    @staticmethod
    def backward(ctx: PyLayerContext, *gradients: Any) -> Any:
        """What is computed of the `gradients` of the results, and of `ctx`. NotImplementedError: it isn't defined."""
        raise NotImplementedError("a PyLayer defines backward(ctx, ...)")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """The results of `forward`. ValueError, when gradients are asked for: `backward` gives another number of them.

        ConversionError, while recording: ctx or the results hold something but tensors, numbers, and lists, tuples and dicts of
        them.
        """
        mode = dispatch.current_mode()
        if mode.tracer is not None:
            return mode.tracer.called(cls.apply, args, kwargs)
        rec = mode.rec
        context = PyLayerContext() if rec is None else rec.heap.born_here(PyLayerContext())
        with no_grad():
            given = converted(cls.forward)(context, *args, **kwargs)
        results, inputs = list(_tensors(given)), list(_tensors((args, kwargs)))
        if not results:
            return given
        kept: list[Any] = []
        state = _spread(vars(context), lambda x: _Slot(kept, x))
        gradients: Any = _Gradients(cls, state, len(inputs))
        if rec is not None:
            gradients = gradients.named()
        made = custom_gradient(*results, *inputs, *kept, gradients=gradients, results=len(results), inputs=len(inputs))
        outside = context._without_gradient
        pairs = zip(results, made if len(results) > 1 else [made])
        found = iter([x.detach() if any(result is y for y in outside) else x for result, x in pairs])
        return _spread(given, lambda x: next(found) if isinstance(x, Tensor) else x)


class _Slot:
    """Stands for the tensor or number of this place among those that are kept."""

    def __init__(self, kept: list, x: Any):
        self.number = len(kept)
        kept.append(x)


class _Gradients:
    """The backward of one call: what its context held is `state`, with slots for tensors."""

    def __init__(self, cls: type[PyLayer], state: dict[str, Any], count: int):
        self._cls, self._state, self._count = weakref.ref(cls), state, count
        self._name = cls.__qualname__

    def __call__(self, kept: list, weights: list) -> list:
        cls = self._cls()
        assert cls is not None, "the class is gone"
        context = PyLayerContext()
        vars(context).update(_fill(self._state, kept))
        given = cls.backward(context, *weights)
        found = list(_leaves(given if isinstance(given, list | tuple) else (given,)))
        if len(found) != self._count:
            raise ValueError(f"{self._name}.backward gives {len(found)} gradients, its forward takes {self._count} tensors")
        return found

    def named(self) -> str:
        """Its name in GRADIENTS: the same for the same class and constants."""
        cls, key = self._cls(), (_key(self._state), self._count)
        names = _NAMES.setdefault(cls, {})  # type: ignore[arg-type]
        if key not in names:
            number = 1
            while (name := f"{self._name}#{number}") in GRADIENTS:  # a file's names have no #
                number += 1
            names[key], GRADIENTS[name] = name, self
            weakref.finalize(cls, GRADIENTS.pop, name, None)
        return names[key]


_NAMES: weakref.WeakKeyDictionary[type, dict[Any, str]] = weakref.WeakKeyDictionary()


def _spread(tree: Any, change: Callable[[Any], Any]) -> Any:
    """A tree of containers with `change` of its tensors and of the numbers that only a Program knows."""
    return pytree.mapped(tree, lambda value: isinstance(value, Tensor | Staged), lambda leaf: change(_kept(leaf)))


def _kept(leaf: Any) -> Any:
    if isinstance(leaf, Staged) and not isinstance(leaf, StagedScalar):
        kind = type(leaf).__name__
        raise ConversionError(f"a PyLayer keeps tensors, numbers, and lists, tuples and dicts of them, not a {kind}")
    return leaf


def _is_slot(value: Any) -> bool:
    return isinstance(value, _Slot)


def _fill(tree: Any, kept: list) -> Any:
    """The tree again, of what is kept."""
    return pytree.mapped(tree, _is_slot, lambda slot: kept[slot.number])


def _leaves(tree: Any) -> Iterator[Any]:
    return pytree.walk(tree, pytree.is_no_container)


def _tensors(tree: Any) -> Iterator[Tensor]:
    """The tensors of a tree, in order."""
    return pytree.walk(tree, is_tensor)


def _key(tree: Any) -> Any:
    """What is equal for equal trees: objects without a value count by identity."""
    if isinstance(tree, _Slot):
        return ("slot", tree.number)
    if isinstance(tree, np.ndarray):
        return ("array", tree.shape, tree.dtype.str, tree.tobytes())
    if pytree.is_container(tree) or pytree.holds_leaf(tree, _is_slot):
        return (pytree.setting_of(tree), *((key, _key(part)) for key, part in pytree.parts_of(tree)))
    return (type(tree), repr(tree)) if isinstance(tree, bool | int | float | complex | str | None) else ("object", id(tree))
