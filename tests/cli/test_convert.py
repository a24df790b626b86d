"""`dy2st convert`: what is saved gives what the object gives."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dy2st

DROPPING = """\
import dy2st as paddle
from dy2st.static import InputSpec


class Dropping(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)
        self.drop = paddle.nn.Dropout(0.9)

    def forward(self, x):
        return self.drop(self.linear(x))


net = Dropping()
static = paddle.jit.to_static(Dropping(), input_spec=[InputSpec([None, 3], "float32", "x")])


def wrong(x):
    return x.fooo()


def one_path(x):
    if x.sum() > 0:
        return x.fooo()
    return x


def both_paths(x):
    if x.sum() > 0:
        return x.fooo()
    return x.baar()


number = 3
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dropping.py").write_text(DROPPING)
    return "dropping.py"


@pytest.mark.parametrize("out", ["out/net", "out/net.dy2st"])
def test_what_is_saved_is_the_object_in_evaluation_mode(dy2st_command, file, out, x):
    code, printed, err = dy2st_command("convert", f"{file}:net", "--spec", "x=float32[?,3]", "--out", out)
    assert (code, err) == (0, "") and "dropping.py:net is saved in evaluation mode" in printed
    assert f"wrote {out}" in printed and "entry: forward(x: float32[?,3]) -> float32[?,3]" in printed
    loaded = dy2st.jit.load(out)
    assert not loaded.training
    weight, bias = (t.numpy() for t in loaded.parameters())
    np.testing.assert_allclose(loaded(dy2st.to_tensor(x[1])).numpy(), x[1] @ weight + bias, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:Dropping is saved in training mode")
def test_train_saves_it_in_training_mode(dy2st_command, file):
    args = ["convert", f"{file}:Dropping", "--spec", "float32[?,3]", "--out", "net"]
    assert "in training mode" in dy2st_command(*args, "--train")[1]
    assert dy2st.jit.load("net").training


def test_i_04_the_mode_that_is_switched_and_fresh_weights_are_told(dy2st_command, file):
    args = ["--spec", "float32[?,3]", "--out", "net"]
    of_class, of_object = (dy2st_command("convert", f"{file}:{name}", *args)[1] for name in ("Dropping", "net"))
    assert "eval() was called first" in of_class and "Dropping() was called, so that its weights are fresh" in of_class
    assert "eval() was called first" in of_object and "fresh" not in of_object
    with pytest.warns(dy2st.errors.Dy2stWarning, match="Dropping is saved in training mode"):
        printed = dy2st_command("convert", f"{file}:net", *args, "--train")[1]
    assert "eval() was called" not in printed


def test_an_input_spec_of_the_file_is_enough(dy2st_command, file):
    assert dy2st_command("convert", f"{file}:static", "--out", "net")[0] == 0
    assert "x: float32[?,3]" in dy2st_command("inspect", "net")[1]


def test_a_file_of_onnx(dy2st_command, file, x):
    onnxruntime = pytest.importorskip("onnxruntime")
    assert dy2st_command("convert", f"{file}:net", "--spec", "x=float32[?,3]", "--out", "net.onnx")[0] == 0
    assert dy2st_command("convert", f"{file}:net", "--spec", "x=float32[?,3]", "--out", "net")[0] == 0
    session = onnxruntime.InferenceSession("net.onnx")
    (found,) = session.run(None, {session.get_inputs()[0].name: x[1]})
    assert found.shape == (2, 3)


def test_json_names_files_with_their_sizes(dy2st_command, file, tmp_path):
    found = json.loads(dy2st_command("convert", f"{file}:net", "--spec", "x=float32[?,3]", "--out", "net", "--json")[1])
    assert found["files"] == {name: (tmp_path / name).stat().st_size for name in found["files"]} and len(found["files"]) == 3
    (entry,) = found["entries"]
    assert entry == {"name": "forward", "inputs": [{"name": "x", "type": "float32[?,3]"}], "outputs": ["float32[?,3]"]}
    assert found["training"] is False


@pytest.mark.parametrize(
    "arguments, complaint, code",
    [
        (["net", "--out", "net"], "give one --spec for each", 2),
        (["net", "--spec", "float33[2]", "--out", "net"], "float33", 2),
        (["net", "--spec", "float32[?,3]", "--spec", "float32[2]", "--out", "net"], "2 --spec are given, for inputs (x)", 2),
        (["net", "--spec", "float32[?,3]", "--out", "."], "is a folder: name a file in it", 2),
        (["net", "--spec", "float32[?,3]", "--out", "net.info.json"], "write --out net", 2),
        (["one_path", "--spec", "float32[?,3]", "--train", "--out", "net"], "--train is for layers", 2),
        (["nope", "--spec", "float32[?,3]", "--out", "net"], "there is no 'nope' in dropping.py", 2),
        (["number", "--out", "net"], "is int", 2),
        (["wrong", "--spec", "float32[?,3]", "--out", "net"], "no attribute 'fooo'", 1),
        (["both_paths", "--spec", "float32[?,3]", "--out", "net"], "raises, whatever the inputs are: dropping.py:", 1),
        (["net", "--spec", "float32[?,4]", "--out", "net"], "float32[3,3] takes 3", 1),
    ],
)
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_what_can_not_be_converted_is_one_line_and_leaves_no_file(dy2st_command, file, tmp_path, arguments, complaint, code):
    target, *others = arguments
    found, out, err = dy2st_command("convert", f"{file}:{target}", *others)
    assert (found, out) == (code, "") and complaint in err.replace(f"{tmp_path}/", "") and err.count("\n") == 1, err
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {file}


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_a_path_that_raises_among_others_is_converted(dy2st_command, file):
    assert dy2st_command("convert", f"{file}:one_path", "--spec", "float32[?,3]", "--out", "net")[0] == 0
