"""A second run of a Program on the tape, from where its call started: gradients of gradients flow through it, nobody sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.native import with_leaves
from ...runtime.tensors.grad_mode import enable_grad
from ...runtime.tensors.tape import OverwrittenTensor
from ...runtime.tensors.tensor import Tensor

if TYPE_CHECKING:
    from .gradients import Gradients


class Start:
    """The random numbers, the state, and the tensors that the Program writes in place, as they were before a call."""

    def __init__(self, owner: Gradients, inputs: Sequence[Tensor]):
        self.owner = owner
        self.state: dict[str, Any] = {}
        self.seed = _random_numbers().get_rng_state() if owner.effects.draws else None
        self.written: dict[int, np.ndarray] = {}
        if owner.written_operands and not owner.freed:
            operands = [*inputs, *owner.tensors.values()]  # on one that requires a gradient, a writing Program runs on the tape
            self.written = {i: operands[i]._data.copy() for i in owner.written_operands if operands[i].stop_gradient}

    def keep_state(self, state: dict[str, Any]) -> None:
        """Keep the state that the call starts with; the Program writes it later."""
        self.state = with_leaves(state, lambda x: x.copy() if isinstance(x, np.ndarray) else x)

    def run(self, tensors: Sequence[Tensor]) -> Any:
        """The result on the operands of the call, inputs and then parameters."""
        operands = [self._before(i, tensors) if i in self.written else x for i, x in enumerate(tensors)]
        state = with_leaves(self.state, lambda x: Tensor(x.copy()) if isinstance(x, np.ndarray) else x)
        owner = self.owner
        with enable_grad(), random_numbers_from(self.seed):
            return owner.run_taped(operands[: owner.count], owner.parameters_of(operands), state, is_silent=True)

    def _before(self, i: int, tensors: Sequence[Tensor]) -> Tensor:
        """A copy of an operand that the Program writes, as it was. RuntimeError: another one shares its memory."""
        memory = [x.like if isinstance(x, OverwrittenTensor) else x._data for x in tensors]
        if any(np.may_share_memory(memory[i], x) for k, x in enumerate(memory) if k != i):
            raise RuntimeError(
                f"a gradient of a gradient through a static function that changes {self.owner.title(i)} in place, in memory that "
                "another of its tensors shares: give it a copy (`x.clone()`)"
            )
        return Tensor(self.written[i].copy())


def _random_numbers() -> Any:
    from ...runtime.tensors import random_state  # which needs numpy.random: loading is quick without

    return random_state


@contextmanager
def random_numbers_from(seed: dict[str, Any] | None) -> Iterator[None]:
    """Draw the numbers again that were drawn from here; nobody else's change."""
    if seed is None:
        yield
        return
    numbers = _random_numbers()
    before = numbers.get_rng_state()
    numbers.set_rng_state(seed)
    try:
        yield
    finally:
        numbers.set_rng_state(before)
