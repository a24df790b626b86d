"""What queries give: Exprs or Nodes to iterate over, again and again, with the graph as it is then."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from .calls import CallFunction, CallMethod
from .expr import Expr
from .functions import is_public
from .node import ModuleNode, Node

T = TypeVar("T", Expr, Node)
S = TypeVar("S", bound="BaseFilter")


class BaseFilter(Generic[T]):
    """A query that is asked anew by each iteration: `source()` gives the items."""

    def __init__(self, source: Callable[[], Iterable[T]]):
        self._source: Callable[[], Iterable[T]] = source

    def __iter__(self) -> Iterator[T]:
        return iter(self._source())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _where(self: S, keep: Callable[[Any], bool]) -> S:
        return type(self)(lambda: (item for item in self if keep(item)))

    def as_list(self) -> list[T]:
        """All of them, as a list."""
        return list(self._source())

    def as_dict(self) -> dict[int, T]:
        """A dict from id to item."""
        return {item.id: item for item in self}

    def as_unique(self) -> T:
        """The only one; ValueError where there are none or several."""
        found = self.as_list()
        if len(found) != 1:
            raise ValueError(f"as_unique: there are {len(found)} of them, not one")
        return found[0]

    def as_count(self) -> int:
        """How many there are."""
        return len(self)

    def _by_ids(self: S, ids: int | Iterable[int]) -> S:
        wanted = [ids] if isinstance(ids, int) else list(ids)

        def find() -> Iterator[Any]:
            known = self.as_dict()
            return (known[i] for i in wanted if i in known)

        return type(self)(find)


class ExprFilter(BaseFilter[Expr]):
    """Exprs in the order in which they run. As `BaseFilter`: source, and how they are asked for."""

    def call_function(self, func: Callable) -> ExprFilter:
        """The calls of the function `func`, and, in a graph of operators, the operator of its name."""
        operator = getattr(func, "__name__", None) if is_public(func) else getattr(func, "name", None)
        return self._where(lambda e: isinstance(e, CallFunction) and (e.func is func or e.operator == operator is not None))

    def call_method(self, method: str) -> ExprFilter:
        """The calls of methods of the name `method`."""
        return self._where(lambda expr: isinstance(expr, CallMethod) and expr.method == method)

    def kind(self, kind: type[Expr]) -> ExprFilter:
        """The Exprs of the class `kind`: `If`, `While`, `Constant` ..."""
        return self._where(lambda expr: isinstance(expr, kind))

    def expr_id(self, ids: int | Iterable[int]) -> ExprFilter:
        """The Exprs with these ids, in the order of the ids."""
        return self._by_ids(ids)


class NodeFilter(BaseFilter[Node]):
    """Nodes by rising id. As `BaseFilter`: source, and how they are asked for."""

    def node_id(self, ids: int | Iterable[int]) -> NodeFilter:
        """The Nodes with these ids, in the order of the ids."""
        return self._by_ids(ids)

    def type(self, owner: type) -> NodeFilter:
        """The Nodes of Layers of the class `owner`."""
        return self._where(lambda node: isinstance(node, ModuleNode) and isinstance(node.owner, owner))

    def name(self, pattern: str, ignorecase: bool = True) -> NodeFilter:
        """The Nodes whose `<graph name>_<name>` fits a `pattern` with `*` and `?`, whatever the case where `ignorecase`."""
        fits = re.compile(fnmatch.translate(pattern), re.IGNORECASE if ignorecase else 0).match
        return self._where(lambda node: fits(f"{node.top_graph.name}_{node.name}") is not None)
