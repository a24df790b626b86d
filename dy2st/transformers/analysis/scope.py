"""Which names a function binds itself, and which of them its inner functions use.

    def f(x):                 params x; bound x, y, g; captured y
        y = x
        def g(): return y
"""

import gast

from dy2st.annotations import DEFERRED

from ..base import Visitor, children, walk

# A generator expression handed straight to one of these is used up at once; elsewhere it may outlive the statement.
CONSUMERS = {"sum", "any", "all", "list", "tuple", "set", "frozenset", "dict", "sorted", "max", "min", "join"}


class Scope:
    """The names of one function (or lambda, class body, lazy generator expression)."""

    def __init__(self, node):
        self.node = node
        self.params: list[str] = []
        self.bound: dict[str, None] = {}       # in order of first appearance
        self.loads: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.children: list[Scope] = []
        self.is_class = isinstance(node, gast.ClassDef)

    @property
    def locals(self) -> set[str]:
        return set(self.bound) - self.globals - self.nonlocals

    def free(self) -> set[str]:
        """Names that this scope uses and an outer one (or the module) holds."""
        used = self.loads | self.nonlocals | set(self.bound)
        hidden = set() if self.is_class else self.locals
        for child in self.children:
            used |= child.free()
        return used - hidden - self.globals

    def captured(self) -> set[str]:
        """Own names that inner functions use: they live in cells."""
        used: set[str] = set()
        for child in self.children:
            used |= child.free()
        return used & self.locals


def scope_of(function) -> Scope:
    scope = Scope(function)
    for name in parameter_names(function.args):
        scope.params.append(name)
        scope.bound[name] = None
    body = function.body if isinstance(function.body, list) else [function.body]
    _Collector(scope).visit_all(body)
    return scope


def parameters(args: gast.arguments) -> list[gast.Name]:
    names = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [name for name in names if name is not None]


def parameter_names(args: gast.arguments) -> list[str]:
    return [name.id for name in parameters(args)]


def defaults_of(args: gast.arguments):
    return [default for default in (*args.defaults, *args.kw_defaults) if default is not None]


def annotations_of(function) -> list:
    """The hints of a function that it keeps."""
    hints = [parameter.annotation for parameter in parameters(function.args)]
    return [hint for hint in (*hints, function.returns) if hint is not None]


def evaluated_at_definition(function) -> list:
    """What Python evaluates where a function is defined; from Python 3.14 on, annotations are evaluated when they are read."""
    hints = [] if DEFERRED else annotations_of(function)
    return [*function.decorator_list, *defaults_of(function.args), *hints]


def deferred_annotations(function) -> "Scope":
    """The names that the annotations of a function read whenever somebody asks for them, as an inner function does."""
    scope = Scope(function)
    if DEFERRED:
        _Collector(scope).visit_all(annotations_of(function))
    return scope


def is_consumed_at_once(call: gast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, gast.Attribute) else getattr(call.func, "id", None)
    return name in CONSUMERS and len(call.args) == 1 and isinstance(call.args[0], gast.GeneratorExp)


def target_names(target) -> set[str]:
    return {node.id for node in walk(target) if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}


class _Collector(Visitor):
    def __init__(self, scope, hidden=frozenset()):
        self.scope, self.hidden = scope, hidden

    def bind(self, name):
        self.scope.bound.setdefault(name)

    def visit_Name(self, node):
        if node.id in self.hidden:
            return
        if type(node.ctx) is gast.Load:
            self.scope.loads.add(node.id)
        else:
            self.bind(node.id)

    def visit_Straight(self, node):
        for read in node.reads:
            self.visit_Name(read)
        self.visit_Name(node.target)

    def visit_NamedExpr(self, node):
        self.bind(node.target.id)
        self.visit(node.value)

    def visit_Global(self, node):
        self.scope.globals.update(node.names)

    def visit_Nonlocal(self, node):
        self.scope.nonlocals.update(node.names)

    def visit_alias(self, node):
        self.bind(node.asname or node.name.split(".")[0])

    def visit_MatchAs(self, node):
        if node.name:
            self.bind(node.name)
        if node.pattern:
            self.visit(node.pattern)

    def visit_MatchStar(self, node):
        if node.name:
            self.bind(node.name)

    def visit_MatchMapping(self, node):
        if node.rest:
            self.bind(node.rest)
        self.visit_all(children(node))

    def visit_Lambda(self, node):
        self.visit_all(defaults_of(node.args))
        self.add_child(scope_of(node))

    def visit_FunctionDef(self, node):
        self.bind(node.name)
        self.visit_all(evaluated_at_definition(node))
        child = scope_of(node)
        for parameter in node.type_params:
            child.bound.setdefault(parameter.name if isinstance(parameter.name, str) else parameter.name.id)
        self.add_child(child)
        self.add_child(deferred_annotations(node))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.bind(node.name)
        self.visit_all([*node.decorator_list, *node.bases, *node.keywords])
        child = Scope(node)
        _Collector(child).visit_all(node.body)
        self.add_child(child)

    def add_child(self, child):
        self.scope.children.append(child)

    def visit_Call(self, node):
        self.visit(node.func)
        if is_consumed_at_once(node):
            self.visit_comprehension_scope(node.args[0], self)
        else:
            self.visit_all(node.args)
        self.visit_all(node.keywords)

    def visit_GeneratorExp(self, node):
        lazy = Scope(node)
        self.visit_comprehension_scope(node, _Collector(lazy))
        bound_here = lazy.bound
        lazy.bound = {}
        for name in bound_here:      # a walrus binds in the function around
            self.bind(name)
            lazy.loads.add(name)
        self.add_child(lazy)

    def visit_ListComp(self, node):
        self.visit_comprehension_scope(node, self)

    visit_SetComp = visit_DictComp = visit_ListComp

    def visit_comprehension_scope(self, node, collector):
        """The first iterable belongs to the scope around; targets hide names from the rest."""
        self.visit(node.generators[0].iter)
        hidden = collector.hidden | self.hidden
        for generator in node.generators:
            hidden = hidden | target_names(generator.target)
        inner = _Collector(collector.scope, hidden)
        for position, generator in enumerate(node.generators):
            inner.visit(generator.target)
            if position:
                inner.visit(generator.iter)
            inner.visit_all(generator.ifs)
        parts = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
        inner.visit_all(parts)
