"""An ONNX graph as plain Python data: what the interpreter walks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ...ir.core import Loc
from ...ir.types import TensorType
from ..node_counts import own_domain
from .needed import graphs_in, is_needed
from .sparse import sparse_of
from .tensors import is_text_type, text_of, type_of, value_of

Opsets = Mapping[str, int]  # domain -> version
Attributes = Mapping[str, Any]  # name -> AttributeProto
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(eq=False)
class Node:
    """One use of an operator. An input or output that isn't there is ''.

    loc: its place in the model, whose nodes are counted from 1. protos: its attributes as AttributeProtos.
    """

    domain: str
    op_type: str
    version: int
    name: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]
    loc: Loc
    protos: Attributes
    body: Graph | None = None  # of a function that the model brings

    def __str__(self) -> str:
        return self.loc.function


@dataclass(eq=False)
class Graph:
    """Nodes in an order in which they can run. inputs: names; constants: arrays and tensors, by name.

    types: of the outputs, where they are tensors and the model says it.
    """

    name: str
    nodes: list[Node]
    inputs: list[str]
    outputs: list[str]
    constants: dict[str, Any] = field(default_factory=dict)
    types: list[TensorType | None] = field(default_factory=list)


def all_nodes(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, and of those in it."""
    for node in graph.nodes:
        yield node
        for inner in (node.body, *node.attributes.values()):
            if isinstance(inner, Graph):
                yield from all_nodes(inner)


class OncePerProto:
    """Calls a function once for each proto, and remembers the result: a function of the model may be called many times."""

    def __init__(self, function: Callable[[Any], Any]):
        self._function = function
        self._known: dict[int, tuple[Any, Any]] = {}  # by identity, with the proto, which has the same one as long as it lives

    def __call__(self, proto: Any) -> Any:
        known = self._known.get(id(proto))
        if known is None:
            known = self._known[id(proto)] = proto, self._function(proto)
        return known[1]


class Reader:
    """Makes Graphs of protos.

    file: the name of the model. functions: those that it brings, by (domain, name, overload). hold: what an initialiser is in a
    Graph. value_of: a TensorProto as an array or a text.
    """

    def __init__(
        self,
        file: str,
        functions: Mapping[tuple[str, str, str], Any],
        hold: Callable[[Any], Any] = value_of,
        value_of: Callable[[Any], Any] = value_of,
    ):
        self._file, self._functions, self._hold, self._value_of = file, functions, hold, value_of
        self._plain = OncePerProto(self._plain_value)
        self._count = 0

    def graph(self, proto: Any, opsets: Opsets, given: Attributes = NOTHING) -> Graph:
        """The Graph of a GraphProto. given: the attributes of the function that it stands in, as protos."""
        constants = {one.name: self._hold(one) for one in proto.initializer}
        for one in proto.sparse_initializer:
            constants[one.values.name] = sparse_of(one, self._hold(one.values), self._value_of)
        nodes = self._nodes(proto, [one.name for one in proto.output], opsets, given)
        inputs = [one.name for one in proto.input if one.name not in constants]
        types = [_tensor_type(one.type) for one in proto.output]
        return Graph(proto.name, nodes, inputs, [one.name for one in proto.output], constants, types)

    def function(self, proto: Any, attributes: Attributes, opsets: Opsets) -> Graph:
        """The Graph of a FunctionProto, called with these attributes; it may be written for other opsets than these."""
        given = {one.name: one for one in proto.attribute_proto} | dict(attributes)
        own = {**opsets, **{own_domain(one.domain): one.version for one in proto.opset_import}}
        return Graph(proto.name, self._nodes(proto, proto.output, own, given), list(proto.input), list(proto.output))

    def _nodes(self, proto: Any, outputs: Iterable[str], opsets: Opsets, given: Attributes) -> list[Node]:
        """The Nodes of a GraphProto or FunctionProto that its outputs depend on."""
        found, protos = [], list(proto.node)
        for one, needed in zip(protos, is_needed(protos, outputs)):
            if needed:
                found.append(self._node(one, opsets, given))
            else:
                self._count += 1 + sum(len(graph.node) for graph in graphs_in(one))
        return found

    def _node(self, proto: Any, opsets: Opsets, given: Attributes) -> Node:
        self._count += 1
        domain, protos = own_domain(proto.domain), _resolved(proto, given)
        attributes = {name: self.value(one, opsets, given) for name, one in protos.items()}
        name = proto.name or next(filter(None, proto.output), "")
        function = self._functions.get((domain, proto.op_type, proto.overload))
        body = None if function is None else self.function(function, protos, {})
        version, inputs, outputs = opsets.get(domain, 1), list(proto.input), list(proto.output)
        loc = Loc(self._file, self._count, f"{proto.op_type} {name}")
        return Node(domain, proto.op_type, version, name, inputs, outputs, attributes, loc, protos, body)

    def value(self, attribute: Any, opsets: Opsets = NOTHING, given: Attributes = NOTHING) -> Any:
        """An attribute as Python has it: numbers, texts, arrays, Graphs, and lists of them. ConversionError: other kinds."""
        if attribute.type == attribute.GRAPH:
            return self.graph(attribute.g, opsets, given)
        return self._plain(attribute)

    def _plain_value(self, attribute: Any) -> Any:
        kind = attribute.AttributeType.Name(attribute.type)
        if kind == "TENSOR":
            return self._value_of(attribute.t)
        if kind == "SPARSE_TENSOR":
            return sparse_of(attribute.sparse_tensor, self._value_of(attribute.sparse_tensor.values), self._value_of)
        if kind == "STRING":
            return text_of(attribute.s)
        if kind == "STRINGS":
            return list(map(text_of, attribute.strings))
        if kind in ("FLOAT", "INT"):
            return attribute.f if kind == "FLOAT" else attribute.i
        if kind in ("FLOATS", "INTS"):
            return list(getattr(attribute, kind.lower()))
        return attribute


def _resolved(proto: Any, given: Attributes) -> dict[str, Any]:
    """The attributes of a node, as AttributeProtos by name, with those that it has of the function around it."""
    found = {one.name: given.get(one.ref_attr_name) if one.ref_attr_name else one for one in proto.attribute}
    return {name: one for name, one in found.items() if one is not None}


def _tensor_type(proto: Any) -> TensorType | None:
    """What a graph says of an output; None where that isn't a tensor, or nothing is said."""
    code = proto.tensor_type.elem_type if proto.WhichOneof("value") == "tensor_type" else 0
    found = type_of(proto) if code and not is_text_type(code) else None
    return found if isinstance(found, TensorType) else None
