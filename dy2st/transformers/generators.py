"""A generator becomes a function that calls its consumer with each item; the consumer says whether to stop.

    def count(n):                    def count(n, *, consume_0):
        for i in range(n):     ->        for i in range(n):
            yield i                          if consume_0(i):
                                                 return

`yield from xs` is a loop that hands on each item. What the consumer does with an item thus happens where the `yield` stands,
and leaving the consumer's loop leaves the generator, through its `finally` blocks.
"""

from dataclasses import dataclass

import gast

from dy2st.errors import ConversionError

from . import builders as build
from .base import blocks, locate, own_nodes
from .marks import IS_GENERATOR, IS_PLAIN_CALL
from .naming import Naming

YIELDS = (gast.Yield, gast.YieldFrom)


@dataclass(frozen=True)
class GeneratorProtocol:
    """How a rewritten generator function is called.

    consumer      its further parameter: a function to call with each item or, of a resumable one, the object that asks for items
    is_resumable  it tells that object where it is left, and returns the function that goes on from there
    cleans_up     a resumable one with a `finally` around a `yield`
    """

    consumer: str
    is_resumable: bool
    cleans_up: bool = False


def push_items(function: gast.FunctionDef, naming: Naming, filename: str) -> GeneratorProtocol:
    """Rewrites a generator function in place."""
    lowering = _Lowering(function.name, naming, filename)
    function.body = lowering.block(function.body)
    left = next((node for node in own_nodes(function) if isinstance(node, YIELDS)), None)
    if left is not None:
        lowering.refuse(left, "a 'yield' inside an expression; give it a statement of its own, 'yield x' or 'y = yield x'")
    function.args.kwonlyargs.append(gast.Name(lowering.consume, gast.Param(), None, None))
    function.args.kw_defaults.append(None)
    IS_GENERATOR.set(function, False)
    return GeneratorProtocol(lowering.consume, is_resumable=False)


def plain_call(function: gast.expr, *args: gast.expr) -> gast.Call:
    """A call that is left as it is."""
    call = build.call(function, *args)
    IS_PLAIN_CALL.set(call, True)
    return call


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
            pushing = [self.push(value.value or build.constant(None))]
        else:
            item = self.naming.fresh("item")
            pushing = [gast.For(build.store(item), value.value, [locate(self.push(build.load(item)), node)], [], None)]
        if isinstance(node, gast.Expr):
            return pushing
        node.value = locate(build.constant(None), value)      # only send() gives it another value
        return [*pushing, node]

    def push(self, item):
        """`if consume_0(item): return`"""
        return build.branch(plain_call(build.load(self.consume), item), [gast.Return(None)])

    def refuse(self, node, reason):
        raise ConversionError(f"the generator '{self.name}' can't be converted: {reason}", self.filename, node.lineno)


def yields(statements) -> bool:
    """Whether there is a `yield` in a block, outside of the functions that it defines."""
    function = gast.Lambda(build.arguments(), statements)
    return any(isinstance(node, YIELDS) for node in own_nodes(function))
