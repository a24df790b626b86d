"""The `g` of a lowering to ONNX: nodes, and the graphs in the graph, If and Loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...graphs.lowering.faults import FINE
from ...graphs.lowering.selecting import selected
from ...graphs.lowering.values import Array, GraphType, GraphValue
from ..packages import onnx
from . import protos
from .cheap import is_cheap
from .nodes import Nodes
from .scope import GraphScope

_CODE, _TRUTH = Array("int64", ()), Array("bool", ())


class OnnxWriter(Nodes):
    """Writes a model."""

    def own(self, x: GraphValue, taken: set[str]) -> GraphValue:
        """`x` as an output of the innermost graph: a copy where another graph gives it, or it is an output already."""
        if x.name not in self.scope.given or x.name in taken:
            x = GraphValue(self.node("Identity", x.as_tensor()).name, x.type)
        taken.add(x.name)
        return x

    def branch(self, condition: GraphValue, *arms: Callable[[], Sequence[GraphValue]]) -> list[GraphValue]:
        """As that of Primitives: an If, or both arms where they take less."""
        if condition.item is not None:
            return [*arms[0 if condition.item else 1]()]
        scopes, given = [], []
        for arm in arms:
            with self.inner(GraphScope()) as scope:
                given.append([*arm()])
            scopes.append(scope)
        if all(map(is_cheap, scopes, given)):
            for scope in scopes:
                self.scope.take(scope)
            return [selected(self, condition, *pair) for pair in zip(*given)]
        checked, only_may_fail = any(scope.codes for scope in scopes), any(scope.kept for scope in scopes)
        graphs = []
        for name, scope, values in zip(("then", "else"), scopes, given):
            with self.inner(scope):
                taken: set[str] = set()
                values += [self.fault()] if checked else [self.const(False)] if only_may_fail else []
                values[:] = [self.own(x, taken) for x in values]
                graphs.append(scope.graph(name, [], [(x.name, x.type) for x in values]))
        types = [protos.merged([x.type for x in pair]) for pair in zip(*given)]
        found = self._region("If", [condition], types, then_branch=graphs[0], else_branch=graphs[1])
        self.scope.kept.update(x.name for x in found[-1:] if only_may_fail)
        self.scope.codes += [found.pop()] if checked else []
        return found[:-1] if only_may_fail and not checked else found

    def loop(
        self,
        trips: GraphValue | None,
        condition: GraphValue | None,
        carried: Sequence[GraphValue],
        types: Sequence[GraphType],
        turn: Callable[..., tuple[GraphValue, Sequence[GraphValue], Sequence[GraphValue]]],
        count: int | None = None,
    ) -> list[GraphValue]:
        """As that of Primitives: a Loop."""
        begins = None if condition is None else self.goes_on(condition)
        with self.inner(GraphScope(is_turn=True)) as scope:
            number, going = (GraphValue(self.names.fresh(hint), kind) for hint, kind in (("turn", _CODE), ("going", _TRUTH)))
            arguments = [GraphValue(self.names.fresh("carried"), type_) for type_ in types]
            again, values, rows = turn(number, *arguments)
            if scope.kept and not values and not rows:
                rows = [self.const(True)]  # so that there is an output to keep the Loop for
            faults = [self.fault()] if scope.codes else []
            before = [GraphValue(self.names.fresh("fault"), _CODE) for _ in faults]  # FINE: another turn would not have begun
            taken: set[str] = set()
            outputs = [self.own(x, taken) for x in (self.goes_on(again), *values, *faults, *rows)]
            inputs = [(x.name, x.type) for x in (number, going, *arguments, *before)]
            declared = [_TRUTH, *types, *(_CODE for _ in faults), *(x.type for x in rows)]
            graph = scope.graph("body", inputs, [(x.name, type_) for x, type_ in zip(outputs, declared)])
        turns = None if any(around.codes for around in (scope, *self.scopes)) else count
        stacked = [Array(x.dtype, None if x.shape is None else (turns, *x.shape)) for x in rows]
        start = [*carried, *(self.const(FINE) for _ in faults)]
        found = self._region("Loop", [trips, begins, *start], [*types, *(_CODE for _ in faults), *stacked], body=graph)
        self.scope.kept.update(x.name for x in found[:1] if scope.kept)
        self.scope.codes += [found.pop(len(types)) for _ in faults]
        return found

    def _region(
        self, operator: str, inputs: Sequence[GraphValue | None], types: Sequence[GraphType], **graphs: Any
    ) -> list[GraphValue]:
        names = [self.names.fresh(self.label or operator) for _ in types]
        node = onnx().helper.make_node(
            operator, ["" if x is None else x.name for x in inputs], names, self.names.fresh(f"{self.label}/{operator}"),
            doc_string=self.line(), **graphs,
        )  # fmt: skip
        self.scope.add(node, types)
        return [GraphValue(name, type_) for name, type_ in zip(names, types)]
