"""Exprs: what makes the Nodes of a graph, each a call that can be made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .node import Node
from .tree import leaves, map_tree, twin

if TYPE_CHECKING:
    from .graph import InternalGraph


_LEAVES = (int, float, bool, str, type(None))


class Expr:
    """One step: `args` and `kwargs` hold Nodes and constants, in the containers of the call; `outputs` are the Nodes it makes.

    writes: which of `inputs` the call changes in place. shares: whether an output may share memory with an input. places: which
    of the `n_results` leaves of the result the outputs are; None where the result is the one output. loc: the user's line. path:
    of the layer that a single operator was recorded in, where its graph doesn't tell.
    """

    def __init__(self, graph: InternalGraph, args: tuple = (), kwargs: dict[str, Any] | None = None):
        self.id = -1
        self.top_graph = graph
        self.args, self.kwargs = args, kwargs or {}
        self.outputs: list[Any] = []
        self.writes: tuple[int, ...] = ()
        self.shares = False
        self.places: tuple[int, ...] | None = None
        self.n_results = 1
        self.loc: Any = None
        self.path = ""

    @property
    def inputs(self) -> list[Any]:
        """The Nodes that it reads, in order: those among the arguments, and those that blocks of its own read."""
        return self.operands

    @property
    def operands(self) -> list[Any]:
        """The Nodes among the arguments, in order."""
        found: list[Any] = []
        for value in (*self.args, *self.kwargs.values()):
            if isinstance(value, Node):
                found.append(value)
            elif type(value) not in _LEAVES:  # every pass asks every step: few arguments are containers
                found += [leaf for leaf in leaves(value) if isinstance(leaf, Node)]
        return found

    @property
    def const_val(self) -> list[tuple[int, Any]]:
        """(place among all leaves of the arguments, constant)."""
        return [(k, leaf) for k, leaf in enumerate(leaves((self.args, self.kwargs))) if not isinstance(leaf, Node)]

    @property
    def written(self) -> list[Any]:
        """The Nodes that the call changes in place."""
        if not self.writes:
            return []
        inputs = self.inputs
        return [inputs[k] for k in self.writes]

    @property
    def blocks(self) -> tuple[InternalGraph, ...]:
        """The graphs that this step alone holds: the sides of an `if`, the condition and body of a `while`."""
        return ()

    @property
    def graphs(self) -> tuple[InternalGraph, ...]:
        """The graphs that it runs: its own, or that of the Layer it calls."""
        return self.blocks

    def replace_inputs(self, change: dict[Node, Node]) -> None:
        """Read other Nodes: of each key of `change` its value."""
        replaced = lambda leaf: change.get(leaf, leaf) if isinstance(leaf, Node) else leaf  # noqa: E731
        self.args, self.kwargs = map_tree(replaced, self.args), map_tree(replaced, self.kwargs)

    def copied(self, graph: InternalGraph, node_of: Callable[[Node], Any]) -> Any:
        """The same step in another `graph`, on the Nodes that `node_of` gives for its own; without outputs."""
        made = twin(self)
        changed = lambda leaf: node_of(leaf) if isinstance(leaf, Node) else leaf  # noqa: E731
        made.top_graph, made.outputs, made.id = graph, [], -1
        made.args, made.kwargs = map_tree(changed, self.args), map_tree(changed, self.kwargs)
        return made

    def run(self, values: dict[Any, Any]) -> None:
        """Compute the values of the outputs from those of the inputs."""
        args = tuple([values[x] if isinstance(x, Node) else x if type(x) in _LEAVES else filled(x, values) for x in self.args])
        result = self.call(args, filled(self.kwargs, values) if self.kwargs else {})
        if result is None and self.writes:  # `x[0] = 1` gives nothing: its output is x from then on
            result = values[self.written[0]]
        self.store(values, result)

    def store(self, values: dict[Any, Any], result: Any) -> None:
        """Keep the parts of `result` as the values of the outputs. ValueError: not as many as were traced."""
        if self.places is None:
            values[self.outputs[0]] = result
            return
        found = list(leaves(result))
        if len(found) != self.n_results:
            raise ValueError(f"{self!r} gave {self.n_results} results when it was traced, and {len(found)} now")
        for node, place in zip(self.outputs, self.places):
            values[node] = found[place]

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """What this Expr computes of Python values, the arguments `args` and `kwargs`.

        NotImplementedError: an Input, which computes nothing.
        """
        raise NotImplementedError

    def layer(self) -> Any:
        """The Layer that this step gives. TypeError: it gives none."""
        raise TypeError(f"{self!r} gives no Layer")

    def __repr__(self) -> str:
        from .printing import expr_text

        return expr_text(self, "")

    def __format__(self, spec: str) -> str:
        from .printing import expr_text

        return expr_text(self, spec)


def filled(tree: Any, values: dict[Any, Any]) -> Any:
    """The same containers with values in the place of Nodes."""
    return map_tree(lambda leaf: values[leaf] if isinstance(leaf, Node) else leaf, tree)


class Input(Expr):
    """An input of the graph; the first is the Layer itself. `form`: the parameter it came in by, for messages."""

    def layer(self) -> Any:
        return self.top_graph.module


class GetAttr(Expr):
    """A parameter, buffer or sublayer of a Layer, by its dotted name. graph: where it stands; owner: the Node of the Layer."""

    def __init__(self, graph: InternalGraph, owner: Node, name: str):
        super().__init__(graph, (owner,))
        self.name = name

    def layer(self) -> Any:
        return self.call((self.args[0].owner,), {})

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        found = args[0]
        for part in self.name.split("."):
            found = part_of(found, part)
        return found


def part_of(layer: Any, name: str) -> Any:
    """The parameter, buffer or sublayer of this name."""
    for table in (layer._sub_layers, layer._parameters, layer._buffers):
        if name in table:
            return table[name]
    raise AttributeError(f"{type(layer).__name__} has no parameter, buffer or sublayer {name!r}")


class Constant(Expr):
    """A tensor from outside the model, `value`. graph: where it stands."""

    def __init__(self, graph: InternalGraph, value: Any):
        super().__init__(graph)
        self.value = value

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        return self.value
