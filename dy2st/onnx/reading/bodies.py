"""Operators that ONNX itself defines by others: their bodies as Graphs."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...errors import ConversionError
from ...runtime.tensors.tensor import Tensor
from ..node_counts import own_domain
from .graph import Graph, Node, Reader
from .tensors import proto_of
from .values import as_tensor


@cache
def schema_of(domain: str, name: str, version: int) -> Any:
    """What ONNX says of an operator; None where it knows none."""
    from onnx import defs

    try:
        return defs.get_schema(name, version, domain)
    except defs.SchemaError:
        return None


def has_body(domain: str, name: str, version: int) -> bool:
    """Whether ONNX defines an operator by others."""
    schema = schema_of(domain, name, version)
    return schema is not None and (schema.has_function or schema.has_context_dependent_function)


def body_of(node: Node, inputs: list[Any]) -> Graph:
    """The body of an operator for these inputs, of which it may ask for the types. ConversionError: it has none."""
    from onnx import defs

    schema = schema_of(node.domain, node.op_type, node.version)
    if schema is not None and schema.has_function:
        version = _version(schema.function_opset_versions, node.version)
        text = schema.get_function_with_opset_version(version)
    elif schema is not None and schema.has_context_dependent_function:
        version = _version(schema.context_dependent_function_opset_versions, node.version)
        types = [_type_text(as_tensor(x)) for x in inputs]
        text = schema.get_context_dependent_function_with_opset_version(version, _node_text(node), types)
    else:
        raise ConversionError(f"the operator {node.op_type} of version {node.version} can't be loaded")
    if not text:
        raise ConversionError("ONNX has a body for this operator only where more is known of its inputs: give them lengths")
    defaults = {name: one.default_value for name, one in schema.attributes.items() if one.default_value.name}
    attributes = defaults | dict(node.protos)
    opsets = {"": defs.onnx_opset_version(), node.domain: node.version}
    return Reader(node.loc.file, {}).function(_function(text), attributes, opsets)


def _node_text(node: Node) -> bytes:
    """A node as a NodeProto, with all its attributes in it."""
    from onnx import NodeProto

    made = NodeProto(op_type=node.op_type, domain=node.domain, input=node.inputs, output=node.outputs)
    for name, one in node.protos.items():
        made.attribute.add().CopyFrom(one)
        made.attribute[-1].name = name
    return made.SerializeToString()


def _type_text(value: Any) -> bytes:
    return proto_of(value.type).SerializeToString() if isinstance(value, Tensor) else b""


def _function(text: bytes) -> Any:
    from onnx import FunctionProto

    found = FunctionProto()
    found.ParseFromString(text)
    return found


def body_operators(domain: str, name: str, version: int) -> set[tuple[str, str, int]]:
    """The operators that the body of an operator is made of; of one that follows its inputs, nothing is known before."""
    schema = schema_of(domain, name, version)
    if schema is None or not schema.has_function:
        return set()
    function = _function(schema.get_function_with_opset_version(_version(schema.function_opset_versions, version)))
    opsets = {own_domain(one.domain): one.version for one in function.opset_import} or {domain: version}
    return {(own_domain(node.domain), node.op_type, opsets[own_domain(node.domain)]) for node in function.node}


def _version(versions: list[int], version: int) -> int:
    """The version that a body is written in which is used in a model of this version."""
    return max([v for v in versions if v <= version], default=min(versions))
