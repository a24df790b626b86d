"""Exprs that call: functions, methods of tensors, and layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..nn import Layer
from ..ops import dispatch
from ..runtime.proxies import Staged
from ..runtime.tensors.tensor import Tensor
from .arguments import named_arguments, signature_of
from .expr import Expr
from .functions import MissingFunction
from .node import ModuleNode

if TYPE_CHECKING:
    from .graph import InternalGraph


class Call(Expr):
    """What calls of functions and of methods have in common: arguments with names."""

    @property
    def named_args(self) -> dict[str, Any]:
        """Parameter name -> Node or constant."""
        return named_arguments(self.signature(), self.args, self.kwargs)

    def signature(self) -> Any:
        """The parameters of what is called, an inspect.Signature, or None where they aren't known.

        NotImplementedError: no kind of call.
        """
        raise NotImplementedError


class CallFunction(Call):
    """A call of a public function of the library, or of one that the user wrapped. func: that function; graph: where it stands.

    args, kwargs: Nodes and constants, in the containers of the call.
    """

    def __init__(self, graph: InternalGraph, func: Callable, args: tuple = (), kwargs: dict[str, Any] | None = None):
        super().__init__(graph, args, kwargs)
        self.func = func

    @property
    def operator(self) -> str | None:
        """The name of the operator that it is, where it is one operator of a Program."""
        return None

    def signature(self) -> Any:
        return None if isinstance(self.func, MissingFunction) else signature_of(self.func)

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        rec = dispatch.current_mode().rec
        function = self.func if rec is None or isinstance(self.func, MissingFunction) else rec.convert_call(self.func)
        return function(*args, **kwargs)


class CallMethod(Call):
    """A call of a method of the first argument; a call of a Layer is its `__call__`.

    graph: where it stands. method: the name. args, kwargs: Nodes and constants, in the containers of the call.
    """

    def __init__(self, graph: InternalGraph, method: str, args: tuple = (), kwargs: dict[str, Any] | None = None):
        super().__init__(graph, args, kwargs)
        self.method = method
        self.graph: InternalGraph | None = None  # what the call of a TracedModule runs

    @property
    def calls_layer(self) -> bool:
        """Whether this is a call of a Layer."""
        return isinstance(self.args[0], ModuleNode)

    @property
    def graphs(self) -> tuple[InternalGraph, ...]:
        return () if self.graph is None else (self.graph,)

    def signature(self) -> Any:
        from .module import signature_of_layer

        return signature_of_layer(self.args[0].owner, True) if self.calls_layer else signature_of(getattr(Tensor, self.method))

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        if self.graph is not None:
            return args[0].call_graph(self.graph, args[1:], kwargs)
        if not isinstance(args[0], Layer if self.calls_layer else Tensor | Staged):
            raise TypeError(f"{self!r} calls a method of Tensor, and got a {type(args[0]).__name__}")
        return getattr(args[0], self.method)(*args[1:], **kwargs)
