"""A generator becomes a function that hands each item to its consumer, which says whether it wants no more.

    def count(n):                    def count(n, *, consume_0):
        for i in range(n):     ->        for i in range(n):
            yield i                          if consume_0(i):
                                                 return

`yield from xs` is a loop that hands on each item. What the consumer does with an item thus happens where the `yield` stands,
and leaving the consumer's loop leaves the generator, through its `finally` blocks.
"""

import gast

from dy2st.errors import ConversionError

from . import builders as build
from .base import blocks, locate, own_nodes

YIELDS = (gast.Yield, gast.YieldFrom)


def push_items(function, naming, filename):
    """Rewrites a generator function in place; the name of the new parameter."""
    lowering = _Lowering(function.name, naming, filename)
    function.body = lowering.block(function.body)
    left = next((node for node in own_nodes(function) if isinstance(node, YIELDS)), None)
    if left is not None:
        lowering.refuse(left, "a 'yield' inside an expression; give it a statement of its own, 'yield x' or 'y = yield x'")
    function.args.kwonlyargs.append(gast.Name(lowering.consume, gast.Param(), None, None))
    function.args.kw_defaults.append(None)
    function.is_generator = False
    return lowering.consume


class _Lowering:
    def __init__(self, name, naming, filename):
        self.name, self.naming, self.filename = name, naming, filename
        self.consume = naming.fresh("consume")

    def block(self, statements):
        result = []
        for node in statements:
            for inner in blocks(node):
                inner[:] = self.block(inner)
            result.extend(locate(new, node) for new in self.statement(node))
        return result

    def statement(self, node):
        value = getattr(node, "value", None)
        if not isinstance(node, (gast.Expr, gast.Assign)) or not isinstance(value, YIELDS):
            return [node]
        if isinstance(value, gast.Yield):
            handed = [self.hand(value.value or build.constant(None))]
        else:
            item = self.naming.fresh("item")
            handed = [gast.For(build.store(item), value.value, [locate(self.hand(build.load(item)), node)], [], None)]
        if isinstance(node, gast.Expr):
            return handed
        node.value = locate(build.constant(None), value)      # only send() gives it another value
        return [*handed, node]

    def hand(self, item):
        consume = build.load(self.consume)
        consume.is_generated = True
        return build.branch(build.call(consume, item), [gast.Return(None)])

    def refuse(self, node, what):
        raise ConversionError(f"the generator '{self.name}' can't be converted: {what}", self.filename, node.lineno)


def yields(statements) -> bool:
    """Whether there is a `yield` in a block, outside of the functions that it defines."""
    function = gast.Lambda(build.arguments(), statements)
    return any(isinstance(node, YIELDS) for node in own_nodes(function))
