"""FuseAddMul: additions of constants in a row become one, and so do multiplications.

    mul_out = x.__mul__(2, )
    mul_out_1 = mul_out.__mul__(3, )          ->      mul_out_1 = x.__mul__(6, )
    add_out = mul_out_1.__add__(4, )                  add_out = mul_out_1.__add__(4, )

1. The first of two has no other user.
2. What adds 0 or multiplies by 1 in the end disappears.
"""

from __future__ import annotations

from ..graph import InternalGraph
from ..module import TracedModule
from ..surgery import compile_graph, remove
from .fuse_conv_bn import replace_everywhere
from .scalars import step_of, write_step
from .whole import Facts, all_graphs

_NOTHING = {"add": 0.0, "mul": 1.0}


def fuse_add_mul(module: TracedModule) -> None:
    """Merge the chains of all graphs."""
    for graph in all_graphs(module):
        while _merge_one(graph):
            compile_graph(graph.outermost)


def _merge_one(graph: InternalGraph) -> bool:
    facts = Facts(graph)
    for expr in graph.body:
        second = step_of(expr, facts)
        if second is None:
            continue
        first = step_of(second.data.expr, facts)
        if first is not None and first.kind == second.kind and facts.only_user(second.data) is expr:  # case 1
            value = first.value * second.value if first.kind == "mul" else first.value + second.value
            inner = second.data.expr
            write_step(expr, first.kind, first.data, value)
            remove(graph, [inner])
            return True
        if second.value == _NOTHING[second.kind]:  # case 2
            replace_everywhere(graph, expr.outputs[0], second.data)
            remove(graph, [expr])
            return True
    return False
