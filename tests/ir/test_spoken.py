"""Messages speak of operators and types as people write them: no name of the IR reaches a user."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import dy2st
from dy2st.graphs.lowering.refusal import GraphError, refusal
from dy2st.ir.core import Operation
from dy2st.ir.spoken import spoken_operator, spoken_type
from dy2st.ir.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    AtomType,
    ClassType,
    DictType,
    ListType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
)  # fmt: skip
from dy2st.ops.registry import OPERATORS

INNER = re.compile(r"\b(py|sequence|object|sum|container|cell|caught|reference)\.|_(copy|scatter)\b|\w_\b|\w<|^_")
SOURCE = Path(dy2st.__file__).parent
ROOMS = (
    "graphs", "onnx/lowering", "onnx/*.py", "jax", "passes/values", "passes/functionalize", "ops/lowered", "ops/python/lowered",
)  # fmt: skip
ERRORS = {"refuse", "refusal", "at_line", "InexpressibleError", "GraphError", "OnnxError", "EngineError", "ConversionError"}


def test_e_11_operators():
    spoken = {name: spoken_operator(name) for name in OPERATORS if not name.startswith("adjoint.")}  # of a backward alone
    assert {name: words for name, words in spoken.items() if INNER.search(words)} == {}


@pytest.mark.parametrize(("type_", "words"), [
    (SumType((ListType(INT), TupleType((INT, INT)))), "a list or a tuple"),
    (SumType((AtomType("f"), NONE)), "a function, class or module or None"),
    (SumType((ListType(INT), ListType(FLOAT), NONE)), "a list or None"),
    (SequenceType(STR), "a list"), (SetType(INT), "a set"), (DictType(STR, INT), "a dict"),
    (ClassType("Box"), "an object of Box"),
    (TensorType("float32", (2, None)), "a tensor float32[2,?]"), (TupleType((INT,), "Point", ("x",)), "a Point"),
    (NUMBER, "a number"), (BOOL, "a bool"),
])  # fmt: skip
def test_e_11_types(type_, words):
    assert spoken_type(type_) == words


def files() -> list[Path]:
    return sorted({path for room in ROOMS for path in (SOURCE.glob(room) if "*" in room else (SOURCE / room).rglob("*.py"))})


def shown(path: Path) -> list[str]:
    """What messages of errors in a file show, as source."""
    calls = (x for x in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(x, ast.Call))
    errors = (call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) in ERRORS)
    return [ast.unparse(part.value) for call in errors for part in ast.walk(call) if isinstance(part, ast.FormattedValue)]


def test_e_11_no_message_has_a_name_of_an_operation_or_a_type_as_it_is():
    inner = re.compile(r"(\bop|\.op|operation)\.name$|(\.|\b)type_?$")
    found = {path.name: [text for text in shown(path) if inner.search(text)] for path in files()}
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_e_11_what_a_refusal_says():
    assert str(refusal(Operation("sequence.append"), "why", "ONNX", GraphError)).endswith("list.append has no form in ONNX: why")
