"""A PyTorch function, or method of a module, that is staged for each new kind of arguments and then runs as a Program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..jit.interface.layer_names import names_of
from ..jit.static.concrete import ConcreteProgram
from ..jit.static.static_function import StaticFunction
from ..runtime.library import flow
from ..runtime.outside.facts import StateSlot
from ..runtime.stage.stage import stage
from .calls import recorded
from .dtypes import default_of_torch
from .gradients import called
from .mirror import Mirror, Tensors
from .modes import refuse_autocast
from .modules import hooks_of
from .policy import TorchPolicy
from .seeds import seeded_by_torch
from .state import State


class TorchFunction(StaticFunction):
    """function: in plain PyTorch; owner: the module it is a method of, or None. mirror: a Layer with the tensors of that."""

    def __init__(self, function: Any, input_spec: Any, owner: Any, mirror: Mirror | None, tensors: Tensors):
        super().__init__(function, input_spec, owner)
        self.mirror, self.tensors = mirror, tensors
        self.state = State()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it with tensors of torch's; their gradients flow through torch's autograd."""
        refuse_autocast()
        self.state.refuse_history()
        for twin in self.tensors:
            twin.follow()
        with seeded_by_torch(), default_of_torch():
            return called(super().__call__, args, kwargs, self.tensors, self.state)

    @default_of_torch()
    def _stage(self, specs: dict[str, Any], state: Iterable[StateSlot] = (), for_a_call: bool = False) -> ConcreteProgram:
        args, kwargs = self._binder.as_call(specs)
        policy = TorchPolicy(self.tensors, self._owner)
        function = self._function
        if self.mirror is not None and function.__name__ == "forward":
            policy.hooks.add(self._owner)
            function = flow.called if hooks_of(self._owner) else function
        with recorded():
            names = names_of(self.mirror)
            staged = stage(function, self._owner, args, kwargs, names, policy=policy, state=state, for_a_call=for_a_call)
        made = self._concrete(staged, specs, self.mirror is None or self._owner.training)
        read = {op.attrs["name"] for op in made.program.walk() if op.name == "state.get"}
        self.state.add([*(slot.location for slot in staged.state.values()), *(change.location for change in staged.made)])
        self.state.add_read(slot.location for name, slot in staged.state.items() if name in read)
        return made
