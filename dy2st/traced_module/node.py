"""Nodes: the values of a graph, each made by one Expr and read by others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..nn import Layer
from ..runtime.tensors.call_hook import current_observer
from ..runtime.tensors.tensor import Tensor
from .tree import twin

if TYPE_CHECKING:
    from .expr import Expr
    from .graph import InternalGraph


class Node:
    """One value. `{:i}` shows the id before the name. expr: the Expr that makes it."""

    kind = ""

    def __init__(self, name: str, expr: Expr):
        self.id = -1
        self._name = name
        self.expr = expr

    @property
    def name(self) -> str:
        """Unique in the graph; ValueError for one that is taken."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        if name != self._name:
            self.top_graph.names.take(name)
            self.top_graph.names.release(self._name)
            self._name = name

    @property
    def top_graph(self) -> InternalGraph:
        """The graph that this node belongs to."""
        return self.expr.top_graph

    @property
    def users(self) -> list[Expr]:
        """The Exprs that read this node, in order."""
        return [expr for expr in self.top_graph.body if any(node is self for node in expr.inputs)]

    def copied(self, expr: Expr, name: str) -> Any:
        """The same Node as an output of another Expr, `expr`, under `name`; without an id."""
        made = twin(self)
        made.id, made._name, made.expr = -1, name, expr
        expr.outputs.append(made)
        return made

    def __repr__(self) -> str:
        return self._name

    def __format__(self, spec: str) -> str:
        return f"%{self.id}_{self._name}" if spec == "i" else format(self._name, spec)


class TensorNode(Node):
    """A tensor; `shape` and `dtype` are those met when it was traced. expr: the Expr that makes it."""

    kind = "Tensor"

    def __init__(self, name: str, expr: Expr, shape: tuple[int, ...] = (), dtype: str = "float32"):
        super().__init__(name, expr)
        self._shape, self.dtype = shape, dtype

    @property
    def shape(self) -> list[Any]:
        """The lengths met when tracing; while Exprs are inserted, lengths that follow the tensor at run time."""
        from .insertion import Insertion

        observer = current_observer()
        return observer.shape_of(self) if isinstance(observer, Insertion) else list(self._shape)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not callable(getattr(Tensor, name, None)):
            raise AttributeError(f"a tensor Node has no attribute {name!r}")
        return lambda *args, **kwargs: self._call(name, args, kwargs)

    def _call(self, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call a Tensor method, as a tensor would."""
        from .insertion import active_insertion

        return active_insertion(self).call(getattr(Tensor, name), name, (self, *args), kwargs)


def _tensor_operator(name: str) -> Any:
    def operate(self: TensorNode, *operands: Any) -> Any:
        return self._call(name, operands, {})

    return operate


_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor".split()
for _name in (*_OPERATORS, *(f"r{name}" for name in _OPERATORS), *"lt le gt ge neg pos abs invert getitem setitem iter".split()):
    if hasattr(Tensor, f"__{_name}__"):
        setattr(TensorNode, f"__{_name}__", _tensor_operator(f"__{_name}__"))


class NumberNode(Node):
    """A Python number that follows a tensor's shape. expr: the Expr that makes it."""

    kind = "number"


class ValueNode(Node):
    """Any other Python value: a list, a text, a tensor on one path and None on another. `type`: as a Program prints it.

    expr: the Expr that makes it.
    """

    def __init__(self, name: str, expr: Expr, type: str = ""):
        super().__init__(name, expr)
        self.type = type

    @property
    def kind(self) -> str:  # type: ignore[override]
        return self.type


class ModuleNode(Node):
    """A Layer. expr: the Expr that gives it."""

    @property
    def owner(self) -> Any:
        """The Layer itself."""
        return self.expr.layer()

    def __getattr__(self, name: str) -> Any:
        from .insertion import active_insertion

        if name.startswith("__"):
            raise AttributeError(name)
        return active_insertion(self).attribute(self, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from .insertion import active_insertion

        return active_insertion(self).call_node(self, args, kwargs)

    @property
    def kind(self) -> str:  # type: ignore[override]
        from .builtin import is_builtin

        owner = self.owner
        return type(owner).__name__ if isinstance(owner, Layer) and is_builtin(owner) else "Layer"
