"""The page of a review as data: the Program's lines by constants that stand once, hostile names, no Program."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli.review import models

from dy2st.cli.naming.pytorch import concrete_program
from dy2st.cli.review import functions_of, review_data, reviewed
from dy2st.static import InputSpec

SOURCE = Path(models.__file__)
NUMBER = re.compile(r"-?\d+\.\d+")
HOSTILE = """\
import dy2st as paddle


def f(x, name="</script><script>document.title = 'owned'</script>"):
    # <img src=x onerror="document.title = 'owned'"> [[data]] <!-- <script>
    if x.sum() > 0:
        print(name, "<b>&amp;</b>")
    return {"<i>": x * 2}
"""


@pytest.fixture(scope="module")
def data():
    concrete = concrete_program(models.net, [InputSpec([None, 4], "float32", "x")])
    return review_data("models.py:net", list(map(reviewed, functions_of(models.net))), concrete, [])


def once(lines):
    """The numbers with a fraction that stand on one line, each with that line."""
    found = {}
    for line in lines:
        for number in NUMBER.findall(line["text"]):
            found.setdefault(number.lstrip("-"), []).append(line)
    return {number: lines[0] for number, lines in found.items() if len(lines) == 1}


@pytest.mark.parametrize("column", ["program", "engine"])
def test_a_constant_that_stands_once_is_linked_to_its_line(data, column):
    source = once(line for function in data["functions"] for line in function["source"])
    there = once(data[column])
    both = source.keys() & there.keys()
    assert len(both) >= (10 if column == "program" else 4)
    assert [number for number in both if source[number]["at"][0] != there[number]["at"][0]] == []


def test_what_a_call_runs_is_linked_to_the_call_too(data):
    forward, gate = data["functions"][:2]
    assert (forward["name"], gate["name"]) == ("Net.forward", "Gate.forward")
    call = next(line for line in forward["source"] if line["text"].strip() == "x = gate(x)")
    inner = next(line for line in gate["source"] if "self.fc(x)" in line["text"])
    products = [line for line in data["program"] if " = matmul " in line["text"]]
    assert len(products) == 2 and all(line["at"][:2] == [*inner["at"], *call["at"]] for line in products)


def test_every_line_is_there_and_no_link_leads_nowhere(data):
    concrete = concrete_program(models.net, [InputSpec([None, 4], "float32", "x")])
    assert "\n".join(line["text"] for line in data["program"]) + "\n" == str(concrete.main_program)
    assert "\n".join(line["text"] for line in data["engine"]) + "\n" == concrete.executable.source
    own = {key for function in data["functions"] for line in function["source"] for key in line["at"]}
    everywhere = [*data["program"], *data["engine"], *(line for f in data["functions"] for line in f["rewritten"])]
    assert {key for line in everywhere for key in line["at"]} <= own
    assert json.loads(json.dumps(data)) == data


def page_of(dy2st_command, tmp_path, *arguments):
    code, out, err = dy2st_command("code", *arguments, "--html", tmp_path / "out.html")
    assert (code, err) == (0, ""), err
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    script = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1]
    return text, json.loads(script), out


def test_names_and_texts_are_never_markup(dy2st_command, tmp_path):
    folder = tmp_path / "<img src=x onerror=alert(1)>"
    folder.mkdir()
    (folder / "net.py").write_text(HOSTILE)
    text, data, _ = page_of(dy2st_command, tmp_path, f"{folder}/net.py:f", "--spec", "x=float32[?,3]")
    assert text.count("<script") == text.count("</script>") == 2 and "<!--" not in text
    assert "<img" not in text and "<b>&amp;" not in text and "<i>" not in text
    assert [line["text"] for line in data["functions"][0]["source"]] == HOSTILE.split("\n")[3:-1]


def test_what_nobody_sees_is_shown_as_an_escape(dy2st_command, tmp_path):
    (tmp_path / "net.py").write_text("def f(x):\n\tname = 'a\u202eb'\n\treturn x, name\n", encoding="utf-8")
    text, data, _ = page_of(dy2st_command, tmp_path, f"{tmp_path}/net.py:f", "--spec", "float32[3]")
    assert data["functions"][0]["source"][1]["text"] == r"        name = 'a\u202eb'" and "\u202e" not in text
    assert r"a\u202eb" in "".join(line["text"] for line in data["program"])


def test_without_types_it_says_how_to_give_them(dy2st_command, user_file, tmp_path):
    _, data, out = page_of(dy2st_command, tmp_path, f"{user_file}:double")
    assert data["program"] is data["engine"] is None and all(not one["fates"] for one in data["functions"])
    words, command = data["advice"]
    assert "of which types the inputs are" in words and "--spec 'x=float32[?,3]'" in command and command in out
    _, data, _ = page_of(dy2st_command, tmp_path, f"{user_file}:NeedsArguments")
    assert "name an object of the file instead" in data["advice"][0] and data["functions"][0]["name"] == "NeedsArguments.forward"


def test_a_helper_that_cant_be_rewritten_says_so_in_its_place(dy2st_command, tmp_path):
    helper = "async def later(x):\n    return x\n\n\n"
    (tmp_path / "net.py").write_text(helper + "def f(x):\n    return later(x) if x.shape[0] == 7 else x.abs()\n")
    _, data, _ = page_of(dy2st_command, tmp_path, f"{tmp_path}/net.py:f", "--spec", "float32[3]")
    assert [one["name"] for one in data["functions"]] == ["f", "later"] and data["program"]
    assert "can't be rewritten" in data["functions"][1]["rewritten"][0]["text"]
    code, out, err = dy2st_command("code", f"{tmp_path}/net.py:later", "--diff")
    assert (code, out) == (1, "") and "write it as a plain function" in err


DECORATED = """\
import functools

