"""What is asked of a model before any of it runs: that all its operators are known, and that it is one graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import ConversionError, ModelFileError
from ..node_counts import Key, called, count_nodes, functions_of, nodes_in, own_domain
from .bodies import body_operators, has_body, schema_of
from .registry import TABLE

Functions = Mapping[Key, Any]


def check(model: Any, path: Path | None) -> None:
    """ConversionError: operators that can't be loaded, all of them. ModelFileError: what ONNX's checker says, a circle of calls.

    path: where the model lies. A model of more than 2 GB is checked there alone.
    """
    from onnx import checker

    functions = functions_of(model)
    _refuse_newer(model)
    count_nodes(model)
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


def opsets_of(proto: Any) -> dict[str, int]:
    """The version of each domain that a model or a function is written in."""
    return {own_domain(one.domain): one.version for one in proto.opset_import}


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
        if called(node) not in functions
    }
    unknown = {_spelled(*one): None for one in sorted(used, key=str) if not is_known(*one)}
    if unknown:
        raise ConversionError(f"these operators of the model can't be loaded: {', '.join(unknown)}")


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
