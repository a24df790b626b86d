"""How PyTorch code is staged: placeholders have torch's face, real tensors are parameters and buffers of the mirror."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..ir.core import Program
from ..runtime.heap.journal import Location
from ..runtime.heap.recording import Recording
from ..runtime.outside.facts import Facts
from ..runtime.outside.policy import Policy
from ..runtime.tensors.tensor import Tensor
from . import calls, texts
from .face import Face
from .layouts import Layouts
from .mirror import Tensors
from .modules import Hooks, computed, module_call
from .ranks import for_each_rank
from .restricted_views import RestrictedViews
from .shared_memory import Pair, share_as_torch_does
from .state import name_of


class TorchPolicy(Policy):
    """tensors: the Tensors that share memory with those of torch's. owner: the module whose method is staged, or None.

    knows_gradients: whether arguments say if they require gradients; an InputSpec leaves that to each call.
    """

    replaces = spells = exact = True
    boxes_scalars = casts_elements = False
    errors = "torch"

    def __init__(self, tensors: Tensors, owner: Any = None, knows_gradients: bool = True):
        self.tensors, self._owner, self.knows_gradients = tensors, owner, knows_gradients
        self.hooks = Hooks()
        self._is_plain = False
        self.layouts, self.restricted_views = Layouts(), RestrictedViews()
        self.is_of_memory = self.is_of_order = self.is_of_identity = False
        self.pairs: list[Pair] = []  # of tensors that share memory in torch and not here, or may do so

    @contextmanager
    def plain(self) -> Iterator[None]:
        """What is recorded in here gives Tensors with the methods of dy2st's."""
        before, self._is_plain = self._is_plain, True
        try:
            yield
        finally:
            self._is_plain = before

    def asks_memory(self) -> None:
        """The code asks how a tensor lies in memory: arguments have to lie there in order."""
        self.is_of_memory = True

    def is_library(self, function: Any) -> bool:
        """Whether a function is torch's own."""
        return (function.__module__ or "").partition(".")[0] == "torch"

    def tells_arguments_apart(self) -> bool:
        self.is_of_identity = True
        return True

    def call(self, function: Any, args: tuple, kwargs: dict) -> Any:
        """A call of torch's in code that isn't converted."""
        return calls.call(function, args, kwargs)

    def for_each_rank(self, x: Face, tell: Callable[[Tensor], Any]) -> Any:
        """`tell` of a tensor with each number of axes that it may have."""
        return for_each_rank(x, tell)

    @property
    def face(self) -> type[Tensor]:
        return Tensor if self._is_plain else Face

    def lifted(self, value: Any) -> Tensor | None:
        return self.tensors.of(value)

    def text_of(self, tensor: Tensor) -> object:
        return texts.text_of(tensor)

    def formatted(self, tensor: Tensor, spec: object) -> object:
        return texts.formatted(tensor, spec)

    def prepare(self, facts: Facts) -> None:
        if self._owner is not None:
            facts.convert_loads(computed(self._owner))

    def state_name(self, location: Location, path: str) -> str:
        return name_of(path)

    def returned(self, rec: Recording, value: object) -> object:
        facts: Any = rec.facts
        facts.guards.answers.note(self.hooks.now, ())
        return value

    def check(self, program: Program) -> None:
        self.is_of_order = share_as_torch_does(program, self.pairs, self.layouts)
        self.layouts, self.restricted_views, self.pairs = Layouts(), RestrictedViews(), []

    def in_python(self, function: Any) -> Any:
        return calls.table().get(function)

    def replacement(self, function: Any) -> Callable | None:
        return calls.replacement(function) or module_call(function)
