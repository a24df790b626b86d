"""Which of ONNX's operators come in: `docs/onnx-operators-in.md` is written by `python tests/onnx_models/reading/table.py`.

It loads each test case of the installed onnx and runs it, which takes a minute.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "onnx-operators-in.md"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from onnx_models.reading.cases import all_cases, apart, check, graphs_in, why_refused  # noqa: E402

import dy2st  # noqa: E402
from dy2st.errors import Dy2stError  # noqa: E402

HEAD = """# ONNX operators that come in

`dy2st.onnx.load` reads ONNX's own tests of its operators (`onnx.backend.test.case.node`). Each test is a model of a few nodes.
Its outputs are compared with the expected ones, within the tolerances of the test. Cases that end in `_expanded` hold the body of
an operator in its place. The page is written by `python tests/onnx_models/reading/table.py`, here for onnx {version}, whose
newest opset is {opset}.

| cases | |
|---|---|
"""


def passes(case: Any) -> bool:
    try:
        check(dy2st.onnx.load(case.model), case)
    except (AssertionError, Dy2stError):
        return False
    return True


def operators_of(case: Any) -> set[str]:
    """What a case is about: the operators of its nodes, unless it spells out the body of another one."""
    names = {node.op_type for graph in graphs_in(case.model.graph) for node in graph.node}
    return set() if case.name.endswith("_expanded") else names


def page() -> str:
    import onnx
    from onnx import defs

    set_apart, passed, failed = Counter(), Counter(), defaultdict(list)
    good = total = 0
    for case in all_cases():
        if reason := apart(case):
            set_apart[reason] += 1
            continue
        total += 1
        if works := passes(case):
            good += 1
        else:
            failed[why_refused(case) or "not known"].append(case.name)
        for name in operators_of(case):
            passed[name] += works
            passed[name, "all"] += 1
    share = 100 * good / total
    rows = [f"| counted | {total} |", f"| of these pass | {good} ({share:.1f} %) |"]
    rows += [f"| apart: {reason} | {count} |" for reason, count in sorted(set_apart.items())]
    lines = [HEAD.format(version=onnx.__version__, opset=defs.onnx_opset_version()) + "\n".join(rows), "", "## What fails", ""]
    lines += ["| cases | why |", "|---|---|"]
    lines += [f"| {', '.join(f'`{name}`' for name in names)} | {reason} |" for reason, names in sorted(failed.items())]
    lines += ["", "## By operator", "", "Cases that pass, of those that have the operator among their nodes.", ""]
    names = sorted(name for name in passed if isinstance(name, str))
    lines += ["| operator | pass | of |", "|---|---:|---:|"]
    lines += [f"| {name} | {passed[name]} | {passed[name, 'all']} |" for name in names]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
