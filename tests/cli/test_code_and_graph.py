"""`dy2st code` and `dy2st graph`: the user's own file, by path."""

from __future__ import annotations

import re

import pytest


@pytest.mark.parametrize("name", ["Net.forward", "Net"])
def test_code_shows_the_rewritten_source_with_the_users_line_numbers(dy2st_command, user_file, name):
    code, out, err = dy2st_command("code", f"{user_file}:{name}")
    assert (code, err) == (0, "")
    assert "_jst.convert_ifelse(" in out
    line = 1 + user_file.read_text().splitlines().index("            y = self.linear(x)")
    assert re.search(rf"self\.linear.*# {line}$", out, re.M), out


def test_code_of_a_function(dy2st_command, user_file):
    code, out, _ = dy2st_command("code", f"{user_file}:double")
    assert code == 0 and "_jst.convert_while_loop(" in out


def test_graph_of_a_method_prints_its_program(dy2st_command, user_file):
    code, out, err = dy2st_command("graph", f"{user_file}:Net.forward", "--spec", "x=float32[?,3]")
    assert code == 0, err
    assert "linear.weight" in out and "matmul" in out


def test_graph_of_a_function_and_of_an_object(dy2st_command, user_file):
    assert "while" in dy2st_command("graph", f"{user_file}:double", "--spec", "float32[n]")[1]
    assert "matmul" in dy2st_command("graph", f"{user_file}:net", "--spec", "float32[2,3]")[1]


def test_graph_of_a_static_function_takes_its_own_specs(dy2st_command, user_file):
    code, out, err = dy2st_command("graph", f"{user_file}:halve")
    assert (code, err) == (0, "") and "main(%x: float32[?,3])" in out
    assert "float32[4]" in dy2st_command("graph", f"{user_file}:halve", "--spec", "float32[4]")[1]


def test_a_file_that_ends_the_process_is_a_failure(dy2st_command, tmp_path):
    path = tmp_path / "ends.py"
    path.write_text("import sys\nsys.exit(0)\n")
    code, out, err = dy2st_command("code", f"{path}:f")
    assert (code, out) == (1, "") and "ends the process" in err


def test_the_version_is_printed(dy2st_command):
    code, out, _ = dy2st_command("--version")
    assert code == 0 and out.startswith("dy2st ")


def test_graph_of_a_saved_model_is_the_same_program(dy2st_command, user_file, saved_model):
    path, net = saved_model
    code, out, _ = dy2st_command("graph", path)
    assert code == 0 and "matmul" in out and "linear.weight" in out


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["code", "{file}:"], "FILE.py:OBJECT"),
        (["code", "net.txt"], "there is no module net"),
        (["code", "missing.py:f"], "there is no file missing.py"),
        (["code", "{file}:Nope"], "there is no 'Nope' in {file}, which has Net, "),
        (["code", "{file}:Net.backward"], "there is no 'backward' in {file}:Net, which has forward"),
        (["code", "{file}:number.nope"], "there is no 'nope' in {file}:number, which has nothing public"),
        (["code", "{file}:double.nope"], "there is no 'nope' in {file}:double, which has nothing public"),
        (["code", "{file}:number"], "not a function"),
        (["graph", "{file}:double", "--spec", "float33[2]"], "float33"),
        (["graph", "{file}:double", "--spec", "int"], "tensor"),
        (["graph", "{file}:NeedsArguments.forward", "--spec", "float32[2]"], "width"),
        (["graph", "{file}:double"], "--spec"),
        (["graph", "nowhere/net"], "there is no model at nowhere/net"),
        (["graph", "nowhere/net", "--spec", "float32[2]"], "--spec"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_line(dy2st_command, user_file, arguments, complaint):
    code, out, err = dy2st_command(*[a.format(file=user_file) for a in arguments])
    assert (code, out) == (2, "")
    assert complaint.format(file=user_file) in err and err.startswith("dy2st: error: ") and err.count("\n") == 1


def test_a_failed_conversion_is_exit_code_1_and_one_line(dy2st_command, user_file):
    code, out, err = dy2st_command("graph", f"{user_file}:uses_numpy", "--spec", "float32[2]")
    assert (code, out) == (1, "")
    assert "numpy" in err and "net.py:" in err and err.count("\n") == 1


def test_wrong_usage_is_exit_code_2(dy2st_command):
    assert dy2st_command()[0] == 2
    assert dy2st_command("translate")[0] == 2
    code, out, _ = dy2st_command("--help")
    assert code == 0 and "inspect" in out


LOOPS = """
def plain(x):
    for i in range(100):
        x = x * 0.5 + i
    return x


def stepping(x):
    step = 1
    for i in range(100):
        x, step = x * 0.5 + step, step * 2 % 7
    return x
"""


def test_code_unrolled_says_why_a_loop_is_recorded_turn_by_turn(dy2st_command, tmp_path):
    (tmp_path / "loops.py").write_text(LOOPS)
    rolled = dy2st_command("code", f"{tmp_path}/loops.py:plain", "--spec", "float32[2]", "--unrolled")
    assert rolled == (0, "no loop would be shorter if it were recorded once\n", "")
    code, out, err = dy2st_command("code", f"{tmp_path}/loops.py:stepping", "--spec", "float32[2]", "--unrolled")
    assert (code, err) == (0, "")
    assert out == f"{tmp_path}/loops.py:10: this loop is unrolled: a value that Python knows changes from turn to turn\n"


def test_a_spec_without_unrolled_is_refused(dy2st_command, tmp_path):
    (tmp_path / "loops.py").write_text(LOOPS)
    code, out, err = dy2st_command("code", f"{tmp_path}/loops.py:plain", "--spec", "float32[2]")
    assert (code, out) == (2, "") and "--spec belongs to --unrolled and --html" in err
