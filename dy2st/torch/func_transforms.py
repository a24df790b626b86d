"""The transforms of `torch.func` in converted code.

A transform gives its function tensors of its own for the arguments, so that only what is computed of these counts. The reverse
ones are `gradients` of the Program. A Jacobian-vector product is the gradient, by the weights u, of the gradient with weights u:
that is linear in u (https://j-towns.github.io/2017/06/12/A-new-trick.html).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import dy2st as api

from ..ops.dispatch import recorder_of_mode
from ..ops.registry import lookup
from ..passes.backward import recorded
from ..runtime.library.rows import rows
from ..runtime.tensors.grad_mode import enable_grad, is_grad_enabled
from ..runtime.tensors.tensor import Tensor
from .asked_gradients import count_of, refused
from .calls import faced, plain
from .packages import torch
from .values import leaves, mapped


class Applied(NamedTuple):
    """A function that was applied to tensors of its own: these, its result, and what it gives beside (`has_aux`)."""

    primals: tuple
    result: Any
    aux: Any

    @property
    def asked(self) -> list[Tensor]:
        """The tensors of the primals."""
        return [plain(x) for x in leaves(self.primals)]

    @property
    def outs(self) -> list[Tensor]:
        """The tensors of the result."""
        return [plain(x) for x in leaves(self.result)]

    def pull(self, weights: list) -> Any:
        """The gradients of the result's tensors with these weights, in the structure of the primals."""
        return _filled(self.primals, _gradients(self.outs, weights, self.asked))


def _gradients(outs: list[Tensor], weights: list, asked: list[Tensor]) -> list[Tensor]:
    """The gradients, zeros where none arrives."""
    with recorder_of_mode().facts.policy.plain():
        found = recorded.gradients_of(recorder_of_mode(), outs, weights, asked, create_graph=True)
        return [recorded.or_zeros(recorder_of_mode(), g, x) for g, x in zip(found, asked)]


def _filled(structure: Any, tensors: list[Tensor]) -> Any:
    """A structure with these tensors as its leaves."""
    found = iter(tensors)
    return mapped(lambda _: faced(next(found)), structure)


def applied(function: Any, args: tuple, kwargs: dict, numbers: tuple[int, ...] | None, has_aux: bool, name: str) -> Applied:
    """`function(*args, **kwargs)`, with tensors of their own for the arguments of these numbers (None: for all)."""
    chosen = range(len(args)) if numbers is None else [_place(n, args, name) for n in numbers]
    own = tuple(mapped(_own, x) if k in chosen else x for k, x in enumerate(args))
    with enable_grad():
        given = recorder_of_mode().convert_call(function)(*own, **kwargs)
    result, aux = given if has_aux else (given, None)
    for x in leaves(result):
        if not isinstance(x, Tensor | torch().Tensor):
            raise RuntimeError(f"{name}: Expected f(*args) to return only tensors, got unsupported type {type(x)}")
    return Applied(tuple(own[k] for k in chosen), result, aux)


def _place(number: int, args: tuple, name: str) -> int:
    if not -len(args) <= number < len(args):
        raise RuntimeError(f"Got argnum={number}, but only {len(args)} positional inputs")
    return number % len(args)


def _own(x: Any) -> Any:
    """A tensor of its own with the elements of another, and with its gradients."""
    rec, made = recorder_of_mode(), lookup("assign")(plain(x))
    rec.flowing.add(made._data)
    return faced(Tensor(made._data, stop_gradient=False))


def _numbers(argnums: Any) -> tuple[int, ...]:
    return argnums if isinstance(argnums, tuple) else (argnums,)


def _handed_out(value: Any) -> Any:
    """The result of a transform: where the caller asks for no gradients, none leads back."""
    return value if is_grad_enabled() else mapped(lambda x: faced(plain(x).detach()) if isinstance(x, Tensor) else x, value)


def grad_and_value_of(function: Any, argnums: Any, has_aux: bool, args: tuple, kwargs: dict) -> tuple:
    """The gradient of `function`, which gives one number, and its value, with what it gives beside."""
    done = applied(function, args, kwargs, _numbers(argnums), has_aux, "grad")
    if not isinstance(done.result, Tensor):
        raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(done.result)}")
    if (rank := len(done.result.static_shape or ())) != 0:
        raise RuntimeError(
            f"grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {rank} dims. Maybe you "
            "wanted to use the vjp or jacrev APIs instead?"
        )
    found = done.pull([None])
    value = (done.result, done.aux) if has_aux else done.result
    return _handed_out((found if isinstance(argnums, tuple) else found[0], value))


def grad_of(function: Any, argnums: Any, has_aux: bool, args: tuple, kwargs: dict) -> Any:
    """The gradient, with what the function gives beside."""
    found, value = grad_and_value_of(function, argnums, has_aux, args, kwargs)
    return (found, value[1]) if has_aux else found


def func_grad(func: Any, argnums: Any = 0, has_aux: bool = False) -> Callable:
    """`torch.func.grad`."""
    return lambda *args, **kwargs: grad_of(func, argnums, has_aux, args, kwargs)


def grad_and_value(func: Any, argnums: Any = 0, has_aux: bool = False) -> Callable:
    """`torch.func.grad_and_value`."""
    return lambda *args, **kwargs: grad_and_value_of(func, argnums, has_aux, args, kwargs)


