"""What a file may raise and catch: classes below Exception, from a closed table or made anew by name."""

from __future__ import annotations

import builtins
import traceback

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st import traced_module as tm
from dy2st.cli import main
from dy2st.errors import ConversionError, EngineError, ModelFileError
from dy2st.ir.builder import Builder
from dy2st.ops.registry import OPERATORS
from dy2st.runtime.engine.exceptions import known_exception
from dy2st.saving.model_json import program_from_json, program_to_json
from dy2st.static import InputSpec
from hostile.files import model_of, with_model_text

NOT_BELOW_EXCEPTION = ["BaseException", "BaseExceptionGroup", "GeneratorExit", "KeyboardInterrupt", "SystemExit"]
SPEC = [InputSpec([None], "float32", "x")]
UP, DOWN = np.ones(2, np.float32), -np.ones(2, np.float32)


def refuses(x):
    if x.sum() > 0:
        raise RuntimeError("no", 3)
    return x


def careful(x):
    try:
        y = refuses(x)
    except RuntimeError:
        y = x * 2
    return y


def saved(function, path):
    jit.save(jit.to_static(function, input_spec=SPEC), str(path))
    return path


# --- what a file raises -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NOT_BELOW_EXCEPTION, "Bad name", "", "a\nb", "\x1b[2J", "os.system()", "x" * 300])
def test_a_file_that_raises_what_is_not_below_exception_does_not_load(tmp_path, name):
    for place in ('"exception": "RuntimeError"', '"bases": ["RuntimeError"]'):
        path = saved(refuses, tmp_path / "net")
        escaped = name.encode("unicode_escape").decode().replace("\\x", "\\u00")
        with_model_text(path, lambda text: text.replace(place, place.replace("RuntimeError", escaped)))
        with pytest.raises(ModelFileError, match="file can't raise|no name of an exception|needs the attribute|list of names"):
            jit.load(str(path))


def test_no_class_that_a_name_leads_to_is_outside_of_exception():
    assert [name for name in dir(builtins) if (cls := known_exception(name)) and not issubclass(cls, Exception)] == []
    assert [known_exception(name) for name in (*NOT_BELOW_EXCEPTION, "SyntaxError", "Dy2stWarning", "os")] == [None] * 8


def test_a_users_class_is_made_anew_on_the_base_that_the_file_names(tmp_path):
    path = saved(refuses, tmp_path / "net")
    with_model_text(path, lambda text: text.replace('["RuntimeError"]', '["Own", "KeyError"]').replace('"RuntimeError"', '"Own"'))
    with pytest.raises(KeyError) as caught:
        jit.load(str(path))(UP)
    assert [c.__name__ for c in type(caught.value).__mro__[:3]] == ["Own", "KeyError", "LookupError"]


def test_run_ends_with_code_1_and_the_message_whatever_is_raised(tmp_path, capsys):
    np.save(tmp_path / "x.npy", UP)
    known = [name for name in dir(builtins) if known_exception(name) and name != "RuntimeError"]
    for name in (*known, "LinAlgError", "ShapeError", "Own", "SyntaxError"):
        path = saved(refuses, tmp_path / "net")
        with_model_text(path, lambda text: text.replace('"RuntimeError"', f'"{name}"'))
        assert main(["run", str(path), "--input", str(tmp_path / "x.npy")]) == 1, name
        printed = capsys.readouterr()
        assert printed.out == "" and printed.err.count("\n") == 1 and "Traceback" not in printed.err, name
        assert printed.err.startswith(("dy2st: error: " + name, "dy2st: error: TypeError: ")), printed.err


# --- how it is made -----------------------------------------------------------------------------------------------------


def raising(name, *values, fields=(), **attrs):
    b = Builder()
    with b.function("main", x="float32[2]") as (x,):
        operands = [b.const(value) for value in values]
        made = {"exception": name, "bases": [name], **attrs}
        if fields:
            made["fields"] = list(fields)
        b.if_(b.op("py.truth", b.op("any", x, axis=None, keepdim=False, types="bool[]"), types="bool"),
              lambda: b.op("raise", *operands, types=[], **made), lambda: ())  # fmt: skip
        b.return_(x)
    return b.program


