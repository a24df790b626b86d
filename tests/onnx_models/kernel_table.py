"""Writes `dy2st/onnx/lowering/kernels.py`: for which dtypes onnxruntime's CPU has kernels. Run it when onnxruntime is newer.

    python tests/onnx_models/kernel_table.py
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import onnx
import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def

from dy2st.dtypes import NAMES
from dy2st.graphs.lowering.primitives import NEWEST

PLACE = Path(__file__).parents[2] / "dy2st" / "onnx" / "lowering" / "kernels.py"
OLDEST = 17  # the first opset that is written
OTHER_NAMES = {"float": "float32", "double": "float64"}
HEAD = '''"""For which dtypes onnxruntime's CPU has kernels, by operator and type parameter: of those that have kernels at all.

Written by `python tests/onnx_models/kernel_table.py` from onnxruntime {version}.
"""

from __future__ import annotations

_TABLE = """
{rows}
"""


def _row(line: str) -> tuple[tuple[str, str], frozenset[str]]:
    operator, parameter, *dtypes = line.split()
    return (operator, parameter), frozenset(dtypes)


KERNELS = dict(map(_row, _TABLE.split("\\n")[1:-1]))
'''


def dtypes(names: list[str]) -> set[str]:
    """The dtypes that dy2st has among types such as `tensor(float)`."""
    plain = [name.removeprefix("tensor(").removeprefix("(").rstrip(")") for name in names if not name.startswith(("seq", "opt"))]
    return {OTHER_NAMES.get(name, name) for name in plain} & {*NAMES, "string"}


def kernels() -> dict[tuple[str, str], set[str]]:
    """The dtypes for which there is a kernel in each opset whose schema declares them."""
    found: dict[tuple[str, str], dict[tuple[int, int], set[str]]] = defaultdict(lambda: defaultdict(set))
    for kernel in get_all_opkernel_def():
        if kernel.domain == "" and kernel.provider == "CPUExecutionProvider" and kernel.version_range[1] >= OLDEST:
            for parameter, names in kernel.type_constraints.items():
                found[kernel.op_name, parameter][kernel.version_range] |= dtypes(names)
    return {key: set.union(*versions.values()) - set(_missing(*key, versions)) for key, versions in found.items()}


def _missing(operator: str, parameter: str, versions: dict[tuple[int, int], set[str]]) -> Iterator[str]:
    """The dtypes that the schema of an opset declares, and no kernel takes."""
    for opset in range(OLDEST, NEWEST + 1):
        try:
            schema = onnx.defs.get_schema(operator, opset)
        except onnx.defs.SchemaError:
            continue
        there = set().union(*(names for (low, high), names in versions.items() if low <= schema.since_version <= high))
        for constraint in schema.type_constraints:
            if constraint.type_param_str == parameter and there:
                yield from dtypes(constraint.allowed_type_strs) - there


def main() -> None:
    order = [*NAMES, "string"]
    rows = [" ".join([*key, *sorted(names, key=order.index)]) for key, names in sorted(kernels().items()) if names]
    PLACE.write_text(HEAD.format(version=onnxruntime.__version__, rows="\n".join(rows)))
    print(f"{len(rows)} rows in {PLACE}")


if __name__ == "__main__":
    main()
