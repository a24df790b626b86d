"""What fails in generated source points at the user's line, with the user's exception class, and says nothing of the engine."""

from __future__ import annotations

import traceback

import numpy as np
import pytest

from dy2st.errors import EngineError
from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc, Operation, Parameter
from dy2st.ir.types import TensorType
from dy2st.runtime.engine import compile_program


def index_program():
    b = Builder()
    with b.function("main", k="int") as (k,):
        b.loc = Loc("net.py", 13, "forward")
        list_ = b.op("list.new", b.const(1), types="list<int>")
        b.loc = Loc("net.py", 14, "forward")
        b.return_(b.op("list.get", list_, k, types="int"))
    return b.program


def test_an_error_names_the_users_line():
    run = compile_program(index_program())
    with pytest.raises(IndexError, match="list index out of range") as caught:
        run(5)
    assert caught.value.dy2st_loc == Loc("net.py", 14, "forward")
    index, at, hint = caught.value.__notes__
    assert (index, at) == ("the index is 5, of 1 items", "at net.py:14, in forward") and "len(...)" in hint


def test_generated_frames_are_hidden_and_a_second_failure_reads_the_same():
    run = compile_program(index_program())
    for _ in range(2):
        with pytest.raises(IndexError) as caught:
            run(5)
        frames = [f.filename for f in traceback.extract_tb(caught.value.__traceback__)]
        assert not any(name.startswith("<dy2st engine") for name in frames)
        assert len(caught.value.__notes__) == 3


def test_an_error_inside_a_called_function_names_the_inner_line():
    b = Builder()
    with b.function("main", k="int") as (k,):
        b.loc = Loc("net.py", 3)
        b.return_(b.call("helper", k, types="int"))
    with b.function("helper", k="int") as (k,):
        b.loc = Loc("helper.py", 8)
        b.return_(b.op("py.floordiv", b.const(1), k, types="int"))
    with pytest.raises(ZeroDivisionError) as caught:
        compile_program(b.program)(0)
    assert str(caught.value.dy2st_loc) == "helper.py:8"


def raising(exception, bases, *args):
    b = Builder()
    b.loc = Loc("net.py", 5)
    with b.function("main", x="int") as (x,):
        b.if_(
            b.op("py.lt", x, b.const(0), types="bool"), lambda: b.raise_(exception, *map(b.const, args), bases=bases), lambda: ()
        )
        b.return_(x)
    return b.program


def test_the_users_class_is_rebuilt_from_its_bases():
    run = compile_program(raising("TooSmall", ["ModelError", "ValueError"], "x is", 3))
    assert run(1) == 1
    with pytest.raises(ValueError) as caught:
        run(-1)
    assert [c.__name__ for c in type(caught.value).__mro__[:3]] == ["TooSmall", "ModelError", "ValueError"]
    assert caught.value.args == ("x is", 3) and str(caught.value.dy2st_loc) == "net.py:5"


def test_the_users_own_class_is_raised_where_it_is_given():
    class TooSmall(ValueError):
        pass

    with pytest.raises(TooSmall):
        compile_program(raising("TooSmall", ["ValueError"]), exceptions={"TooSmall": TooSmall})(-1)


def test_a_handler_of_a_base_class_catches():
    b = Builder()
    with b.function("main", x="int") as (x,):

        def body():
            b.if_(
                b.op("py.lt", x, b.const(0), types="bool"),
                lambda: b.raise_("TooSmall", bases=["ModelError", "ValueError"]),
                lambda: (),
            )
            return x

        b.return_(b.try_(body, {("KeyError",): lambda: b.const(-2), ("ModelError",): lambda: b.const(-1)}, types="int"))
    run = compile_program(b.program)
    assert (run(3), run(-3)) == (3, -1)


def test_an_unknown_operator_is_refused_by_name_and_line():
    b = Builder()
    b.loc = Loc("net.py", 9)
    with b.function("main", x="float32[2]") as (x,):
        b.return_(b.op("frobnicate", x, types="float32[2]"))
    with pytest.raises(EngineError, match=r"net\.py:9: there is no operator 'frobnicate'"):
        compile_program(b.program)


HOSTILE = ['"); import os; os.abort(); ("', "__import__('os').abort()", "a\nb", "\\", "{0}", "'''", "\ud800", "x" * 10000]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_file_never_becomes_source(text):
    b = Builder()
    b.declare_state(text, "str", text)
    with b.function(text, x="float32[1]") as (x,):
        w = b.param(text, np.ones(1, "float32"))
        y = b.op("add", x, w, types="float32[1]")
        obj = b._append("object.new", [b.const(text)], "class Thing{f: str}", {"cls": text, "fields": [text]})
        b.return_(
            b.op("tuple.new", b.const(text), b.state_get(text), y, obj, types="tuple<str, str, float32[1], class Thing{f: str}>")
        )
    run = compile_program(b.program)
    assert text not in run.source or text == "{0}"
    constant, state, y, thing = run(np.ones(1, "float32"))
    assert constant == state == thing.cls == thing.fields[text] == text and y == 2


@pytest.mark.parametrize("key", ["axis=0) + exit(", "if", "not an identifier", "1"])
def test_an_attribute_name_is_an_identifier(key):
    b = Builder()
    with b.function("main", x="float32[1]") as (x,):
        b.return_(b.block.append(Operation("sum", [x], {key: 0}, [x.type])).result)
    with pytest.raises(EngineError, match="has no attribute"):
        compile_program(b.program)


def test_an_attribute_is_a_literal():
    b = Builder()
    with b.function("main", x="float32[1]") as (x,):
        b.return_(b.op("sum", x, axis=object(), types="float32[]"))
    with pytest.raises(EngineError, match="must be a literal"):
        compile_program(b.program)


def test_a_parameter_without_data_is_refused():
    program = index_program()
    program.parameters["w"] = Parameter(TensorType("float32", (2,)))
    with pytest.raises(EngineError, match="'w' has no data"):
        compile_program(program)


def test_run_names_the_functions_it_has():
    with pytest.raises(EngineError, match="no function 'other'; it has main"):
        compile_program(index_program()).run("other")
