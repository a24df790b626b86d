"""BackwardFoldScale: multiplications by constants behind a convolution go into its weights.

    conv_out = conv(x, )                      conv_out = conv(x, )         with weights and bias twice as large
    relu_out = relu(conv_out, )         ->    relu_out = relu(conv_out, )
    mul_out = relu_out.__mul__(2, )

Each tensor is asked by which factor all that read it would like it to be larger: a multiplication by 2 whose result nobody wants
larger asks for 2, what passes factors on (relu, a reshape) asks for what its readers ask for, everything else asks for 1.
1. Where readers differ, the answer is 1: their multiplications stay.
2. relu and max pooling pass on positive factors only.
3. An added constant grows by the factor that the sum is asked for.
4. Both tensors of a sum grow, where both come from convolutions that can; otherwise neither does.
"""

from __future__ import annotations

from typing import Any

from ... import api
from ...nn import functional as F
from ...nn import layers
from ..calls import CallMethod
from ..expr import Expr
from ..graph import InternalGraph
from ..module import TracedModule
from ..node import Node, TensorNode
from ..surgery import compile_graph, remove
from .convolution import convolution_of
from .fuse_conv_bn import replace_everywhere
from .scalars import step_of, write_step
from .whole import Facts, Uses, all_graphs, is_call_of

_LINEAR_METHODS = {"reshape", "transpose", "flatten", "squeeze", "unsqueeze", "__getitem__", "clone", "sum", "mean"}
_LINEAR: tuple[Any, ...] = (
    *(f for module in vars(api).values() for name in _LINEAR_METHODS if (f := getattr(module, "__dict__", {}).get(name))),
    F.avg_pool2d, F.adaptive_avg_pool2d, F.flatten,
    layers.linear.Identity, layers.linear.Flatten, layers.pooling.AvgPool2D, layers.adaptive_pooling.AdaptiveAvgPool2D,
)  # fmt: skip
_POSITIVE: tuple[Any, ...] = (
    F.relu, F.leaky_relu, F.max_pool2d, layers.activation.ReLU, layers.activation.LeakyReLU, layers.pooling.MaxPool2D,
)  # fmt: skip


def backward_fold_scale(module: TracedModule) -> None:
    """Fold the factors of all graphs."""
    uses = Uses(module)
    for graph in all_graphs(module):
        while _fold_one(uses, graph):
            compile_graph(graph.outermost)
        graph.number()


def _fold_one(uses: Uses, graph: InternalGraph) -> bool:
    facts = Facts(graph)
    wishes = _Wishes(facts)
    for expr in graph.body:
        conv = convolution_of(expr.outputs[0], facts) if len(expr.outputs) == 1 else None
        factor = 1.0 if conv is None else wishes.of(expr.outputs[0])
        if conv is not None and factor != 1.0:
            _Growth(uses, facts, wishes).start(conv, factor)
            return True
    return False


class _Wishes:
    """By which factor the readers of a tensor would like it to be larger."""

    def __init__(self, facts: Facts):
        self._facts = facts
        self._known: dict[Node, float] = {}
        for expr in reversed(facts.graph.body):
            for node in expr.outputs:
                self._known[node] = self._asked(node)

    def of(self, node: Node) -> float:
        """1 where they don't agree."""
        return self._known[node]

    def _asked(self, node: Node) -> float:
        facts = self._facts
        if facts.is_output(node) or facts.is_written(node) or not isinstance(node, TensorNode):
            return 1.0
        wishes = {self._of_user(user, node) for user in facts.uses.of(node)}
        return wishes.pop() if len(wishes) == 1 else 1.0  # case 1

    def _of_user(self, user: Expr, node: TensorNode) -> float:
        if len(user.outputs) != 1 or user.inputs.count(node) != 1:
            return 1.0
        later = self._known[user.outputs[0]]
        step = step_of(user, self._facts)
        if step is not None and step.data is node:
            return step.value * later if step.kind == "mul" and step.value else later
        if passes_on(user, node, later):
            return later
        others = [x for x in summands(user) if x is not node]
        return later if others and all(self._can_grow(x, later) for x in others) else 1.0

    def _can_grow(self, node: TensorNode, factor: float) -> bool:
        """Whether a tensor comes from convolutions that can make it larger, and nothing but the sum reads it (case 4)."""
        facts = self._facts
        if facts.is_output(node) or facts.is_written(node) or facts.only_user(node) is None:
            return False
        if convolution_of(node, facts) is not None:
            return True
        sources = sources_of(node, factor, facts)
        return bool(sources) and all(self._can_grow(x, factor) for x in sources)


