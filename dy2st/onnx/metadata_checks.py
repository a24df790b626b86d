"""The metadata of an ONNX file against its graph: a file is an enemy until it is checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import Dy2stError, ModelFileError
from ..graphs.lowering.faults import Detail, ErrorEntry
from ..graphs.lowering.leaves import leaves_of
from ..graphs.lowering.refusal import InexpressibleError
from ..graphs.lowering.values import Array, GraphType
from ..graphs.ports import Port
from ..ir.core import Ref, refs_unknown
from ..ir.core import leaves_of as leaves
from ..ir.types import INT, STR, TupleType, Type
from ..jit.interface.argument_tree import specs
from ..jit.loading.info_checks import takes
from ..ops.registry import OPERATORS, infer_types
from ..passes.values.natives import stands_for
from ..passes.values.texts import MadeText, makes_texts, parts_of_argument
from ..runtime.engine.exceptions import exception_class
from ..saving.untrusted import brief
from .metadata import Metadata

_INPUTS, _OUTPUTS = {"value", "state", "parameter"}, {"value", "state", "parameter", "argument", "error", "detail"}
_ELEMENTS = {"float": "float32", "double": "float64"}  # as onnxruntime calls them


def check_metadata(told: Metadata, session: Any) -> None:
    """ModelFileError where what the metadata tells isn't true of the graph that a session has loaded."""
    where = "the model's metadata"
    arguments = [spec.type for _, node in told.arguments for spec in specs(node)]
    inputs = {node.name: node.type for node in (*session.get_inputs(), *session.get_overridable_initializers())}
    _ports(told.inputs, inputs, _INPUTS, f"{where}, inputs")
    _ports(told.outputs, {node.name: node.type for node in session.get_outputs()}, _OUTPUTS, f"{where}, outputs")
    taken = [port.original for port in told.inputs if port.role == "value"]
    if len(taken) != len(arguments) or not all(map(takes, taken, arguments)):
        raise ModelFileError(f"{where} tells of {len(arguments)} inputs among the arguments, and of others for the graph")
    _outputs(told.outputs, len(arguments), {(p.role, p.key): p.original for p in told.inputs}, where)
    _twins(told, where)
    details = {port.key: port.type for port in told.outputs if port.role == "detail"}
    for entry in told.errors:
        _error(entry, details, f"{where}, the error {brief(entry.exception)}")
    failures = told.failures.values()
    for name in {name for failure in failures for name in (*failure.exceptions, *dict(failure.instead).values())}:
        _exception([name], f"{where}, the error {brief(name)}")


def _ports(ports: Iterable[Port], types: Mapping[str, str], roles: set[str], where: str) -> None:
    """Each port has leaves in the graph, of the dtypes that its type says."""
    for port in ports:
        if port.role not in roles:
            raise ModelFileError(f"{where}: there is no role {brief(port.role)}")
        try:
            leaves = leaves_of(port.type)
        except InexpressibleError as error:
            raise ModelFileError(f"{where}: {error}") from None
        if len(leaves) != len(port.leaves):
            raise ModelFileError(f"{where}: a {brief(str(port.type))} has {len(leaves)} tensors, not {len(port.leaves)}")
        if not stands_for(port.type, port.original):
            raise ModelFileError(f"{where}: no {brief(str(port.type))} stands for a {brief(str(port.original))}")
        for leaf, name in zip(leaves, port.leaves):
            if name not in types:
                raise ModelFileError(f"{where}: the graph has no {brief(name)}")
            if types[name] != _word(leaf.type):
                raise ModelFileError(f"{where}: {brief(name)} is {types[name]} in the graph, not {_word(leaf.type)}")


def _word(type_: GraphType) -> str:
    """A type in the words of onnxruntime."""
    if not isinstance(type_, Array):
        return f"seq({_word(type_.of)})"
    names = {dtype: name for name, dtype in _ELEMENTS.items()}
    return f"tensor({names.get(type_.dtype, type_.dtype)})"


def _outputs(ports: list[Port], arguments: int, held: Mapping[tuple, Type], where: str) -> None:
    """There is one result, at most one error, and what is left goes to arguments and state that there are."""
    roles = [port.role for port in ports]
    if roles.count("value") != 1 or roles.count("error") > 1:
        raise ModelFileError(f"{where} tells of {roles.count('value')} results and {roles.count('error')} errors")
    for port in ports:
        if port.role == "error" and port.type != INT:
            raise ModelFileError(f"{where}: an error is an int, not {brief(str(port.type))}")
        is_alone = port.role == "state" and all(leaf.startswith(f"{port.key}.") for leaf in port.leaves)  # no call reads it
        known = held.get((port.role, port.key), port.original if is_alone else None)
        if port.role in ("state", "parameter") and known != port.original:
            raise ModelFileError(f"{where}: no input is the {port.role} {brief(port.key)} of this type")
        if port.role == "argument" and not (type(port.key) is int and 0 <= port.key < arguments):
            raise ModelFileError(f"{where}: there is no argument {brief(port.key)}")


def _twins(told: Metadata, where: str) -> None:
    """Parts of the result that are said to be one are there, and of one type."""
    result = next(port.original for port in told.outputs if port.role == "value")
    for place, other in told.twins.items():
        if _part(result, place) != _part(result, other) or _part(result, place) is None:
            raise ModelFileError(f"{where}: the result has no parts {[*place]} and {[*other]} of one type")


def _part(type_: Type, place: Sequence[int]) -> Type | None:
    """The type of an item of an item of tuples; None where there is none."""
    for at in place:
        if not (isinstance(type_, TupleType) and 0 <= at < len(type_.elems)):
            return None
        type_ = type_.elems[at]
    return type_


def _exception(names: Sequence[str], where: str) -> None:
    try:
        known = issubclass(exception_class(names), Exception)
    except Dy2stError as error:
        raise ModelFileError(f"{where}: {error}") from None
    if not known:
        raise ModelFileError(f"{where}: it is no Exception")


def _error(entry: ErrorEntry, details: Mapping[Any, Type], where: str) -> None:
    _exception([entry.exception, *entry.bases], where)
    for value in (*entry.arguments, *(value for _, value in entry.fields)):
        for part in parts_of_argument(value):
            if isinstance(part, Detail) and part.number not in details:
                raise ModelFileError(f"{where}: there is no detail {part.number}")
        _text(value, details, where)


def _text(argument: Any, details: Mapping[Any, Type], where: str) -> None:
    """What makes a text is an operator that does, and takes such operands."""
    if not isinstance(argument, MadeText):
        return
    name, where = argument.operator, f"{where}, {brief(argument.operator)}"
    for operand, type_ in zip(argument.operands, argument.types):
        _text(operand, details, where)
        if isinstance(operand, Detail) and details[operand.number] != type_:
            given = brief(str(details[operand.number]))
            raise ModelFileError(f"{where}: detail {operand.number} is a {given}, not {brief(str(type_))}")
    places = {leaf.index for leaf in leaves(argument.attributes) if isinstance(leaf, Ref)}
    count, known = len(argument.types), argument.n_positional
    if not makes_texts(name) or not 0 <= known <= count or not places <= {*range(known, count)}:
        raise ModelFileError(f"{where}: it makes no text of {count} operands")
    try:
        made = infer_types(OPERATORS[name], [*argument.types[: argument.n_positional]], refs_unknown(argument.attributes))
    except (Dy2stError, TypeError, ValueError, LookupError, AttributeError) as error:
        raise ModelFileError(f"{where}: {error}") from None
    if made != (STR,):
        raise ModelFileError(f"{where}: of these it makes no text")
