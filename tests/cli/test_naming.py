"""What a word names: a saved model by any of its files, an object of a file or of a module."""

from __future__ import annotations

import json
import shutil
import sys

import numpy as np
import pytest


@pytest.fixture
def package(tmp_path, monkeypatch, request):
    """A package with relative imports, in the folder that one is in; the name is the test's own, as modules stay."""
    name = f"pack_{abs(hash(request.node.name))}"
    (tmp_path / name / "inner").mkdir(parents=True)
    (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / name / "inner" / "__init__.py").write_text("")
    (tmp_path / name / "parts.py").write_text("def half(x):\n    return x / 2\n")
    (tmp_path / name / "inner" / "net.py").write_text(
        "from ..parts import half\n\n\ndef quarter(x):\n    from ..parts import half as again\n    return again(half(x))\n"
    )
    monkeypatch.chdir(tmp_path)
    return name


NAMES = ["net", "net.info.json", "net.model.json", "net.params.safetensors", ""]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["inspect", "graph"])
def test_a_model_has_the_name_of_each_of_its_files_and_of_its_folder(dy2st_command, saved_model, name, command):
    folder = saved_model[0].parent
    assert dy2st_command(command, folder / name) == dy2st_command(command, folder / "net")
    assert dy2st_command(command, folder / "net")[0] == 0


@pytest.mark.parametrize("name", NAMES)
def test_run_profile_and_diff_know_the_same_names(dy2st_command, saved_model, x, name):
    path = saved_model[0].parent / name
    assert dy2st_command("run", path, "--input", x[0]) == dy2st_command("run", saved_model[0], "--input", x[0])
    assert dy2st_command("profile", path, "--input", x[0], "--repeat", "1")[0] == 0
    assert dy2st_command("diff", path, saved_model[0]) == (0, "", "")


def test_an_archive_names_a_model_and_so_does_the_folder_that_it_is_alone_in(dy2st_command, user_file, tmp_path):
    made = ["convert", f"{user_file}:double", "--spec", "float32[?,3]", "--out", tmp_path / "one" / "double.dy2st"]
    assert dy2st_command(*made)[0] == 0
    assert dy2st_command("inspect", tmp_path / "one") == dy2st_command("inspect", tmp_path / "one" / "double.dy2st")


@pytest.mark.parametrize(
    "name, complaint",
    [
        ("out/nett", "there is no model at out/nett (looked for out/nett.info.json and for an archive); there is out/net"),
        ("two", "two is a folder with 2 models: name one, two/a, two/b"),
        ("empty", "there is no model in the folder empty"),
        ("out/net.model.jsonx", "there is no model at out/net.model.jsonx"),
        ("part/net.model.json", "there is no model at part/net.model.json: part/net.info.json is missing"),
        ("net.py", "net.py is Python source: dy2st code lists what is in it"),
        ("x.npy", "x.npy is an array: name the model first"),
        ("net.onnx", "net.onnx is an ONNX file"),
        ("twin", "twin is a folder, and twin.info.json belongs to a model"),
    ],
)
def test_what_names_no_model_or_several_says_what_there_is(dy2st_command, saved_model, tmp_path, monkeypatch, name, complaint):
    monkeypatch.chdir(tmp_path)
    for folder in ("two", "empty", "part", "twin"):
        (tmp_path / folder).mkdir()
    for target in ("two/a", "two/b", "twin"):
        shutil.copy("out/net.info.json", f"{target}.info.json")
    shutil.copy("out/net.model.json", "part/net.model.json")
    for file in ("x.npy", "net.onnx"):
        (tmp_path / file).touch()
    code, out, err = dy2st_command("inspect", name)
    assert (code, out) == (2, "") and complaint in err and err.count("\n") == 1


def test_a_method_of_a_saved_model_can_be_run(dy2st_command, tmp_path, monkeypatch, x):
    (tmp_path / "coder.py").write_text(
        "import dy2st as paddle\nfrom dy2st.static import InputSpec\n\n\nclass Coder(paddle.nn.Layer):\n"
        "    def forward(self, x):\n        return x\n\n"
        "    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], 'float32', 'x')])\n"
        "    def encode(self, x):\n        return x * 2\n\n\n"
        "coder = Coder()\npaddle.jit.save(coder, 'coder', skip_forward=True)\n"
    )  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert dy2st_command("code", "coder.py")[0] == 0
    code, out, err = dy2st_command("run", "coder.encode", "--input", x[0])
    assert (code, err) == (0, "") and "[ 6.  8. 10.]" in out


def test_an_object_of_a_module_and_of_a_file_in_a_package(dy2st_command, package):
    by_module = dy2st_command("graph", f"{package}.inner.net:quarter", "--spec", "float32[2]")
    by_file = dy2st_command("graph", f"{package}/inner/net.py:quarter", "--spec", "float32[2]")
    assert by_module[0] == 0 and by_module[1].count("divide") == 2, by_module
    assert by_module == by_file


def test_who_calls_main_finds_the_path_as_it_was(dy2st_command, user_file, package):
    before = sys.path[:]
    dy2st_command("code", f"{user_file}:double")
    dy2st_command("code", f"{package}.parts:half")
    assert sys.path == before


