"""Replaces every planned statement of control flow by functions, from the inside out."""

import gast

from .base import blocks
from .for_loops import for_to_functions
from .ifelse import if_to_functions, merge_return
from .loops import while_to_functions
from .marks import PLAN
from .try_ import try_names, try_to_functions
from .with_ import with_to_functions

NAMES = {
    gast.If: ("true_fn", "false_fn"),
    gast.With: ("manager", "with_body"),
    gast.While: ("while_condition", "while_body"),
    gast.For: ("for_iter", "for_condition", "for_body"),
}
EMITTERS = {
    gast.If: if_to_functions,
    gast.While: while_to_functions,
    gast.For: for_to_functions,
    gast.Try: try_to_functions,
    gast.With: with_to_functions,
}


class ControlFlowRewriter:
    """Numbers the generated functions in source order."""

    def __init__(self, naming):
        self.naming = naming

    def block(self, statements):
        result = []
        for node in statements:
            result.extend(self.statement(node))
        return result

    def statement(self, node: gast.stmt) -> list[gast.stmt]:
        if isinstance(node, gast.FunctionDef):
            self.function(node)
            return [node]
        plan = PLAN.of(node)
        names = self.names(node) if plan else ()
        for block in blocks(node):
            block[:] = self.block(block)
        return EMITTERS[type(node)](node, plan, names) if plan else [node]

    def names(self, node):
        return try_names(node, self.naming) if isinstance(node, gast.Try) else self.naming.group(*NAMES[type(node)])

    def function(self, node):
        node.body = merge_return(self.block(node.body), self.naming.generated)
