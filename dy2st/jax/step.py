"""A training step in plain Python as a pure function of parameters, the optimizer's state and a batch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .pure import PureFunction, pure_function
from .status import Status

Arrays = dict[str, Any]


def training_step(
    step: Any, input_spec: Any = None, *, list_capacity: int | None = None, x32: bool = False
) -> tuple[TrainingStep, Arrays, Arrays]:
    """A training step as a pure function, with the parameters and the optimizer's state that it begins with.

    step: a function, method, Layer or saved model that calls `loss.backward()` and `optimizer.step()`.
    input_spec, list_capacity, x32: as for `function`. The inputs are those of a batch.

    Returns `(f, params, opt_state)`. `f(params, opt_state, *batch)` gives `(params, opt_state, result, status)`: the first two
    as they are after the step, the result that `step` returns, and a `status` as that of `function`. `params` has parameters and
    buffers of layers; `opt_state` has all else, such as averages, the number of steps and the learning rate. A variable that
    holds a layer begins the names of its tensors: `net.0.weight`, `optimizer.learning_rate`.

    ValueError: the step changes no parameter. Other errors as those of `function`.

    >>> f, params, opt_state = dy2st.jax.training_step(step, [InputSpec([32, 64]), InputSpec([32], "int32")])  # doctest: +SKIP
    >>> params, opt_state, loss, status = jax.jit(f, donate_argnums=(0, 1))(params, opt_state, x, y)  # doctest: +SKIP
    """
    pure, program = pure_function(step, input_spec, list_capacity, x32, trains=True)
    begin = pure.begin()
    of_model = {pure.called("parameter", name): x.kind for name, x in program.parameters.items() if x.kind != "constant"}
    if not any(of_model.get(name) == "parameter" for name in pure.changes):
        raise ValueError(f"{pure.__name__} changes no parameter; a step calls loss.backward() and optimizer.step()")
    params = _part(begin, of_model)
    opt_state = {name: x for name, x in begin.items() if name not in params}
    return TrainingStep(pure, params.keys(), opt_state.keys()), params, opt_state


def _part(arrays: Arrays, names: Collection[str | None]) -> Arrays:
    return {name: x for name, x in arrays.items() if name in names}


class TrainingStep:
    """Computes a step without changing anything; `training_step` says what goes in and comes out."""

    def __init__(self, pure: PureFunction, of_model: Collection[str], of_optimizer: Collection[str]):
        self._pure, self.__name__ = pure, pure.__name__
        self._names = {"params": frozenset(of_model), "opt_state": frozenset(of_optimizer)}

    def __call__(self, params: Arrays, opt_state: Arrays, /, *batch: Any) -> tuple[Arrays, Arrays, Any, Status]:
        """Compute. TypeError: as many inputs as the step takes are expected, each of its dtype and number of axes.

        ValueError: a name is missing or unknown, or an array lies on a mesh whose axes aren't of the kind Auto.
        """
        for what, given in (("params", params), ("opt_state", opt_state)):
            other = given.keys() ^ self._names[what]
            if other:
                how = "lacks" if other & self._names[what] else "has an unknown"
                raise ValueError(f"{what} {how} {min(other & self._names[what] or other)!r}; it has {_listed(self._names[what])}")
        result, changed, status = self._pure(params | opt_state, *batch)
        return params | _part(changed, params), opt_state | _part(changed, opt_state), result, status


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))
