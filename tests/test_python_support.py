"""The tables of `docs/python-support.md` are true: each row is run as plain Python, as a Program and as a loaded Program."""

from __future__ import annotations

import ast
import builtins
import re
import sys
import warnings
from pathlib import Path

import pytest
from staging.agreement import as_programs, assert_agrees
from support import newer, statements
from support.rows import PAGE, code_of, function_of, rows_of, source

from dy2st.errors import Dy2stError

TEXT = PAGE.read_text(encoding="utf-8")
ROWS = rows_of(TEXT)
GONE = set("Num Str Bytes NameConstant Ellipsis Index ExtSlice Suite AugLoad AugStore Param".split())  # kept for old code


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.code)
def test_a_row_is_true(row, tmp_path):
    function = function_of(row, TEXT, tmp_path / "row.py")
    if function is None:
        pytest.skip("in the syntax of a later Python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if row.status == "refused":
            with pytest.raises(Dy2stError) as caught:
                as_programs(function)
            located = re.fullmatch(r"(?:(.*?):\d+: )?(.*)", str(caught.value), re.S)
            assert located[2] == row.message
            file = located[1] or str(caught.value.dy2st_loc.file)
            assert file == function.__code__.co_filename
            return
        code = assert_agrees(function)[0].code
    assert ("_jst." in code_of(row, code)) == (row.status == "converted"), code


def test_every_function_has_a_row():
    functions = {name for name, value in vars(statements).items() if hasattr(value, "__code__")}
    assert functions | set(newer.FUNCTIONS) == {row.code for row in ROWS if row.is_name}


def test_every_kind_of_syntax_stands_in_a_row():
    trees = [ast.parse(source(row, TEXT)) for row in ROWS if not row.is_name]
    trees += [ast.parse(text) for version, text in newer.FUNCTIONS.values() if sys.version_info >= version]
    trees.append(ast.parse(Path(statements.__file__).read_text(encoding="utf-8")))
    seen = {type(node) for tree in trees for node in ast.walk(tree)}
    kinds = (ast.stmt, ast.expr, ast.pattern, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
    all_kinds = {c for c in vars(ast).values() if isinstance(c, type) and issubclass(c, kinds) and c not in kinds}
    assert {c.__name__ for c in all_kinds - seen} <= GONE


def test_every_builtin_and_method_stands_in_a_row():
    code = " ".join(row.code for row in ROWS)
    names = {name for name, value in vars(builtins).items() if callable(value) and name.islower() and name[0] != "_"}
    names -= {"copyright", "credits", "license", "exit", "quit"}  # for the prompt
    missing = {name for name in names if not re.search(rf"\b{name}\b", code)}
    methods = {f"{letter}.{name}" for letter, kind in (("xs", list), ("d", dict), ("st", set), ("s", str), ("t", tuple))
               for name in vars(kind) if name[0] != "_"}
    assert missing | {m for m in methods if f"{m}(" not in code} - {"d.fromkeys"} == set()
