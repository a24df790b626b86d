"""What an ONNX file says of itself beside the graph: which input and output is which part of a call, and what errors mean.

It stands in the model's metadata under `dy2st`, as JSON. Other runtimes read it or leave it: `docs/onnx.md` says what is in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import ModelFileError
from ..graphs.lowering.faults import Detail, ErrorEntry, Failure
from ..graphs.lowering.state_names import graph_name
from ..graphs.ports import Port
from ..graphs.shared_memory import Twins
from ..ir.core import Loc
from ..jit.loading.info_checks import argument_types
from ..passes.values.texts import MadeText
from ..runtime.tensors.input_memory import InputMemory
from ..saving import Info
from ..saving.attributes import decode, encode
from ..saving.locations import file_name
from ..saving.typed import read_type
from ..saving.untrusted import expect, parse_json
from .lowering.program import Lowered
from .packages import onnx
from .structures import constant, read_constant, read_structure, structure

KEY, FORMAT = "dy2st", 1
_WHERE = "the model's metadata"
KINDS = ("parameter", "buffer", "constant")


@dataclass
class Metadata:
    """name: what the model is called. arguments: the trees of a call's arguments, by parameter.

    inputs, outputs: what each input and output of the graph stands for. errors: what the output `error` means, from 1 on.
    failures: what Python raises where a node fails whose name begins so. checks: the values that tell which checks fail, in the
        order in which they run.
    kinds: of the initialisers, "parameter", "buffer" or "constant", by name.
    memory: what the model takes for granted of the memory of its inputs. twins: parts of the result that are another part.
    """

    name: str
    arguments: list[Any]
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)
    errors: list[ErrorEntry] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    checks: list[str] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    memory: InputMemory = InputMemory()
    twins: Twins = field(default_factory=dict)

    def as_json(self) -> str:
        """The text in the file."""
        tree = {
            "format": FORMAT,
            "name": self.name,
            "arguments": self.arguments,
            "inputs": [_port(port) for port in self.inputs],
            "outputs": [_port(port) for port in self.outputs],
            "errors": [_error(entry) for entry in self.errors],
            "failures": {name: _failure(told) for name, told in self.failures.items()},
            "checks": self.checks,
            "kinds": self.kinds,
            "memory": self.memory.text,
            "twins": [[[*place], [*other]] for place, other in self.twins.items()],
        }
        return json.dumps(tree, sort_keys=True, allow_nan=False)

    @classmethod
    def of_json(cls, text: str) -> Metadata:
        """What the text tells. ModelFileError: it is none that `as_json` gives."""
        try:
            tree = parse_json(text, _WHERE)
            if tree["format"] != FORMAT:
                raise ModelFileError(f"the model's metadata has the format {tree['format']!r}; this dy2st reads {FORMAT}")
            argument_types(tree["arguments"], "the model's metadata, arguments")
            inputs, outputs = ([_read_port(port) for port in tree[key]] for key in ("inputs", "outputs"))
            errors = [_read_error(entry) for entry in tree["errors"]]
            failures = {name: _read_failure(*told) for name, told in tree.get("failures", {}).items()}  # older files tell none
            memory = InputMemory.of_text(str(tree["memory"]))
            twins = {tuple(map(int, place)): tuple(map(int, other)) for place, other in tree.get("twins", [])}
            checks = [str(name) for name in tree.get("checks", [])]
            kinds = read_kinds(tree)
            return cls(str(tree["name"]), tree["arguments"], inputs, outputs, errors, failures, checks, kinds, memory, twins)
        except ModelFileError:
            raise
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise ModelFileError(f"the model's metadata isn't what dy2st writes: {error!r}") from None


def read_kinds(tree: Any) -> dict[str, str]:
    """What the metadata tells of initialisers; nothing, in older files. ValueError: a kind that there isn't."""
    found = {str(name): str(kind) for name, kind in tree.get("kinds", {}).items()}
    if unknown := set(found.values()) - {*KINDS}:
        raise ValueError(f"there is no kind {sorted(unknown)[0]}")
    return found