def vjp(func: Any, *primals: Any, has_aux: bool = False) -> tuple:
    """`torch.func.vjp`."""
    done = applied(func, primals, {}, None, has_aux, "vjp")

    def pulled(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        found = done.pull(_like(done.result, cotangents, "vjp"))
        return _handed_out(found if len(primals) > 1 else found[0])

    return (done.result, pulled, done.aux) if has_aux else (done.result, pulled)


def _like(result: Any, given: Any, name: str) -> list[Tensor]:
    """Tensors like those of a result, in its structure."""
    found = leaves(given)
    if len(found) != len(leaves(result)):
        raise RuntimeError(f"{name}: expected tensors in the structure of the output, got {len(found)} for {len(leaves(result))}")
    return [plain(x) for x in found]


class LinearMap(NamedTuple):
    """The derivative of an applied function, a linear map: the gradients by the primals for weights that aren't known yet."""

    weights: list[Tensor]
    gradients: list[Any]
    outs: list[Tensor]

    @classmethod
    def of(cls, done: Applied) -> LinearMap:
        """The derivative where a function was applied."""
        with recorder_of_mode().facts.policy.plain():
            weights = [plain(_own(api.zeros_like(x))) for x in done.outs]
            return cls(weights, _gradients(done.outs, weights, done.asked), done.outs)

    def of_tangents(self, tangents: Sequence[Tensor | None]) -> list[Tensor]:
        """The products of the Jacobian with tangents, one for each output. None: zeros."""
        with recorder_of_mode().facts.policy.plain():
            products = [api.sum(g * t) for g, t in zip(self.gradients, tangents) if t is not None]
            return _gradients(products, [None] * len(products), self.weights)


def jvp(func: Any, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> tuple:
    """`torch.func.jvp`."""
    if strict:
        raise refused("torch.func.jvp(..., strict=True) isn't mapped; leave it out")
    done = applied(func, tuple(primals), {}, None, has_aux, "jvp")
    with enable_grad():
        made = LinearMap.of(done).of_tangents(_like(done.primals, tangents, "jvp"))
    found = _handed_out((done.result, _filled(done.result, made)))
    return (*found, done.aux) if has_aux else found


def jacrev(
    func: Any, argnums: Any = 0, *, has_aux: bool = False, chunk_size: Any = None, _preallocate_and_copy: bool = False
) -> Any:
    """`torch.func.jacrev`: a row for each element of the output. How many torch would compute at once changes no number."""

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        done = applied(func, args, kwargs, _numbers(argnums), has_aux, "jacrev")
        found = mapped(lambda out: _chosen(_rows_of(done, plain(out)), argnums), done.result)
        return _handed_out((found, done.aux) if has_aux else found)

    return jacobian


def _rows_of(done: Applied, out: Tensor) -> tuple:
    """The Jacobian of one output, in the structure of the primals."""
    with enable_grad(), recorder_of_mode().facts.policy.plain():
        row = lambda k: tuple(_gradients([out], [_unit(out, k)], done.asked))  # noqa: E731
        made = recorder_of_mode().convert_call(rows)(_staged(count_of(out)), row, len(done.asked))
        found = [api.reshape(api.stack(each), [*out.shape, *x.shape]) for each, x in zip(made, done.asked)]
    return _filled(done.primals, found)


def jacfwd(func: Any, argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error") -> Any:
    """`torch.func.jacfwd`: a column for each element of the input."""

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        done = applied(func, args, kwargs, _numbers(argnums), has_aux, "jacfwd")
        with enable_grad():
            linear = LinearMap.of(done)
            by_output = iter(list(zip(*[_columns_of(linear, k, x) for k, x in enumerate(done.asked)])))
        found = mapped(lambda _: _chosen(_filled(done.primals, list(next(by_output))), argnums), done.result)
        return _handed_out((found, done.aux) if has_aux else found)

    return jacobian


def _columns_of(linear: LinearMap, number: int, x: Tensor) -> list[Tensor]:
    """The Jacobians of all outputs by one primal."""

    def column(k: Any) -> tuple:
        return tuple(linear.of_tangents([_unit(x, k) if n == number else None for n in range(len(linear.gradients))]))

    with recorder_of_mode().facts.policy.plain():
        made = recorder_of_mode().convert_call(rows)(_staged(count_of(x)), column, len(linear.outs))
        stacked = [api.stack(each, axis=-1) for each in made]
        return [api.reshape(each, [*out.shape, *x.shape]) for each, out in zip(stacked, linear.outs)]


def hessian(func: Any, argnums: Any = 0) -> Any:
    """`torch.func.hessian`."""
    return jacfwd(jacrev(func, argnums), argnums)


def _chosen(found: tuple, argnums: Any) -> Any:
    """The Jacobians by a tuple of primals, or by the one whose number was given."""
    return found if isinstance(argnums, tuple) else found[0]


def _unit(like: Tensor, k: Any) -> Tensor:
    """Zeros like a tensor, with 1 for its element number k."""
    places = api.arange(count_of(like)) == k
    return api.reshape(places.astype(like.dtype), list(like.shape))


def _staged(count: Any) -> Any:
    """A number that the Program knows: a loop up to it is recorded once."""
    rec = recorder_of_mode()
    return rec.wrap(rec.emit("const", (), [rec.type_of(count)], {"value": count}).result) if isinstance(count, int) else count