def passes_on(user: Expr, node: TensorNode, factor: float) -> bool:
    """Whether the result grows by the factor that the tensor grows by."""
    args = user.args[1:] if isinstance(user, CallMethod) and user.calls_layer else user.args
    out = user.outputs[0]
    if not args or args[0] is not node or not isinstance(out, TensorNode) or out.dtype != node.dtype:
        return False
    if isinstance(user, CallMethod) and not user.calls_layer:
        return user.method in _LINEAR_METHODS
    return is_call_of(user, *_LINEAR) or (factor > 0 and is_call_of(user, *_POSITIVE))  # case 2


def summands(expr: Expr) -> tuple[TensorNode, ...]:
    """The two tensors that an Expr adds or subtracts, of one shape and dtype; nothing of another Expr."""
    is_method = isinstance(expr, CallMethod) and not expr.calls_layer and expr.method in ("__add__", "__sub__")
    if not (is_method or is_call_of(expr, api.math.add, api.math.subtract)) or expr.kwargs or len(expr.outputs) != 1:
        return ()
    nodes = (*expr.args, expr.outputs[0])
    if len(nodes) != 3 or not all(isinstance(x, TensorNode) for x in nodes) or nodes[0] is nodes[1]:
        return ()
    return nodes[:2] if len({(tuple(x._shape), str(x.dtype)) for x in nodes}) == 1 else ()


def sources_of(node: TensorNode, factor: float, facts: Facts) -> tuple[TensorNode, ...]:
    """The tensors that have to grow by a factor for this one to do so; none where it can't."""
    expr = node.expr
    step = step_of(expr, facts)
    if step is not None:
        return (step.data,)
    tensors = [x for x in expr.inputs if isinstance(x, TensorNode)]
    if tensors and passes_on(expr, tensors[0], factor):
        return (tensors[0],)
    return summands(expr)


class _Growth:
    """A convolution takes a factor, and what reads its result follows; so do the convolutions that are added to it."""

    def __init__(self, uses: Uses, facts: Facts, wishes: _Wishes):
        self._uses, self._facts, self._wishes = uses, facts, wishes
        self._grown: set[Node] = set()

    def start(self, conv: Any, factor: float) -> None:
        """Let this convolution take the factor."""
        conv.change(self._uses, factor, None if conv.bias is None else conv.bias * factor)
        self._follow(conv.expr.outputs[0])

    def _follow(self, start: Node) -> None:
        """The readers of a tensor that has become larger."""
        graph: InternalGraph = start.top_graph
        pending = [start]
        while pending:
            node = pending.pop()
            self._grown.add(node)
            for user in self._facts.uses.of(node):
                step, out = step_of(user, self._facts), user.outputs[0]
                if self._wishes.of(out) != 1.0:
                    for other in summands(user):
                        self._raise(other, self._wishes.of(out))
                    pending.append(out)
                if step is not None and step.kind == "mul":
                    replace_everywhere(graph, out, step.data)
                    remove(graph, [user])
                elif step is not None:  # case 3
                    write_step(user, "add", step.data, step.value * self._wishes.of(out))

    def _raise(self, node: TensorNode, factor: float) -> None:
        """Let what a tensor comes from make it larger (case 4)."""
        if node in self._grown:
            return
        self._grown.add(node)
        conv = convolution_of(node, self._facts)
        if conv is not None:
            conv.change(self._uses, factor, None if conv.bias is None else conv.bias * factor)
            return
        step = step_of(node.expr, self._facts)
        for source in sources_of(node, factor, self._facts):
            self._raise(source, factor)
        if step is not None and step.kind == "add":
            write_step(node.expr, "add", step.data, step.value * factor)
