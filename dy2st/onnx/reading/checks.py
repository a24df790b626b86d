"""What is asked of a model before any of it runs: that all its operators are known, and that it is one graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...errors import ConversionError, ModelFileError
from .bodies import body_operators, has_body, schema_of
from .graph import own_domain
from .registry import TABLE

Functions = Mapping[tuple[str, str, str], Any]
MOST_NODES = 200_000  # of a model: a small file of functions that call functions may stand for any number


def check(model: Any, path: Path | None) -> None:
    """ConversionError: operators that can't be loaded, all of them. ModelFileError: what ONNX's checker says, a circle of calls.

    path: where the model lies. A model of more than 2 GB is checked there alone.
    """
    from onnx import checker

    functions = functions_of(model)
    _refuse_newer(model)
    _refuse_endless(model.graph, functions)
    refuse_unknown(model, functions)
    try:
        checker.check_model(model if path is None else path)
    except (checker.ValidationError, ValueError) as error:
        raise ModelFileError(f"this is no valid ONNX model: {error}") from None


def _refuse_newer(model: Any) -> None:
    from onnx import defs

    for proto in (model, *model.functions):
        opsets, known = opsets_of(proto), defs.onnx_opset_version()
        if not all(0 < version < 1 << 31 for version in opsets.values()):
            raise ModelFileError(f"the model is written in {opsets}, and versions are small numbers from 1 on")
        asked = opsets.get("", 1)
        if asked > known:
            raise ConversionError(f"the model is written in opset {asked}, the installed package onnx knows {known}: upgrade it")


def functions_of(model: Any) -> Functions:
    """The functions that a model brings, by (domain, name, overload)."""
    return {(own_domain(one.domain), one.name, one.overload): one for one in model.functions}


def opsets_of(proto: Any) -> dict[str, int]:
    """The version of each domain that a model or a function is written in."""
    return {own_domain(one.domain): one.version for one in proto.opset_import}


def nodes_in(proto: Any) -> Iterator[Any]:
    """The NodeProtos of a graph or function, and of the graphs in them."""
    waiting = list(proto.node)
    while waiting:
        node = waiting.pop()
        yield node
        for attribute in node.attribute:
            waiting += [*attribute.g.node, *(inner for graph in attribute.graphs for inner in graph.node)]


def statistics_in(model: Any) -> set[str]:
    """The names of the running means and variances that normalisations read."""
    protos = (model.graph, *model.functions)
    nodes = (node for proto in protos for node in nodes_in(proto) if node.op_type == "BatchNormalization")
    return {name for node in nodes for name in node.input[3:5]}


def refuse_unknown(model: Any, functions: Functions) -> None:
    """ConversionError with the operators that can't be loaded, and why."""
    written = [(model.graph, opsets_of(model)), *((one, opsets_of(one)) for one in model.functions)]
    used = {
        (own_domain(node.domain), node.op_type, opsets.get(own_domain(node.domain)))
        for proto, opsets in written
        for node in nodes_in(proto)
        if _called(node) not in functions
    }
    unknown = {_spelled(*one): None for one in sorted(used, key=str) if not is_known(*one)}
    if unknown:
        raise ConversionError(f"these operators of the model can't be loaded: {', '.join(unknown)}")


def _called(node: Any) -> tuple[str, str, str]:
    return own_domain(node.domain), node.op_type, node.overload


def _spelled(domain: str, name: str, version: int | None) -> str:
    where = f"{domain}.{name}" if domain else name
    return f"{where} (version {version})" if version is not None else f"{where} (of a domain without a version)"


def is_known(domain: str, name: str, version: int | None) -> bool:
    """Whether an operator can be loaded: there is a function for it, or its body is of operators that can."""
    if version is None or (not domain and schema_of(domain, name, version) is None):
        return False
    if TABLE.find(domain, name, version) is not None:
        return True
    return has_body(domain, name, version) and all(is_known(*one) for one in body_operators(domain, name, version))


def _refuse_endless(graph: Any, functions: Functions) -> None:
    """ModelFileError where functions call each other in a circle, or stand for more nodes than there is room for."""
    calls = {key: [_called(node) for node in nodes_in(one)] for key, one in functions.items()}
    sizes: dict[tuple[str, str, str], int] = {}  # how many nodes a call of a function is, with those of the functions it calls
    while ready := [key for key in calls if all(one in sizes or one not in functions for one in calls[key])]:
        for key in ready:
            sizes[key] = sum(sizes.get(one, 1) for one in calls.pop(key))
    if calls:
        raise ModelFileError(f"functions of the model call each other in a circle: {', '.join(name for _, name, _ in calls)}")
    if sum(sizes.get(_called(node), 1) for node in nodes_in(graph)) > MOST_NODES:
        raise ModelFileError(f"the model has more than {MOST_NODES} nodes, those of functions counted for each call")