import dy2st as paddle


def repeated(times):
    def around(function):
        @functools.wraps(function)
        def inner(x):
            for _ in range(times):
                x = function(x)
            return x

        return inner

    return around


@paddle.no_grad()
@repeated(3)
def step(x):
    if x.sum() > 0:
        x = x - 1
    return x


step = paddle.jit.to_static(step)
"""


def test_decorators_of_the_users_own_are_there_and_no_others(dy2st_command, tmp_path):
    (tmp_path / "decorated.py").write_text(DECORATED)
    (tmp_path / "cached.py").write_text(DECORATED.replace("(3)\n", "(3)\n@functools.lru_cache\n"))
    target = f"{tmp_path}/decorated.py:step"
    assert dy2st_command("code", target)[1].startswith("def inner(x):")
    for name in ("decorated", "cached"):
        functions = json.loads(dy2st_command("code", f"{tmp_path}/{name}.py:step", "--diff", "--json")[1])["functions"]
        assert [one["name"] for one in functions] == ["inner around step", "step"], name
    page = tmp_path / "page.html"
    arguments = ("code", target, "--spec", "float32[?]", "--html", page, "--json")
    assert json.loads(dy2st_command(*arguments)[1])["functions"] == ["inner around step", "step"]
    assert "3 turns" in page.read_text(encoding="utf-8")


def test_the_file_is_imported_once(dy2st_command, tmp_path):
    (tmp_path / "net.py").write_text("print('here')\n\n\ndef f(x):\n    return x.abs()\n")
    for question in (["--diff"], ["--html", tmp_path / "out.html", "--spec", "float32[3]"]):
        assert dy2st_command("code", f"{tmp_path}/net.py:f", *question)[2] == "here\n"


def test_types_that_the_file_gives_are_taken(dy2st_command, user_file, tmp_path):
    _, data, _ = page_of(dy2st_command, tmp_path, f"{user_file}:halve")
    assert any("divide" in line["text"] for line in data["program"])


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["{file}:double", "--diff", "--html", "o.html"], "--diff and --html are two questions"),
        (["{file}:double", "--diff", "--spec", "float32[2]"], "--spec belongs to --unrolled and --html"),
        (["{file}:NeedsArguments", "--html", "o.html", "--spec", "float32[2]"], "name an object of the file instead"),
        (["{file}:number", "--diff"], "not a function, a method or a layer"),
        (["{file}", "--diff"], "name an object in it"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_line(dy2st_command, user_file, arguments, complaint, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code, out, err = dy2st_command("code", *[a.format(file=user_file) for a in arguments])
    assert (code, out) == (2, "") and complaint in err and err.count("\n") == 1 and not (tmp_path / "o.html").exists()
