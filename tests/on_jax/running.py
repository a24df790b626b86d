"""A Program without a heap in JAX, compiled or not."""

from __future__ import annotations

from typing import Any

from dy2st.graphs.calls import GraphCall
from dy2st.graphs.exceptions import raised
from dy2st.graphs.ports import plain
from dy2st.graphs.preparing import Prepared
from dy2st.ir.core import Program
from dy2st.jax import keys
from dy2st.jax.computation import Computation
from dy2st.jax.engine import Compiled, leaves_in_jax


def run(program: Program, values: list) -> Any:
    """The result of a Program for native values; or the exception that it tells of."""
    computation = Computation(Prepared(program, plain(program), {}))
    compiled = Compiled(computation, 64)
    given = [leaves_in_jax(port, value) for port, value in zip(computation.inputs, values)]
    key = keys.fresh() if computation.draws else None
    arrays = compiled({name: x.data for name, x in program.parameters.items()}, given, key)
    answer = GraphCall([], compiled.ports).answer(arrays)
    if answer.error:
        raise raised(compiled.errors[answer.error - 1], answer.details)
    return answer.result
