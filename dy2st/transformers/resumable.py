"""A generator that is left and asked again becomes a function that goes on where it was left.

    def count(n):                   def count(n, *, generator_0):
        for i in range(n):              i = items_0 = None
            yield i                     def resume_0(at_0):
        log("end")           ->             nonlocal i, items_0
                                            if at_0 == 0:
                                                items_0 = _jst.items_of(range(n))
                                            while items_0.has_item():      (begun in the middle where at_0 > 0)
                                                if at_0 == 0:
                                                    i = items_0.item()
                                                    items_0 = items_0.rest()
                                                    generator_0.hand(1, i)
                                                    return
                                                at_0 = 0
                                                generator_0.receive()
                                            log("end")
                                        return resume_0

The yields are numbered; `at_0` says at which of them it goes on, and is 0 from there on. Until then, what lies before is skipped,
and control flow around it is entered without asking its condition.
"""

import gast

from dy2st.errors import ConversionError

from . import builders as build
from .analysis.plan import unbound_reads
from .analysis.scope import scope_of
from .base import LOOPS, TRIES, blocks, locate, own_nodes
from .generators import YIELDS, GeneratorProtocol, plain_call, yields
from .marks import CAREFUL_UNPACKING, IS_GENERATOR, RESUMED_AT
from .match_ import rewrite_matches
from .naming import Naming


def make_resumable(function: gast.FunctionDef, naming: Naming, filename: str) -> GeneratorProtocol:
    """Rewrites a generator function in place."""
    rewrite_matches(function, naming)
    unbound = {node.id for node in unbound_reads(scope_of(function)).loads.values()}
    names, params = names_to_keep(function), scope_of(function).params
    declared = [node for node in function.body if isinstance(node, (gast.Global, gast.Nonlocal))]
    lowering = _Lowering(function.name, naming, filename)
    body = lowering.block([node for node in function.body if node not in declared])
    left = next((node for node in own_nodes(gast.Lambda(build.arguments(), body)) if isinstance(node, YIELDS)), None)
    if left is not None:
        lowering.refuse(left, "a 'yield' inside an expression; give it a statement of its own, 'yield x' or 'y = yield x'")
    names += lowering.names
    first = [build.assign(name, first_value(name, unbound)) for name in names if name not in params]
    resume = build.function(naming.fresh("resume"), [lowering.at], [*declared, *([gast.Nonlocal(names)] if names else []), *body])
    function.body = [locate(node, function) for node in (*first, resume, gast.Return(build.load(resume.name)))]
    function.args.kwonlyargs.append(gast.Name(lowering.generator, gast.Param(), None, None))
    function.args.kw_defaults.append(None)
    for each in (function, resume):
        IS_GENERATOR.set(each, False)
    return GeneratorProtocol(lowering.generator, is_resumable=True, cleans_up=lowering.cleans_up)


def names_to_keep(function) -> list[str]:
    """The names that the generator binds."""
    scope = scope_of(function)
    stored = {node.id for node in own_nodes(function) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)}
    return [name for name in scope.bound if name in scope.locals and (name in stored or name not in scope.params)]


def first_value(name, unbound):
    """The value of a name before the start: every read of it comes after a store, unless it is among the `unbound`."""
    return build.jst_call("Unbound", build.constant(name)) if name in unbound else build.jst("no_value")


def has_to_be_resumable(function) -> bool:
    """Whether the generator uses the result of a `yield from`, or could catch exceptions of the loop that consumes its items."""
    return any(isinstance(node, TRIES) and (node.finalbody or node.handlers) and yields([*node.handlers, *node.finalbody])
               or isinstance(node, TRIES) and node.handlers and yields(node.body)
               or isinstance(node, gast.Assign) and isinstance(node.value, gast.YieldFrom) for node in own_nodes(function))