INPUTS = [["x", {"tensor": {"shape": [2], "dtype": "float32", "name": "x", "stop_gradient": True}}]]
HOSTILE_ARGUMENTS = {
    "UnicodeDecodeError": ["utf-8", 3, "x", None, 1.5], "UnicodeEncodeError": ["x"], "OSError": [2, "gone", "/etc/passwd"],
    "StopIteration": ["end"], "ImportError": ["os"], "ExceptionGroup": ["group", 3], "KeyError": [], "UnicodeTranslateError": [1],
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_ARGUMENTS)
def test_constructors_refuse_their_arguments_with_an_exception(tmp_path, name):
    path = model_of(tmp_path / "net", raising(name, *HOSTILE_ARGUMENTS[name]), INPUTS)
    with pytest.raises(Exception) as caught:
        jit.load(str(path))(UP)
    "".join(traceback.format_exception(caught.value))  # printing it does nothing but print


@pytest.mark.parametrize(
    "field", ["__class__", "__traceback__", "__notes__", "args", "with_traceback", "add_note", "dy2st_loc", "a b", ""]
)
def test_an_attribute_can_not_replace_what_python_uses_on_every_exception(tmp_path, field):
    path = model_of(tmp_path / "net", raising("ValueError", 5, fields=["code"]), INPUTS,
                    lambda text: text.replace('"code"', f'"{field}"'))  # fmt: skip
    with pytest.raises(ModelFileError, match="attribute called|list of names"):
        jit.load(str(path))


def test_attributes_do_not_reach_what_python_imports_when_it_prints_an_import_error(tmp_path):
    path = model_of(tmp_path / "net", raising("ImportError", "antigravity", "x", fields=["name", "name_from"]), INPUTS)
    with pytest.raises(ImportError) as caught:
        jit.load(str(path))(UP)
    assert caught.value.name is None


def test_what_an_exception_comes_from_is_an_exception():
    text = program_to_json(raising("ValueError", "no", 5)).replace('"exception"', '"cause": true, "exception"')
    with pytest.raises(ModelFileError, match="comes from an exception or None, not from int"):
        program_from_json(text)


@pytest.mark.parametrize(("asked", "complaint"), [("args", "the arguments of this ValueError"), ("field", "no attribute 'code'")])
def test_what_an_exception_lacks_is_not_read_from_it(tmp_path, asked, complaint):
    b = Builder()
    with b.function("main", x="float32[2]") as (x,):

        def handler():
            error = b.op("caught", types='exception<ValueError(float32[2]){code: float32[2]}>')
            found = b.op("caught.args", error, types="tuple<float32[2]>") if asked == "args" else None
            return b.op("tuple.get", found, index=0, types="float32[2]") if found else b.op(
                "caught.field", error, name="code", types="float32[2]")  # fmt: skip

        b.return_(b.try_(lambda: b.raise_("ValueError", b.const("text")), {("ValueError",): handler}, types="float32[2]"))
    net = jit.load(str(model_of(tmp_path / "net", b.program, INPUTS)))
    with pytest.raises(EngineError, match=complaint):
        net(UP)
    with pytest.raises(EngineError, match=complaint):
        net(paddle.to_tensor(UP, stop_gradient=False))


# --- what a file catches ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [["KeyboardInterrupt"], ["ValueError", "SystemExit"], ["GeneratorExit"], ["bad name"]])
def test_a_file_that_catches_what_is_meant_for_the_process_does_not_load(tmp_path, names):
    path = saved(careful, tmp_path / "net")
    text = str(names).replace("'", '"')
    with_model_text(path, lambda model: model.replace('"handlers": [["RuntimeError"]]', f'"handlers": [{text}]'))
    with pytest.raises(ModelFileError, match="can't catch|no name of an exception"):
        jit.load(str(path))


