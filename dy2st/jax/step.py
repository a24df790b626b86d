"""A training step in plain Python as a pure function of parameters, the optimizer's state and a batch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..ir.core import Program
from ..onnx.lowering.state_names import graph_name
from .pure import PureFunction, pure_function
from .status import Status

Arrays = dict[str, Any]


def training_step(step: Any, input_spec: Any = None, *, list_capacity: int | None = None) -> tuple[TrainingStep, Arrays, Arrays]:
    """A training step as a pure function, with the parameters and the optimizer's state that it begins with.

    step: a function, method, Layer or saved model that calls `loss.backward()` and `optimizer.step()`.
    input_spec, list_capacity: as for `function`. The inputs are those of a batch.

    Returns `(f, params, opt_state)`. `f(params, opt_state, *batch)` gives `(params, opt_state, result, status)`: the first two
    as they are after the step, the result that `step` returns, and a `status` as that of `function`. `params` has parameters and
    buffers of layers; `opt_state` has all else, such as averages, the number of steps and the learning rate. A variable that
    holds a layer begins the names of its tensors: `net.0.weight`.

    ValueError: the step changes no parameter. Other errors as those of `function`.

    >>> f, params, opt_state = dy2st.jax.training_step(step, [InputSpec([32, 64]), InputSpec([32], "int64")])  # doctest: +SKIP
    >>> params, opt_state, loss, status = jax.jit(f, donate_argnums=(0, 1))(params, opt_state, x, y)  # doctest: +SKIP
    """
    pure, program = pure_function(step, input_spec, list_capacity)
    parameters, buffers = (_names_of_kind(program, kind) for kind in ("parameter", "buffer"))
    if not parameters & pure.changes:
        raise ValueError(f"{pure.__name__} changes no parameter; a step calls loss.backward() and optimizer.step()")
    begin, of_model = pure.begin(), parameters | buffers
    return TrainingStep(pure), _part(begin, of_model), _part(begin, begin.keys() - of_model)


def _names_of_kind(program: Program, kind: str) -> set[str]:
    return {graph_name(name, x.type) for name, x in program.parameters.items() if x.kind == kind}


def _part(arrays: Arrays, names: Collection[str]) -> Arrays:
    return {name: x for name, x in arrays.items() if name in names}


class TrainingStep:
    """Computes a step without changing anything; `training_step` says what goes in and comes out."""

    def __init__(self, pure: PureFunction):
        self._pure, self.__name__ = pure, pure.__name__

    def __call__(self, params: Arrays, opt_state: Arrays, /, *batch: Any) -> tuple[Arrays, Arrays, Any, Status]:
        """Compute. TypeError: as many inputs as the step takes are expected, each of its dtype and number of axes."""
        result, changed, status = self._pure(params | opt_state, *batch)
        return params | _part(changed, params), opt_state | _part(changed, opt_state), result, status