class _Lowering:
    def __init__(self, name, naming, filename):
        self.name, self.naming, self.filename = name, naming, filename
        self.generator, self.at = naming.fresh("generator"), naming.fresh("at")
        naming.generated.discard(self.at)      # a handler goes on with the value that the body of its `try` gave it
        self.names: list[str] = []      # of what loops iterate
        self.count = 0      # of the yields so far
        self.cleans_up = False      # whether a `finally` is to run where it is left for good

    def block(self, statements) -> list:
        """The statements, to be entered with `at` 0 or at one of their yields."""
        last = max((i for i, node in enumerate(statements) if yields([node])), default=-1)
        result: list = []
        skipped: list = []      # where it goes on after them
        for position, node in enumerate(statements):
            if yields([node]):
                new = self.suspending(node, skipped, position == last)
                skipped = []
                if position < last and not self.is_yield(node):
                    new = [build.branch(self.compare(gast.LtE, self.count), new)]
            elif position < last:
                skipped.extend(locate(each, node) for each in self.returning(node))
                continue
            else:
                new = self.returning(node)
            result.extend(locate(each, node) for each in new)
        return result

    def at_the_start(self, statements) -> list:
        """Statements that are skipped where it goes on after them."""
        return [locate(build.branch(self.compare(gast.Eq, 0), statements), statements[0])] if statements else []

    def compare(self, operator, number):
        return gast.Compare(build.load(self.at), [operator()], [build.constant(number)])

    def ask(self, name, *args):
        """`generator_0.name(args)`"""
        return plain_call(build.attribute(build.load(self.generator), name), *args)

    # --- what has no yield -------------------------------------------------------------------------------------------------

    def returning(self, node) -> list:
        """A statement without a yield; what it returns is the generator's."""
        if isinstance(node, gast.Return):
            return [*([build.statement(self.ask("finish", node.value))] if node.value else []), gast.Return(None)]
        for inner in blocks(node):
            inner[:] = [locate(new, statement) for statement in inner for new in self.returning(statement)]
        return [node]

    # --- what has one ------------------------------------------------------------------------------------------------------

    def is_yield(self, node) -> bool:
        return isinstance(getattr(node, "value", None), gast.Yield) and isinstance(node, (gast.Expr, gast.Assign))

    def suspending(self, node, before, is_last) -> list:
        """A statement with a yield, after those that stand `before` it."""
        if self.is_yield(node):
            return self.yielded(node, before, is_last)
        if isinstance(getattr(node, "value", None), gast.YieldFrom) and isinstance(node, (gast.Expr, gast.Assign)):
            return self.delegated(node, before)
        if isinstance(node, LOOPS) and yields(node.orelse):
            self.refuse(node, "a 'yield' in the 'else' of a loop; write it after the loop, under a flag of your own")
        if isinstance(node, gast.For):
            return self.for_loop(node, before)
        start = self.at_the_start(before)
        if isinstance(node, gast.While):
            return [*start, self.while_loop(node)]
        if isinstance(node, gast.If):
            return [*start, self.branch(node)]
        if isinstance(node, TRIES):
            return [*start, self.protected(node)]
        if isinstance(node, gast.With):
            return self.managed(node, before)
        return [*before, node]      # an expression: refused afterwards

    def yielded(self, node, before, is_last) -> list:
        """The statements that leave the generator, and those that go on from there."""
        self.count += 1
        value = node.value.value or build.constant(None)
        hand = build.branch(self.compare(gast.Eq, 0), [
            *before, build.statement(self.ask("hand", build.constant(self.count), value)), gast.Return(None)])
        node.value = self.ask("receive")
        resumed = [build.assign(self.at, build.constant(0)), node]
        return [hand, *(resumed if is_last else [build.branch(self.compare(gast.Eq, self.count), resumed)])]

    def delegated(self, node, before) -> list:
        """`y = yield from xs`: a loop that hands on each item, then what the generator returned."""
        item = self.naming.fresh("item")
        self.names.append(item)
        body = locate(build.statement(locate(gast.Yield(build.load(item)), node)), node)
        loop = self.for_loop(locate(gast.For(build.store(item), node.value.value, [body], [], None), node), before)
        if isinstance(node, gast.Expr):
            return loop
        node.value = build.jst_call("returned_by", build.load(self.names[-1]))
        return [*loop, node]

    def branch(self, node):
        """`if c if at_0 == 0 else at_0 <= 2: ...`: the branch that holds the yield at which it goes on."""
        anew, has_yield = self.compare(gast.Eq, 0), yields(node.body)
        node.body = self.block(node.body)
        if has_yield:
            node.test = gast.IfExp(anew, node.test, self.compare(gast.LtE, self.count))
        else:
            node.test = gast.BoolOp(gast.And(), [anew, node.test])
        node.orelse = self.block(node.orelse)
        return node

    def while_loop(self, node: gast.While) -> gast.While:
        RESUMED_AT.set(node, self.at)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def for_loop(self, node: gast.For, before: list) -> list:
        items = self.naming.fresh("items")
        self.names.append(items)
        bind = build.assign(node.target, self.ask_items(items, "item"))
        CAREFUL_UNPACKING.set(bind, True)
        advance = [bind, build.assign(items, self.ask_items(items, "rest"))]
        body = [*(locate(new, node.target) for new in advance), *node.body]
        loop = gast.While(self.ask_items(items, "has_item"), body, node.orelse)
        start = locate(build.assign(items, build.jst_call("items_of", node.iter)), node.iter)
        result = [*self.at_the_start([*before, start]), self.while_loop(locate(loop, node))]
        self.names.append(self.names.pop(self.names.index(items)))      # the last, also after loops in the body
        return result

    def ask_items(self, items, name):
        """`items_0.name()`"""
        return plain_call(build.attribute(build.load(items), name))

    def protected(self, node):
        """A `finally` waits until the generator has really ended; handlers see what is thrown at the yield."""
        for block in (node.orelse, node.finalbody, *(handler.body for handler in node.handlers)):
            if yields(block):
                self.refuse(node, "a 'yield' inside 'except', 'else' or 'finally'; append to a list and return that")
        node.body = self.block(node.body)
        for block in (node.orelse, node.finalbody, *(handler.body for handler in node.handlers)):
            block[:] = [locate(new, statement) for statement in block for new in self.returning(statement)]
        if node.finalbody:
            self.cleans_up = True
            node.finalbody = [locate(build.branch(self.ask("has_ended"), node.finalbody), node.finalbody[0])]
        return node

    def managed(self, node: gast.With, before: list) -> list:
        """`with m() as v: ...`: entered once, and left where the generator leaves it, by the `try` of Python's own reference."""
        manager, has_failed, error = (self.naming.fresh(name) for name in ("manager", "has_failed", "error"))
        self.names += [manager, has_failed]
        (item, *others), body = node.items, node.body
        if others:
            body = [locate(gast.With(others, body, None), node)]
        enter = [build.assign(manager, build.jst_call("keep_entered", item.context_expr)),
                 build.assign(has_failed, build.constant(False))]
        if item.optional_vars:
            body = [locate(build.assign(item.optional_vars, build.attribute(build.load(manager), "value")), node), *body]
        leave = build.attribute(build.load(manager), "leave")
        failing = [build.assign(has_failed, build.constant(True)),
                   build.branch(gast.UnaryOp(gast.Not(), plain_call(leave, build.load(error))), [gast.Raise(None, None)])]
        ending = build.branch(gast.UnaryOp(gast.Not(), build.load(has_failed)),
                              [build.statement(plain_call(leave, build.constant(None)))])
        handler = gast.ExceptHandler(build.load("BaseException"), build.store(error), failing)
        guarded = locate(gast.Try(body, [handler], [], [ending]), node)
        return [*self.at_the_start([*before, *(locate(each, node) for each in enter)]), self.protected(guarded)]

    def refuse(self, node, reason):
        raise ConversionError(f"the generator '{self.name}' can't be converted: {reason}", self.filename, node.lineno)
