"""Control flow that tensors decide: Exprs that hold graphs of their own, which read the Nodes around them.

They run through the same converters as rewritten code: at once on values, and as control flow of the Program while one is being
recorded.

    %7: y = if(truth_out, )                 args: the condition; blocks: both sides, whose results are the outputs
    %9: h, i = while(x, 0, )                args: what is carried in; blocks: the condition and the body, whose inputs are it
    raise(ValueError, "no", )
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..runtime.convert.iteration.loops import convert_while_loop
from ..runtime.convert.operations.ifelse import convert_ifelse, convert_raise
from ..runtime.engine.exceptions import exception_class
from ..runtime.tensors.call_hook import restart_staged
from .expr import Expr, filled
from .node import Node
from .tree import map_tree

if TYPE_CHECKING:
    from .graph import InternalGraph


class Control(Expr):
    """A step with `blocks`. What they read of the graphs around them counts among its inputs."""

    word = ""  # how it prints
    labels: tuple[str, ...] = ()  # what its blocks are called

    def __init__(self, graph: InternalGraph, args: tuple, blocks: tuple[InternalGraph, ...] = ()):
        super().__init__(graph, args)
        self._blocks = blocks

    @property
    def blocks(self) -> tuple[InternalGraph, ...]:
        return self._blocks

    @blocks.setter
    def blocks(self, blocks: tuple[InternalGraph, ...]) -> None:
        self._blocks = blocks

    @property
    def inputs(self) -> list[Any]:
        """The Nodes among the arguments, then those that its blocks read of the graphs around it, each once."""
        found = self.operands
        return found + [node for node in dict.fromkeys(self.captured()) if node not in found]

    def captured(self) -> Iterator[Node]:
        """The Nodes of the graphs around it that its blocks read."""
        for block in self.blocks:
            for node in (*(node for expr in block.body for node in expr.inputs), *block.outputs):
                if node.top_graph is not block:
                    yield node

    @property
    def written(self) -> list[Any]:
        outside = set(self.inputs)
        return [node for block in self.blocks for expr in block.body for node in expr.written if node in outside]

    def check(self, error: Callable[[str], Exception]) -> None:
        """Raise `error(message)` where the blocks don't fit what goes in and comes out."""
        loops = isinstance(self, While)
        if len(self.blocks) != 2:
            raise error(f"{self.word} has {len(self.blocks)} blocks, not 2")
        first, second = self.blocks
        for block, count in ((first, 1 if loops else len(self.outputs)), (second, len(self.outputs))):
            ends = bool(block.body) and isinstance(block.body[-1], Raise)
            if not isinstance(block.results, list) or not ends and len(block.results) != count:
                raise error(f"a block of {self.word} doesn't yield {count} values")
            if len(block.inputs) != (len(self.args) if loops else 0):
                raise error(f"a block of {self.word} takes {len(block.inputs)} values")
        if len(self.args) != (len(self.outputs) if loops else 1):
            raise error(f"{self.word} takes {len(self.args)} values")

    def store(self, values: dict[Any, Any], result: Any) -> None:
        values.update(zip(self.outputs, result))

    def replace_inputs(self, change: dict[Node, Node]) -> None:
        super().replace_inputs(change)
        for block in self.blocks:
            for expr in block.body:
                expr.replace_inputs(change)
            block.results = map_tree(lambda leaf: change.get(leaf, leaf) if isinstance(leaf, Node) else leaf, block.results)

    def copied(self, graph: InternalGraph, node_of: Callable[[Node], Any]) -> Any:
        """The same step in another graph; without outputs and blocks."""
        made = super().copied(graph, node_of)
        made.blocks = ()
        return made


def run_block(block: InternalGraph, values: dict[Any, Any]) -> tuple:
    """What a block yields, where the values that it reads are known."""
    block.run_body(values)
    return tuple([values[leaf] if isinstance(leaf, Node) else leaf for leaf in block.results])


class If(Control):
    """Both sides of an `if`; the results of the one that runs are the outputs.

    graph: where it stands. args: the condition. blocks: the graphs of the two sides.
    """

    word, labels = "if", ("then", "else")

    def run(self, values: dict[Any, Any]) -> None:
        restart_staged()
        condition = self.args[0]
        then, other = self.blocks
        given = convert_ifelse(
            values[condition] if isinstance(condition, Node) else condition,
            lambda: run_block(then, values),
            lambda: run_block(other, values),
        )
        self.store(values, given)


class While(Control):
    """The condition and the body of a loop; what it carries comes in as arguments and goes out as outputs.

    graph: where it stands. args: what it carries at first. blocks: the graphs of condition and body.
    """

    word, labels = "while", ("cond", "body")

    def run(self, values: dict[Any, Any]) -> None:
        restart_staged()
        test, body = self.blocks

        def condition(*carried: Any) -> Any:
            values.update(zip(test.inputs, carried))
            return run_block(test, values)[0]

        def turn(*carried: Any) -> Any:
            values.update(zip(body.inputs, carried))
            given = run_block(body, values)
            return given[0] if len(given) == 1 else given

        start = [values[leaf] if isinstance(leaf, Node) else leaf for leaf in self.args]
        result = convert_while_loop(condition, turn, start, mark=self, names=tuple([node.name for node in self.outputs]))
        self.store(values, (result,) if len(start) == 1 else result)


CONTROL: dict[str, type[Control]] = {"if": If, "while": While}


class Raise(Expr):
    """The end of a path in an exception. `exception`: the name of its class and of its bases, up to one of Python's own.

    graph: where it stands. args: those of the exception.
    """

    def __init__(self, graph: InternalGraph, exception: tuple[str, ...], args: tuple = ()):
        super().__init__(graph, args)
        self.exception = exception
        self.cls: type[BaseException] | None = None
        self.places, self.n_results = (), 0

    def run(self, values: dict[Any, Any]) -> None:
        convert_raise((self.cls or exception_class(self.exception))(*filled(self.args, values)))


def always_needed(expr: Expr) -> bool:
    """Whether a step does more than give values: it, or a step of its blocks, may raise."""
    return isinstance(expr, Raise) or any(always_needed(inner) for block in expr.blocks for inner in block.body)


def all_blocks(graph: InternalGraph) -> list[InternalGraph]:
    """A graph and the blocks in it, the outer ones first."""
    found = [graph]
    for one in found:
        found += [block for expr in one.body for block in expr.blocks]
    return found


def is_visible(graph: InternalGraph, node: Node) -> bool:
    """Whether a Node is one of this graph, or of one around it, now."""
    at: Any = graph
    while at is not None and node.top_graph is not at:
        at = at.around
    return at is not None and (node in at.inputs or any(node in expr.outputs for expr in at.body))
