"""FuseConvBn: a batch norm that uses running statistics goes into the convolution before it.

    conv1_out = conv1(x, )                    conv1_out = conv1(x, )       with other weights
    bn1_out = bn1(conv1_out, )          ->
    relu_out = relu(bn1_out, )                relu_out = relu(conv1_out, )

1. Where something else reads the result of the convolution, the norm gets a convolution of its own.
2. Where the convolution is called elsewhere, too, this call gets a copy of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...nn import BatchNorm2D, Layer
from ...nn import functional as F
from ...passes.normalisation import scale_and_shift, shift_behind
from ..calls import CallFunction
from ..graph import InternalGraph
from ..module import TracedModule
from ..surgery import compile_graph, remove
from ..tree import map_tree
from .convolution import Convolution, convolution_of
from .whole import Facts, Uses, all_graphs, drop_unused, is_call_of


class Norm(NamedTuple):
    """What a batch norm does to each channel: scale * x + shift."""

    scale: np.ndarray
    shift: np.ndarray
    data_format: str


def fuse_conv_bn(module: TracedModule) -> None:
    """Fold the norms of all graphs."""
    fused: list[Layer] = []
    uses = Uses(module)
    for graph in all_graphs(module):
        changed = False
        for expr in list(graph.body):
            if not is_call_of(expr, BatchNorm2D, F.batch_norm):
                continue
            facts = Facts(graph)
            norm, conv = norm_of(expr, facts), convolution_of(_input(expr), facts)
            if norm is None or conv is None or conv.data_format != norm.data_format or facts.is_written(expr.outputs[0]):
                continue
            if not isinstance(expr, CallFunction):
                fused.append(expr.args[0].owner)
            _fold(uses, graph, expr, conv, norm, facts)
            changed = True
        if changed:
            compile_graph(graph.outermost)
            graph.number()
    drop_unused(module, fused)


def _input(expr: Any) -> Any:
    return expr.args[0] if isinstance(expr, CallFunction) else expr.args[1]


def norm_of(expr: Any, facts: Facts) -> Norm | None:
    """What a call of a batch norm does, where it uses running statistics that are known."""
    if isinstance(expr, CallFunction):
        named = expr.named_args
        parts = [named[name] for name in ("running_mean", "running_var", "weight", "bias")]
        known = [None if part is None else facts.array(part, trained=True) for part in parts]
        if any((value is None) != (part is None) for value, part in zip(known, parts)):
            return None
        training, use_global, epsilon, layout = (named[n] for n in ("training", "use_global_stats", "epsilon", "data_format"))
    else:
        layer = expr.args[0].owner
        known = [None if t is None else t.numpy() for t in (layer._mean, layer._variance, layer.weight, layer.bias)]
        training, use_global, epsilon, layout = layer.training, layer.use_global_stats, layer.epsilon, layer.data_format
    if known[0] is None or known[1] is None or (training if use_global is None else not use_global):
        return None
    return Norm(*scale_and_shift(known[0], known[1], known[2], known[3], epsilon), layout)


def _fold(uses: Uses, graph: InternalGraph, expr: Any, conv: Convolution, norm: Norm, facts: Facts) -> None:
    if facts.only_user(_input(expr)) is not expr:  # case 1
        old = conv.expr
        conv.expr = old.copied(graph, lambda node: node)
        graph.body.insert(graph.body.index(old) + 1, conv.expr)
        old.outputs[0].copied(conv.expr, graph.names.unique(old.outputs[0].name))
        if not isinstance(old, CallFunction):
            uses.add(old.args[0].owner, 1)
    conv.change(uses, norm.scale.reshape(-1, 1, 1, 1), shift_behind(norm.shift, norm.scale, conv.bias))  # case 2
    replace_everywhere(graph, expr.outputs[0], conv.expr.outputs[0])
    remove(graph, [expr])


def replace_everywhere(graph: InternalGraph, old: Any, new: Any) -> None:
    """Read `new` wherever `old` is read."""
    for expr in graph.body:
        if any(node is old for node in expr.inputs):
            expr.replace_inputs({old: new})
    graph.results = map_tree(lambda leaf: new if leaf is old else leaf, graph.results)
