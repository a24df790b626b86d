"""A PyTorch function, or method of a module, that is staged for each new kind of arguments and then runs as a Program."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from types import MethodType
from typing import Any

from ..errors import ConversionError
from ..jit.interface.written_call import NoCall
from ..jit.static.binding import takes_anything
from ..jit.static.concrete import ConcreteProgram
from ..jit.static.program_cache import ProgramCache
from ..jit.static.static_function import StaticFunction
from ..jit.static.switch import enabled
from ..ops.dispatch import recorder_of_mode
from ..runtime.convert.calls.calls import convert_call
from ..runtime.library import flow
from ..runtime.outside.facts import StateSlot
from ..runtime.stage.stage import stage
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.tracebacks import leaving
from .calls import recorded
from .crossing import Crossing, tensors_in
from .dtypes import default_of_torch
from .gradients import called
from .libraries import prepare_libraries
from .mirror import Mirror, Tensors
from .modes import refuse_autocast
from .modules import hooks_of, own_call
from .packages import torch
from .policy import TorchPolicy
from .seeds import seeded_by_torch
from .specs import TorchBinder
from .state import State
from .static_module import method_of, plain
from .substitutes import places_of_others, substituted
from .transforms import StaticCall, is_transformed, plain_element, stored, transformed, without_transforms
from .values import array_of


class TorchFunction(StaticFunction):
    """function: in plain PyTorch; owner: the object it is a method of, or None; mirror: a Layer with the tensors of that."""

    static: Any = None  # the static module that has it; None: it is a function of its own
    _method = ""  # what it is called there

    def __init__(self, function: Any, input_spec: Any = None, owner: Any = None, mirror: Mirror | None = None):
        super().__init__(function, input_spec, owner)
        self._binder = TorchBinder(function, owner)
        self._mirror = mirror
        self.state = State()
        self._is_of_memory = self._is_of_order = self._is_of_identity = False

    @cached_property
    def mirror(self) -> Mirror | None:
        """A Layer with the tensors of the module that it is a method of."""
        is_module = isinstance(self._owner, torch().nn.Module)
        return Mirror(self._owner, Tensors()) if self._mirror is None and is_module else self._mirror

    @cached_property
    def tensors(self) -> Tensors:
        """The tensors of dy2st's for those of torch's."""
        return Tensors() if self.mirror is None else self.mirror.tensors

    @property
    def layer_class(self) -> type:
        """PyTorch's, which has parameters and a mode."""
        return torch().nn.Module

    def belong_to(self, static: Any, method: str) -> None:
        """Be a method of a static module, whose calls `forward` runs."""
        self.static, self._method = static, method
        if self._is_call:
            self._bind_as_called()

    def _bind_as_called(self) -> None:
        """Take the arguments of what a call of the module runs, where it says which they are."""
        self._of_instance = self._methods_of_instance()
        self._binder = TorchBinder(self._function, self._owner)
        call = own_call(self._owner)
        function, owner = (call.__func__, self._owner) if isinstance(call, MethodType) else (call, None)
        if function is not None and not takes_anything(function):
            self._binder = TorchBinder(function, owner)

    def _methods_of_instance(self) -> tuple:
        """The methods that a call runs, as far as the module itself has them."""
        own = vars(self._owner)
        return own.get("forward"), own.get("_call_impl")

    def _follow_forward(self) -> None:
        """Start anew where somebody has put another forward into the module. ConversionError: it isn't a method."""
        if any(now is not before for now, before in zip(self._methods_of_instance(), self._of_instance)):
            self._function = method_of(self._owner, "forward")
            self._programs, self.again = ProgramCache(self._function.__qualname__), NoCall()
            vars(self).pop("_alone", None)
            self._bind_as_called()

    @property
    def _is_call(self) -> bool:
        """Whether it is a call of a module, hooks and all."""
        return self.static is not None and self._method == "forward"

    @property
    def _called_plainly(self) -> Any:
        """What runs where no Program does."""
        return plain(self.static) if self._is_call else self.dygraph_function

    def with_specs(self, input_spec: Any) -> Any:
        """The same function of the same object, for these InputSpecs."""
        made = type(self)(self._function, input_spec, self._owner, self._mirror)
        if self.static is not None:
            made.belong_to(self.static, self._method)
        return made

    def __deepcopy__(self, memo: dict) -> Any:
        """As a method of a copy of its static module; else as a function of its own."""
        if self.static is None:
            return super().__deepcopy__(memo)
        return getattr(copy.deepcopy(self.static, memo), self._method)

    def __reduce__(self) -> Any:
        """As a method of its static module; else by name, where one leads to it, or by its plain function."""
        return super().__reduce__() if self.static is None else (getattr, (self.static, self._method))

    @cached_property
    def _alone(self) -> Any:
        """The forward of a module without what a call of it does besides."""
        return TorchFunction(self._function, self._input_spec, self._owner, self._mirror)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it with tensors of torch's; their gradients flow through torch's autograd."""
        if self._is_call:
            self._follow_forward()
        is_more = self._is_call and (recorder_of_mode() is not None or not enabled() or _is_more_than_forward(self._owner))
        try:
            return self._alone(*args, **kwargs) if is_more else self.called(*args, **kwargs)
        except Exception as error:
            if (other := leaving(error)) is not None:
                raise other
            raise

    def called(self, *args: Any, **kwargs: Any) -> Any:
        """The same; of `forward` of a static module, a call of that."""
        if recorder_of_mode() is not None:
            return convert_call(self._called_plainly)(*args, **kwargs)
        if not enabled():
            return self._called_plainly(*args, **kwargs)
        if self._is_call:
            self._follow_forward()
        refuse_autocast()
        places = places_of_others(self.mirror, self.state)
        if is_transformed((args, kwargs, [table.get(name) for table, name, _ in places])):
            return self._transformed(args, kwargs, places)
        return self._run_plainly(args, kwargs)

    def _run_plainly(self, args: tuple, kwargs: dict) -> Any:
        """Run on tensors that no transform of torch's has to do with."""
        self.state.refuse_history()
        for twin in self.tensors:
            twin.follow()
        with seeded_by_torch(), default_of_torch(), self._substituted(args, kwargs) as substitutes:
            self._refuse_odd(args, kwargs)
            result = called(super().__call__, args, kwargs, self.tensors, self.state, substitutes)
            self._refuse_odd(args, kwargs)
            return result

    def _substituted(self, args: tuple, kwargs: dict) -> AbstractContextManager:
        """A context of a call in which the module has its own tensors, on the memory of those in their place."""
        if not places_of_others(self.mirror, self.state):
            return nullcontext([])
        try:
            self._program_of(args, kwargs)  # tells which of them are state
        except Exception:
            return nullcontext([])  # a Program for these tensors alone, or the call raises this error as well
        return substituted(self.mirror, self.state)

    def _transformed(self, args: tuple, kwargs: dict, places: list[tuple[dict, str, Any]]) -> Any:
        """Run under transforms of `torch.func`. ConversionError: the Program does more than to compute.

        places: where the module has other tensors for now, as (table, name, its own).
        """
        slots = [(table, name, x) for table, name, _ in places if isinstance(x := table.get(name), torch().Tensor)]
        with without_transforms(), stored([(table, name, plain_element(x)) for table, name, x in slots]):
            gradients = self._program_of(args, kwargs).gradients
        read, replaced = {id(x) for x in gradients.tensors.values()}, {id(x) for *_, x in places}
        known: list[Any] = [twin.theirs for twin in self.tensors if id(twin.ours) in read]
        captured = [x for x in known if id(x) not in replaced]
        if any(x.requires_grad and not x.is_leaf for x in captured):
            raise ConversionError(
                f"{self._function.__name__} captures a tensor with a history, which isn't followed under torch.func; "
                "pass it as an argument"
            )
        if gradients.effects.is_seen:
            raise ConversionError(
                f"{self._function.__name__} changes state, prints, or writes into a tensor that it is given, and under "
                "torch.func it would run once for each derivative and element of a batch; compute new tensors in it, or call "
                "eval() of the module"
            )
        draws = gradients.effects.draws
        call = StaticCall(lambda *args, **kwargs: self._run_plainly(args, kwargs), args, kwargs, slots, captured, draws)
        return call.handed_back(transformed().apply(call, *call.given))

    def _program_of(self, args: tuple, kwargs: dict) -> ConcreteProgram:
        """The Program that a call with these tensors runs."""
        for twin in self.tensors:
            twin.follow()
        with seeded_by_torch(), default_of_torch(), substituted(self.mirror, self.state):
            crossing = Crossing(args, kwargs, torch().Tensor, lambda x: Tensor(array_of(plain_element(x))))
            return self._program_for(self._binder.bind(crossing.args, crossing.kwargs))

    def _refuse_odd(self, args: tuple, kwargs: dict) -> None:
        """ConversionError: the code asks how tensors lie in memory, where an argument isn't in order, or a part of another.

        Or it asks whether two arguments are one tensor, and some are.
        """
        if not (self._is_of_memory or self._is_of_order or self._is_of_identity):
            return
        name, given = self._function.__name__, tensors_in((args, kwargs), torch().Tensor)
        if self._is_of_identity and len({id(x) for x in given}) < len(given):
            raise ConversionError(
                f"{name} asks whether arguments are one tensor, as by x is y, and two of them are; pass x.view_as(x) for one"
            )
        is_asked = self._is_of_memory or self._is_of_order
        if is_asked and any(not x.is_contiguous() or (self._is_of_memory and x.storage_offset()) for x in given):
            raise ConversionError(
                f"{name} asks how tensors lie in memory, as by x.stride() or a write into x.contiguous(), and an argument isn't "
                "in order there, or a part of another tensor; pass x.clone(memory_format=torch.contiguous_format)"
            )

    @default_of_torch()
    def _stage(self, specs: dict[str, Any], state: Iterable[StateSlot] = (), for_a_call: bool = False) -> ConcreteProgram:
        args, kwargs = self._binder.as_call(specs)
        policy = TorchPolicy(self.tensors, self._owner, self._input_spec is None)
        function = self._function
        if self._is_call:
            policy.hooks.add(self._owner)
            function = flow.called if _is_more_than_forward(self._owner) else function
        prepare_libraries()
        with recorded():
            names = {} if self.mirror is None else self.mirror.names_of(self._owner)
            staged = stage(function, self._owner, args, kwargs, names, policy=policy, state=state, for_a_call=for_a_call)
        self._is_of_memory = self._is_of_memory or policy.is_of_memory
        self._is_of_order = self._is_of_order or policy.is_of_order
        self._is_of_identity = self._is_of_identity or policy.is_of_identity
        made = self._concrete(staged, specs, all(module.training for module in self.layers()))
        read = {op.attrs["name"] for op in made.program.walk() if op.name == "state.get"}
        self.state.add([slot.location for slot in staged.state.values()])
        self.state.add_read(slot.location for name, slot in staged.state.items() if name in read)
        return made


def _is_more_than_forward(module: Any) -> bool:
    """Whether a call of a module does more than its forward."""
    return bool(hooks_of(module)) or own_call(module) is not None
