"""Which operators of tensors have a form in ONNX, dtype by dtype: writes the table of `docs/onnx.md`. Nothing runs.

python tests/onnx_models/operator_table.py
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from onnx_models.running import of_one_operator
from ops.samples import collect
from ops.samples.sample import Sample
from support.sections import with_section

from dy2st.dtypes import DTYPES, NAMES
from dy2st.errors import Dy2stError
from dy2st.graphs.lowering.values import ELEMENTS
from dy2st.ir.core import Program
from dy2st.ir.types import TensorType, Type
from dy2st.onnx.lowering.program import lower
from dy2st.onnx.lowering.refusal import OnnxError
from dy2st.onnx.packages import onnx
from dy2st.ops.registry import OPERATORS, OpDef
from dy2st.ops.rules import REAL_OF
from dy2st.runtime.tensors.value_types import type_of_native

PAGE = Path(__file__).parents[2] / "docs" / "onnx.md"
COMMAND = "python tests/onnx_models/operator_table.py"
COLUMNS = [name for name in NAMES if name != "complex64"]
YES, WIDER, REFUSED, NONE = "+", "w", "-", ""
HEAD = f"""
`{YES}`: as it is. `{WIDER}`: by casts to a wider dtype and back, where onnxruntime's CPU has no kernel for this one;
exact, or as exact as NumPy's. `{REFUSED}`: refused, with a reason below. Empty: the operator doesn't take the dtype;
a Program casts bfloat16 to float32 and back itself, but for what moves values. A complex tensor is two, of its parts;
where an operator has no form of these, compute with x.real() and x.imag().
What writes in place, or gives a view, is the operator that gives the same elements in memory of its own.

"""
Reasons = dict[str, dict[str, list[str]]]  # reason -> operators -> dtypes; none: all of them


def table() -> str:
    """The section, between its marks."""
    samples, reasons = collect(), cast(Reasons, defaultdict(lambda: defaultdict(list)))
    rows = []
    for name, definition in sorted(OPERATORS.items()):
        if isinstance(definition.onnx, str):
            reasons[definition.onnx][name] = []
        elif _has_row(name, definition):
            cells = [_cell(name, samples[name], dtype, reasons) for dtype in COLUMNS]
            rows.append(f"| {name} | {' | '.join(cells)} |")
    head = f"| operator | {' | '.join(COLUMNS)} |\n|---|{':-:|' * len(COLUMNS)}\n"
    return HEAD + head + "\n".join(rows) + "\n\n" + "\n".join(_told(reasons)) + "\n"


def _has_row(name: str, definition: OpDef) -> bool:
    """Operators of tensors; of a view and the copy of the same elements one."""
    base = OPERATORS.get(name.removesuffix("_copy"))
    is_copy = base is not None and base.view is not None and base.view.copy == name
    return callable(definition.onnx) and "." not in name and not is_copy


def _cell(name: str, samples: list[Sample], dtype: str, reasons: Reasons) -> str:
    """What the samples in this dtype say: refused where all of them are."""
    found, refused = set(), []
    for program in filter(None, (_program(name, sample, dtype) for sample in samples)):
        try:
            found.add(WIDER if _is_widened(lower(program).model, REAL_OF.get(dtype, dtype)) else YES)
        except OnnxError as error:
            refused.append(re.sub(r".* has no form in ONNX: |, not for \w+", "", str(error)))
    if refused and not found and dtype not in REAL_OF:
        reasons[refused[0]][name].append(dtype)
    return WIDER if WIDER in found else YES if found else REFUSED if refused else NONE


def _program(name: str, sample: Sample, dtype: str) -> Program | None:
    """The operator on operands whose main dtype is this one, or that makes such a tensor; None where it doesn't take it."""
    dtypes = [t.dtype for t in map(type_of_native, sample.operands) if isinstance(t, TensorType)]
    main = next((d for d in dtypes if DTYPES[d].is_floating or DTYPES[d].is_complex), dtypes[0] if dtypes else None)
    if main is None and "dtype" not in sample.attrs:
        return None
    attrs = sample.attrs if main else {**sample.attrs, "dtype": dtype}

    def recast(type_: Type) -> Type:
        return TensorType(dtype, type_.shape) if isinstance(type_, TensorType) and type_.dtype == main else type_

    try:
        return of_one_operator(name, sample.operands, attrs, recast)[0]
    except (Dy2stError, TypeError, ValueError):
        return None


def _is_widened(model: Any, dtype: str) -> bool:
    """Whether a value of the dtype is cast to a wider one of its kind, which isn't that of a result."""
    number, width = ELEMENTS[dtype], DTYPES[dtype].numpy.itemsize
    wider = {ELEMENTS[d] for d in COLUMNS if d not in REAL_OF and _kind(d) == _kind(dtype) and DTYPES[d].numpy.itemsize > width}
    wider -= {output.type.tensor_type.elem_type for output in model.graph.output}
    types = {v.name: v.type.tensor_type.elem_type for v in _values(onnx().shape_inference.infer_shapes(model).graph)}
    casts = [node for node in _nodes(model.graph) if node.op_type == "Cast"]
    return any(types.get(node.input[0]) == number and node.attribute[0].i in wider for node in casts)


def _kind(dtype: str) -> bool:
    return DTYPES[dtype].is_floating


def _nodes(graph: Any) -> Iterator[Any]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _nodes(attribute.g)


def _values(graph: Any) -> Iterator[Any]:
    yield from (*graph.input, *graph.value_info, *graph.output)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _values(attribute.g)


def _told(reasons: Reasons) -> Iterator[str]:
    """Each reason, and whom it refuses: of a family of operators on Python values, `dict.*` is all of them."""
    for reason, names in sorted(reasons.items()):
        found = {}
        for name, dtypes in names.items():
            family = [other for other in OPERATORS if other.startswith(f"{name.partition('.')[0]}.")]
            whole = f"{name.partition('.')[0]}.*" if len(family) > 1 and all(other in names for other in family) else name
            found[f"{whole} ({', '.join(dtypes)})" if dtypes else whole] = None
        yield f"- {reason}: {', '.join(found)}"


def written(page: str) -> str:
    """The page with the table that is right."""
    return with_section(page, COMMAND, table())


def main() -> None:
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"the table in {PAGE}")


if __name__ == "__main__":
    main()