def kinds_in(model: Any) -> dict[str, str]:
    """The same of a ModelProto, which anybody may have written. ModelFileError: its metadata isn't what dy2st writes."""
    text = {prop.key: prop.value for prop in model.metadata_props}.get(KEY)
    try:
        return {} if text is None else read_kinds(parse_json(text, _WHERE))
    except (AttributeError, ValueError) as error:
        raise ModelFileError(f"the model's metadata isn't what dy2st writes: {error!r}") from None


def _port(port: Port) -> dict[str, Any]:
    original = structure(port.original)
    return {"type": str(port.type), "leaves": port.leaves, "original": original, "role": port.role, "key": port.key}


def _read_port(tree: dict[str, Any]) -> Port:
    leaves, types = [str(name) for name in tree["leaves"]], [read_structure(tree[key]) for key in ("type", "original")]
    key = tree["key"]
    return Port(types[0], leaves, types[1], str(tree["role"]), key if isinstance(key, int) else str(key))


def _error(entry: ErrorEntry) -> dict[str, Any]:
    fields = [[name, _told(value)] for name, value in entry.fields]
    arguments = [_told(value) for value in entry.arguments]
    tree = {"exception": entry.exception, "bases": [*entry.bases], "arguments": arguments, "fields": fields}
    return tree | {"loc": _place(entry.loc), "leaves": entry.leaves}


def _place(loc: Loc | None) -> list[Any] | None:
    return None if loc is None else [file_name(loc), loc.line, loc.function]


def _read_place(tree: Any) -> Loc | None:
    return None if tree is None else Loc(str(tree[0]), int(tree[1]), str(tree[2]))


def _told(value: Any) -> Any:
    """A constant, which of the details it is, or what makes a text of such."""
    if isinstance(value, MadeText):
        operands = [[str(type_), _told(x)] for type_, x in zip(value.types, value.operands)]
        return {"text": value.operator, "of": operands, "positional": value.n_positional, "attributes": encode(value.attributes)}
    return {"detail": value.number} if isinstance(value, Detail) else constant(value)


def _read_told(tree: Any) -> Any:
    if isinstance(tree, dict) and "text" in tree:
        types = tuple(read_type(type_, _WHERE) for type_, _ in tree["of"])
        attributes = expect(decode(tree["attributes"], _WHERE), dict, _WHERE)
        operands = tuple(_read_told(x) for _, x in tree["of"])
        return MadeText(str(tree["text"]), int(tree["positional"]), attributes, types, operands)
    return Detail(int(tree["detail"])) if isinstance(tree, dict) and "detail" in tree else read_constant(tree)


def _read_error(tree: dict[str, Any]) -> ErrorEntry:
    fields = tuple((str(name), _read_told(value)) for name, value in tree["fields"])
    arguments = tuple(map(_read_told, tree["arguments"]))
    bases = tuple(map(str, tree["bases"]))
    return ErrorEntry(str(tree["exception"]), arguments, _read_place(tree["loc"]), bases, fields, bool(tree["leaves"]))


def _failure(told: Failure) -> list[Any]:
    return [[*told.exceptions], _place(told.loc), told.after, *([dict(told.instead)] if told.instead else [])]


def _read_failure(exceptions: list[Any], place: Any, after: int = 0, instead: Any = None) -> Failure:
    others = tuple((str(name), str(other)) for name, other in (instead or {}).items())
    return Failure(tuple(map(str, exceptions)), _read_place(place), int(after), others)


def _renamed(port: Port, names: Mapping[str | int, str]) -> Port:
    """State under the name that it has in the graph."""
    return replace(port, key=names[port.key]) if port.role == "state" else port


def described(lowered: Lowered, info: Info, method: str, memory: InputMemory, twins: Twins) -> Metadata:
    """Write into a model what its inputs and outputs stand for. twins: parts of the result that are another part, by place."""
    state = [port for port in (*lowered.inputs, *lowered.outputs) if port.role == "state"]
    names = {port.key: graph_name(str(port.key), port.type) for port in state}
    inputs, outputs = ([_renamed(port, names) for port in ports] for ports in (lowered.inputs, lowered.outputs))
    graph = lowered.errors, lowered.failures, lowered.checks, lowered.kinds
    found = Metadata(info.name, info.inputs[method], inputs, outputs, *graph, memory, twins)
    onnx().helper.set_model_props(lowered.model, {KEY: found.as_json()})
    return found
