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

from . import templates as t
from .base import TRIES, blocks, locate, own_nodes

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
            self.check(node)
            for inner in blocks(node):
                inner[:] = self.block(inner)
            result.extend(locate(new, node) for new in self.statement(node))
        return result

    def statement(self, node):
        value = getattr(node, "value", None)
        if not isinstance(node, (gast.Expr, gast.Assign)) or not isinstance(value, YIELDS):
            return [node]
        if isinstance(value, gast.Yield):
            handed = [self.hand(value.value or t.constant(None))]
        elif isinstance(node, gast.Expr):
            item = self.naming.fresh("item")
            handed = [gast.For(t.store(item), value.value, [locate(self.hand(t.load(item)), node)], [], None)]
        else:
            self.refuse(node, "the result of 'yield from'; call the generator in a loop of its own")
        if isinstance(node, gast.Expr):
            return handed
        node.value = locate(t.constant(None), value)      # only send() gives it another value
        return [*handed, node]

    def hand(self, item):
        consume = t.load(self.consume)
        consume.is_generated = True
        return t.branch(t.call(consume, item), [gast.Return(None)])

    def check(self, node):
        """An exception of the consumer's must not be caught, nor a jump made, by what stands around the `yield`."""
        if isinstance(node, TRIES) and node.handlers and _yields(node.body):
            self.refuse(node, "a 'yield' inside 'try' with 'except', which would see the exceptions of the loop "
                        "that consumes it; append to a list and return that, or write a context manager as a class with "
                        "__enter__ and __exit__")
        if isinstance(node, TRIES) and _yields(node.finalbody):
            self.refuse(node, "a 'yield' inside 'finally'; append to a list and return that")

    def refuse(self, node, what):
        raise ConversionError(f"the generator '{self.name}' can't be converted: {what}", self.filename, node.lineno)


def _yields(statements) -> bool:
    function = gast.Lambda(t.arguments(), statements)
    return any(isinstance(node, YIELDS) for node in own_nodes(function))