@pytest.mark.parametrize(
    "target, complaint",
    [
        ("no_such_package.mod:f", "there is no module no_such_package"),
        ("{package}.nope:f", "there is no module {package}.nope"),
        ("{package}.parts:nope", "there is no 'nope' in {package}.parts, which has half"),
        ("net.txt:f", "net.txt can't be imported"),
        ("a b.c:f", "not of the form FILE.py:OBJECT or package.module:OBJECT"),
    ],
)
def test_what_names_no_object(dy2st_command, package, target, complaint):
    code, out, err = dy2st_command("code", target.format(package=package))
    assert (code, out) == (2, "") and complaint.format(package=package) in err and err.count("\n") == 1


def test_a_module_that_imports_what_is_nowhere_is_a_failure_of_that_module(dy2st_command, tmp_path):
    (tmp_path / "needy.py").write_text("import no_such_thing\n")
    code, out, err = dy2st_command("code", tmp_path / "needy.py")
    assert (code, out) == (1, "") and "ModuleNotFoundError: No module named 'no_such_thing'" in err


def test_code_of_a_file_lists_what_is_there(dy2st_command, user_file):
    code, out, err = dy2st_command("code", user_file)
    assert (code, err) == (0, "")
    lines = user_file.read_text().splitlines()
    rows = {line.split()[0]: line for line in out.splitlines()}
    names = ["Net", "Net.forward", "NeedsArguments", "NeedsArguments.forward", "double", "halve", "uses_numpy", "net"]
    assert list(rows) == ["name", *names]
    for name, kind, text in [
        ("Net", "layer class", "class Net"), ("NeedsArguments.forward", "method", None), ("double", "function", "def double"),
        ("halve", "static function", None), ("net", "layer, a NeedsArguments", None),
    ]:  # fmt: skip
        assert kind in rows[name]
        if text is not None:
            assert f"  {next(k for k, line in enumerate(lines, 1) if line.startswith(text))}  " in rows[name]


def test_each_target_of_the_listing_is_one(dy2st_command, user_file):
    found = json.loads(dy2st_command("code", user_file, "--json")[1])
    assert len(found) == 8
    for row in found:
        code, out, err = dy2st_command("code", row["target"])
        assert code == 0 and "def " in out, (row, err)


METHODS = """\
import dy2st as paddle


class Net(paddle.nn.Layer):
    @paddle.jit.to_static
    def forward(self, x):
        return x

    @staticmethod
    def plain(x):
        return x

    @classmethod
    def made(cls, x):
        return x

    @property
    def width(self):
        return 1
"""


def test_methods_of_all_kinds_are_listed(dy2st_command, tmp_path):
    (tmp_path / "kinds.py").write_text(METHODS)
    found = json.loads(dy2st_command("code", tmp_path / "kinds.py", "--json")[1])
    assert [(row["name"], row["kind"]) for row in found] == [
        ("Net", "layer class"), ("Net.forward", "static method"), ("Net.plain", "@staticmethod"), ("Net.made", "@classmethod"),
    ]  # fmt: skip
    for row in found:
        code, out, err = dy2st_command("code", row["target"])
        assert code == 0 and "def " in out, (row, err)


def test_a_saved_function_is_called_by_its_name_once(dy2st_command, tmp_path):
    (tmp_path / "minus.py").write_text("def minus(a, b):\n    return a - b\n")
    specs = ["--spec", "a=float32[2]", "--spec", "b=float32[2]"]
    assert dy2st_command("convert", f"{tmp_path}/minus.py:minus", *specs, "--out", tmp_path / "minus")[0] == 0
    np.savez(tmp_path / "one.npz", a=np.float32([5, 6]))
    code, _, err = dy2st_command("run", tmp_path / "minus", "--input", tmp_path / "one.npz")
    assert code != 0 and "TypeError: minus: the argument 'b' is missing" in err


def test_a_file_with_nothing_in_it(dy2st_command, tmp_path):
    (tmp_path / "empty.py").write_text("x = 3\n")
    code, out, err = dy2st_command("code", tmp_path / "empty.py")
    assert (code, out) == (2, "") and "makes no function and no class" in err


def test_arrays_of_an_npz_file_are_taken_by_name_where_they_are_the_inputs(dy2st_command, tmp_path):
    (tmp_path / "minus.py").write_text("def minus(a, b):\n    return a - b\n")
    specs = ["--spec", "a=float32[2]", "--spec", "b=float32[2]"]
    assert dy2st_command("convert", f"{tmp_path}/minus.py:minus", *specs, "--out", tmp_path / "minus")[0] == 0
    np.savez(tmp_path / "named.npz", b=np.float32([1, 1]), a=np.float32([5, 6]))
    np.savez(tmp_path / "other.npz", u=np.float32([1, 1]), v=np.float32([5, 6]))
    assert "[4. 5.]" in dy2st_command("run", tmp_path / "minus", "--input", tmp_path / "named.npz")[1]
    assert "[-4. -5.]" in dy2st_command("run", tmp_path / "minus", "--input", tmp_path / "other.npz")[1]
