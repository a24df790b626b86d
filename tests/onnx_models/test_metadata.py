"""What an exported file says of itself: who changes it gets a ModelFileError, before anything runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ModelFileError
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
onnx = pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

import dy2st.onnx  # noqa: E402


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x, n):
        self.count += 1
        x[0] = 1.0
        if n > 3:
            raise ValueError(int(n))
        if n < -3:
            raise ValueError(f"{int(n)} is {x.sum():.1f}")
        return x * n, {"count": self.count}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    specs = [InputSpec([None, 3], "float32", "x"), InputSpec([], "int64", "n")]
    return onnx.load(dy2st.onnx.export(Net(), tmp_path_factory.mktemp("exported") / "net", specs))


def put(*path, value):
    """A change of the tree: what stands at the path becomes `value`."""

    def change(tree):
        *way, last = path
        for step in way:
            tree = tree[step]
        tree[last] = value

    return change


def of_role(table, wanted, **entries):
    def change(tree):
        next(port for port in tree[table] if port["role"] == wanted).update(entries)

    return change


def of_text(**entries):
    def change(tree):
        tree["errors"][1]["arguments"][0].update(entries)

    return change


CHANGES = {
    "a text that no operator makes": (of_text(text="py.eval"), "makes no text"),
    "a text made by an operator on tensors": (of_text(text="exp"), "makes no text"),
    "a text of fewer operands": (of_text(of=[]), "makes no text of 0 operands"),
    "a text of another type": (of_text(text="py.str", positional=1, of=[["float", {"detail": 0}]]), "is a 'int', not 'float'"),
    "a text of a detail that isn't there": (of_text(of=[["int", {"detail": 9}]]), "there is no detail 9"),
    "a text with attributes that there are none of": (of_text(attributes={"dict": [["zz", 1]]}), "'str.concat'"),
    "a text with no attributes": (of_text(attributes=7), "the model's metadata"),
    "a text of texts": (of_text(of=[["str", {"text": "x"}]]), "isn't what dy2st writes"),
    "another format": (put("format", value=2), "has the format 2; this dy2st reads 1"),
    "no outputs": (lambda tree: tree.pop("outputs"), "isn't what dy2st writes"),
    "arguments that are none": (put("arguments", value="x"), "arguments: expected a list"),
    "an argument that is none": (put("arguments", value=[["x", {"zz": 1}]]), "describes no argument"),
    "one argument less": (lambda tree: tree["arguments"].pop(), "others for the graph"),
    "an argument of another dtype": (put("arguments", 0, 1, "tensor", "dtype", value="int32"), "others for the graph"),
    "an argument of no rank that there is": (put("arguments", 0, 1, "tensor", "shape", value=[None]), "others for the graph"),
    "an input that isn't there": (of_role("inputs", "value", leaves=["q"]), "the graph has no 'q'"),
    "a leaf less": (of_role("inputs", "state", leaves=[]), "has 1 tensors, not 0"),
    "an output that isn't there": (of_role("outputs", "value", leaves=["q", "r"]), "the graph has no 'q'"),
    "a result of another type": (of_role("outputs", "state", type="float"), "tensor(int64) in the graph, not tensor(double)"),
    "a type that is none": (of_role("outputs", "value", type="foo<bar>"), "no type or dtype is called foo"),
    "a structure that is none": (of_role("outputs", "value", type={"zz": 1}), "isn't one"),
    "another structure": (of_role("outputs", "value", original="list<float32[?,3]>"), "stands for a"),
    "a dict with a key more": (of_role("outputs", "value", original={"dict": [["a", "int"]] * 3}), "stands for a"),
    "a key that is none": (of_role("outputs", "value", original={"dict": [[{"zz": 1}, "int"]]}), "isn't what dy2st writes"),
    "a key that is no number": (of_role("outputs", "value", original={"dict": [[{"literal": "x"}, "int"]]}), "isn't what dy2st"),
    "a key that is a list": (of_role("outputs", "value", original={"dict": [[{"literal": "[1]"}, "int"]]}), "isn't what dy2st"),
    "a place that is cut off": (put("errors", 0, "loc", value=["net.py"]), "isn't what dy2st writes"),
    "a key that isn't one": (of_role("outputs", "state", key={"zz": 1}), "no input is the state"),
    "state of another type": (of_role("outputs", "state", original="float"), "no input is the state"),
    "a role that is none": (of_role("outputs", "value", role="zz"), "there is no role 'zz'"),
    "two results": (of_role("outputs", "error", role="value"), "tells of 2 results"),
    "state that isn't there": (of_role("outputs", "state", key="zz"), "no input is the state 'zz'"),
    "an argument beyond the last": (of_role("outputs", "argument", key=9), "there is no argument 9"),
    "an argument of no number": (of_role("outputs", "argument", key=True), "there is no argument True"),
    "an error without a line": (put("errors", value=[{"exception": "ValueError"}]), "isn't what dy2st writes"),
    "a message that nobody computes": (put("errors", 0, "arguments", value=[{"detail": 7}]), "there is no detail 7"),
    "failures that are none": (put("failures", value=[1]), "isn't what dy2st writes"),
    "a failure of no class": (put("failures", value={"add:1": [[], None, 7, 7]}), "isn't what dy2st writes"),
    "twins of no part": (put("twins", value=[[[0], [7]]]), "the result has no parts [0] and [7] of one type"),
    "twins of two types": (put("twins", value=[[[0], [1]]]), "of one type"),
    "twins that are none": (put("twins", value=[3]), "isn't what dy2st writes"),
    "memory that is none": (put("memory", value="zz"), "isn't what dy2st writes"),
}


def tampered(model, text):
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    changed.metadata_props[0].value = text
    return changed.SerializeToString()


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_changed(model, name):
    change, text = CHANGES[name]
    tree = json.loads(model.metadata_props[0].value)
    dy2st.onnx.Session(tampered(model, json.dumps(tree)))
    change(tree)
    with pytest.raises(ModelFileError) as caught:
        dy2st.onnx.Session(tampered(model, json.dumps(tree)))
    assert text in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", "[" * 100_000, '{"format": 1, "format": 1}', '{"format": NaN}'])
def test_what_is_no_metadata(model, text):
    with pytest.raises(ModelFileError, match="the model's metadata"):
        dy2st.onnx.Session(tampered(model, text))


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "os.system", "SyntaxError"])
def test_an_exception_that_ends_the_process_is_a_plain_one_of_that_name(model, name):
    tree = json.loads(model.metadata_props[0].value)
    tree["errors"][0].update(exception=name, bases=[name])
    session = dy2st.onnx.Session(tampered(model, json.dumps(tree)))
    with pytest.raises(Exception) as caught:
        session(paddle.ones([2, 3]), paddle.to_tensor(5))
    assert isinstance(caught.value, Exception) and caught.type not in (SystemExit, KeyboardInterrupt, SyntaxError)


def test_where_the_source_lies_stays_at_home(model):
    assert {node.doc_string.partition(":")[0] for node in model.graph.node} <= {"", "test_metadata.py"}
    assert str(Path(__file__).parent).encode() not in model.SerializeToString()


@pytest.mark.parametrize("name", [b"output", b"setitem", b"format", b"count"])
def test_a_name_that_is_no_text(model, name, capfd):
    data = model.SerializeToString()
    assert name in data
    with pytest.raises(ModelFileError):
        dy2st.onnx.Session(data.replace(name, name[:-1] + b"\xff"))
    assert capfd.readouterr() == ("", "")
