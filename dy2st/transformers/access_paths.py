"""The attribute chains that a function reads from outside: guards watch them.

    cfg = self.cfg
    return x * cfg.alpha + K      ->      ("self", "local_param", ("cfg", "alpha")), ("K", "global", ())

`globals()["K"]` loads K. What else is done with `globals()` may load any global: ("", "globals", ()).
"""

from __future__ import annotations

import gast

from .analysis.scope import Scope

Path = tuple[str, str, tuple[str, ...]]
ALL_GLOBALS: Path = ("", "globals", ())


def access_paths(scope: Scope, nodes, free_variables) -> tuple[Path, ...]:
    """The chains `root.a.b` that a function and its inner functions, of these nodes, load, in order of appearance."""
    reader = _Reader(scope, nodes, set(free_variables))
    return tuple(reader.paths())


class _Reader:
    def __init__(self, scope, nodes, free_variables):
        self.free_variables = free_variables
        self.params, self.locals = set(scope.params), scope.locals
        self.inner_params: set[str] = set()
        self.stores: dict[str, list] = {}        # what is assigned to each name; None where it is no `name = value`
        self.loads: list = []                    # the longest chains
        self.by_text: dict[int, str | None] = {}  # the global that a call of `globals()` is for; None: any
        self.read(nodes)

    def read(self, nodes):
        plain, inner = set(), set()
        for node in nodes:
            kind = type(node)
            if kind is gast.Assign and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name):
                plain.add(id(node.targets[0]))
                self.stores.setdefault(node.targets[0].id, []).append(node.value)
            elif kind is gast.Name or kind is gast.Attribute:
                context = type(node.ctx)
                if context is gast.Load and id(node) not in inner:
                    self.loads.append(node)
                elif kind is gast.Name and context is gast.Param:
                    self.inner_params.add(node.id)
                elif kind is gast.Name and context is not gast.Load and id(node) not in plain:
                    self.stores.setdefault(node.id, []).append(None)
                if kind is gast.Attribute:
                    inner.add(id(node.value))
            elif kind is gast.Call or kind is gast.Subscript or kind is gast.Compare:
                self.read_globals(node)
        self.inner_params -= self.params

    def read_globals(self, node):
        """Note `globals()["K"]`, `globals().get("K")`, `"K" in globals()`; or `globals()`, which may be a part of one of them."""
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            table, name = node, None
        elif isinstance(node, gast.Call):
            table = node.func.value if isinstance(node.func, gast.Attribute) and node.func.attr == "get" else None
            name = node.args[0] if node.args else None
        elif isinstance(node, gast.Subscript):
            table, name = node.value, node.slice
        else:
            table, name = node.comparators[0], node.left
        if isinstance(table, gast.Call) and isinstance(table.func, gast.Name) and table.func.id == "globals":
            text = name.value if isinstance(name, gast.Constant) and isinstance(name.value, str) else None
            self.by_text[id(table)] = self.by_text.get(id(table)) or text

    def paths(self):
        paths: dict[Path, None] = {}
        for name in self.by_text.values():
            paths.setdefault(ALL_GLOBALS if name is None else (name, "global", ()))
        for node in self.loads:
            path = self.path(node, frozenset())
            if path is not None:
                paths.setdefault(path)
        return paths

    def path(self, node, seen) -> Path | None:
        """The chain from its root, through names that stand for a chain."""
        attributes: list[str] = []
        while isinstance(node, gast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or node.id in seen:
            return None
        stores = self.stores.get(node.id, [])
        if not stores:
            return self.root(node.id, tuple(attributes))
        if len(stores) == 1 and isinstance(stores[0], (gast.Name, gast.Attribute)):
            base = self.path(stores[0], seen | {node.id})
            return base and (base[0], base[1], (*base[2], *attributes))
        return None

    def root(self, name, attributes) -> Path | None:
        if name in self.params:
            return name, "local_param", attributes
        if name in self.locals or name in self.inner_params:
            return None
        return name, "closure" if name in self.free_variables else "global", attributes