@pytest.mark.parametrize("process_ends", [KeyboardInterrupt, SystemExit])
def test_a_file_that_catches_everything_lets_ctrl_c_through(tmp_path, process_ends, monkeypatch):
    path = saved(careful, tmp_path / "net")
    with_model_text(path, lambda text: text.replace('"handlers": [["RuntimeError"]]', '"handlers": [["BaseException"]]'))
    net = jit.load(str(path))
    np.testing.assert_array_equal(net(UP).numpy(), UP * 2)

    def interrupted(*operands, **attrs):
        raise process_ends

    monkeypatch.setattr(OPERATORS["sum"], "kernel", interrupted)
    monkeypatch.setattr(OPERATORS["sum"], "template", None)
    net = jit.load(str(path))
    for x in (UP, paddle.to_tensor(UP, stop_gradient=False)):
        with pytest.raises(process_ends):
            net(x)


# --- what is staged here ------------------------------------------------------------------------------------------------


def ends_the_process(x):
    if x.sum() > 0:
        raise SystemExit(3)
    return x


def class_alone(x):
    if x.sum() > 0:
        raise KeyboardInterrupt
    return x


def catches_it(x):
    try:
        y = ends_the_process(x)
    except SystemExit as error:
        y = x * error.args[0]
    return y


def catches_all(x):
    try:
        y = ends_the_process(x)
    except:  # noqa: E722
        y = x * 5
    finally:
        x = x + 1
    return y + x


@pytest.mark.parametrize("function", [ends_the_process, class_alone, catches_it, catches_all])
@pytest.mark.parametrize("trained", [False, True])
def test_in_memory_it_is_plain_python(function, trained):
    static = jit.to_static(function, input_spec=SPEC)
    for array in (UP, DOWN):
        outcomes = []
        for run in (function, static):
            try:
                outcomes.append(run(paddle.to_tensor(array, stop_gradient=not trained)).numpy().tolist())
            except BaseException as error:
                outcomes.append((type(error), error.args))
        assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(("function", "complaint"), [(ends_the_process, "raise SystemExit"), (catches_it, "catch SystemExit")])
def test_a_file_can_not_hold_it_and_the_message_names_the_line(tmp_path, function, complaint):
    with pytest.raises(ConversionError, match=rf"test_exceptions\.py:\d+: a model file can't {complaint}"):
        saved(function, tmp_path / "net")
    assert list(tmp_path.iterdir()) == []


def except_all(x):
    try:
        y = refuses(x)
    except:  # noqa: E722
        y = x * 2
    return y


def test_a_bare_except_is_saved_as_one_of_all_that_a_file_can_raise(tmp_path):
    net = jit.load(str(saved(except_all, tmp_path / "net")))
    np.testing.assert_array_equal(net(UP).numpy(), UP * 2)
    assert '"handlers": [["Exception"]]' in (tmp_path / "net.model.json").read_text()


# --- traced modules -----------------------------------------------------------------------------------------------------


class Refusing(paddle.nn.Layer):
    def forward(self, x):
        if x.sum() > 0:
            raise RuntimeError("no")
        return x


def test_a_traced_module_raises_no_more_than_a_program(tmp_path, monkeypatch):
    module = tm.trace_module(Refusing(), paddle.to_tensor(DOWN))
    tm.save(module, tmp_path / "net.dy2st")
    with pytest.raises(RuntimeError, match="no"):
        tm.load(tmp_path / "net.dy2st")(paddle.to_tensor(UP))
    (raised,) = [expr for expr in module.graph.exprs() if type(expr).__name__ == "Raise"]
    raised.exception = ("SystemExit",)
    with pytest.raises(ConversionError, match="can't raise SystemExit"):
        tm.save(module, tmp_path / "bad.dy2st")
    monkeypatch.setattr("dy2st.traced_module.graph_written.check_raised", lambda names: None)
    tm.save(module, tmp_path / "bad.dy2st")
    with pytest.raises(ModelFileError, match="can't raise SystemExit"):
        tm.load(tmp_path / "bad.dy2st")
