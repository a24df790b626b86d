"""Files of ONNX models are enemies: what they may say, and what is said of it."""

from __future__ import annotations

import contextlib
import os
import random
import warnings

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are read with the package onnx: pip install '.[onnx]'")

import onnx
from onnx_models.reading.cases import all_cases, apart
from onnx_models.reading.mutation import mutated
from onnx_models.reading.small import model
from support.sampling import SEED, amount, case_in_failure

import dy2st
from dy2st.errors import ConversionError, Dy2stError, ModelFileError

WEIGHTS = np.arange(6, dtype="float32").reshape(2, 3)


def with_external(folder, **entries):
    """A model in a folder whose weights lie in a file that these entries tell of: its path."""
    made = model("(float[N, 2] x) => (float[N, 3] y)", "y = MatMul(x, w)", w=WEIGHTS)
    (weights,) = made.graph.initializer
    weights.ClearField("raw_data")
    weights.data_location = onnx.TensorProto.EXTERNAL
    for key, value in entries.items():
        weights.external_data.add(key=key, value=str(value))
    path = folder / "net.onnx"
    path.write_bytes(made.SerializeToString())
    return path


def test_weights_may_lie_beside_the_model(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "w.bin").write_bytes(b"head" + WEIGHTS.tobytes() + b"tail")
    path = with_external(tmp_path, location="data/w.bin", offset=4, length=24)
    x = np.ones((2, 2), "float32")
    assert (dy2st.onnx.load(path)(x).numpy() == x @ WEIGHTS).all()


@pytest.mark.parametrize(
    "entries, said",
    [
        ({"location": "../w.bin"}, "isn't in the folder of the model"),
        ({"location": "{outside}/w.bin"}, "isn't in the folder of the model"),
        ({"location": "link.bin"}, "isn't in the folder of the model"),
        ({"location": ""}, "isn't in the folder of the model"),
        ({"location": "none.bin"}, "none.bin.*which isn't there"),
        ({"location": "."}, "which isn't there: it is a folder"),
        ({"location": "pipe"}, "which isn't there: it is a pipe or device"),
        ({"location": "a\0b"}, "which isn't in the folder of the model"),
        ({"location": "a" * 5000}, "which isn't in the folder of the model"),
        ({"location": "circle"}, "which can't be read: (Symlink loop|Too many levels)"),
        ({"location": "w.bin", "offset": 8}, "where 24 bytes are needed; it has 24"),
        ({"location": "w.bin", "offset": -4}, "at no place: its offset is '-4'"),
        ({"location": "w.bin", "length": 20}, "where 24 bytes are needed"),
        ({"location": "w.bin", "offset": "first"}, "at no place"),
    ],
)
def test_weights_elsewhere_are_refused(tmp_path, entries, said):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "w.bin").write_bytes(WEIGHTS.tobytes())
    (tmp_path / "w.bin").write_bytes(WEIGHTS.tobytes())
    (inside / "link.bin").symlink_to(outside / "w.bin")
    (inside / "circle").symlink_to(inside / "circle")
    os.mkfifo(inside / "pipe")
    told = {key: str(value).replace("{outside}", str(outside)) for key, value in entries.items()}
    with pytest.raises(ModelFileError, match=said):
        dy2st.onnx.load(with_external(inside, **told))


def test_bytes_lead_to_no_other_file(tmp_path):
    (tmp_path / "w.bin").write_bytes(WEIGHTS.tobytes())
    path = with_external(tmp_path, location="w.bin")
    with pytest.raises(ModelFileError, match="load it by its path"):
        dy2st.onnx.load(path.read_bytes())


def test_a_path_that_leads_nowhere(tmp_path):
    with pytest.raises(ModelFileError, match=r"can't read .*none.onnx: No such file"):
        dy2st.onnx.load(tmp_path / "none.onnx")


@pytest.mark.parametrize("data", [b"", b"not a model", b"\x08" * 40])
def test_bytes_that_are_no_model(data):
    with pytest.raises(ModelFileError):
        dy2st.onnx.load(data)


def test_all_unknown_operators_are_named_before_anything_runs():
    made = model("(float[2] x) => (float[2] y)", "a = Relu(x) b = Bar(a) c = Foo(b) y = own.Baz(c)")
    made.opset_import.add(domain="own", version=3)
    with pytest.raises(ConversionError) as raised:
        dy2st.onnx.load(made)
    assert str(raised.value) == (
        "these operators of the model can't be loaded: Bar (version 18), Foo (version 18), own.Baz (version 3)"
    )


def test_unknown_operators_in_branches_are_named_too():
    made = model(
        "(bool c, float[2] x) => (float[2] y)",
        "y = If(c) <then_branch = a () => (float[2] p) { p = Foo(x) }, else_branch = b () => (float[2] q) { q = Abs(x) }>",
    )
    with pytest.raises(ConversionError, match=r"can't be loaded: Foo \(version 18\)"):
        dy2st.onnx.load(made)


def test_an_opset_that_is_newer_than_the_package():
    with pytest.raises(ConversionError, match="written in opset 99, the installed package onnx knows"):
        dy2st.onnx.load(model("(float[2] x) => (float[2] y)", "y = Relu(x)", opset=99))


def test_dtypes_that_dy2st_lacks_are_named():
    with pytest.raises(ConversionError, match="tensors of UINT16 can't be loaded"):
        dy2st.onnx.load(model("(uint16[2] x) => (uint16[2] y)", "y = Identity(x)"))


def test_values_that_nobody_gives_are_named():
    with pytest.raises(ModelFileError, match="no valid ONNX model"):
        dy2st.onnx.load(model("(float[2] x) => (float[2] y)", "y = Add(x, z) z = Relu(y)"))


def test_what_a_node_lacks_names_the_node():
    made = model("(float[2] x, int64[N] axes) => (float[M] y)", "y = ReduceSum(x, axes)")
    with pytest.raises(ConversionError, match=r"^small:1: ReduceSum y: how many numbers input 1 holds is known only when"):
        dy2st.onnx.load(made)


def test_a_node_that_fails_when_the_model_runs_is_named():
    net = dy2st.onnx.load(model("(float[N] x, float[M] z) => (float[K] y)", "a = Relu(x) y = Add(a, z)"))
    with pytest.raises(ValueError) as raised:
        net(np.ones(2, "float32"), np.ones(3, "float32"))
    assert "at small:2, in Add y" in "\n".join(raised.value.__notes__)


SHELL = """<domain: "own", opset_import: ["": 18, "own": 1]>"""


def test_functions_that_call_each_other_in_a_circle():
    functions = f"{SHELL} f (a) => (b) {{ b = own.g (a) }} {SHELL} g (a) => (b) {{ b = own.f (a) }}"
    with pytest.raises(ModelFileError, match="in a circle: 'f', 'g'"):
        dy2st.onnx.load(model("(float[2] x) => (float[2] y)", "y = own.f (x)", functions=functions))


def chain(count, calls):
    """Functions, each of which calls the next so many times; the last one calls Relu."""
    text = f"{SHELL} f0 (a) => (b) {{ b = Relu (a) }}"
    for k in range(1, count):
        steps = "".join(f" v{n + 1} = own.f{k - 1} (v{n})" for n in range(calls))
        text += f" {SHELL} f{k} (v0) => (v{calls}) {{{steps} }}"
    return model("(float[2] x) => (float[2] y)", f"y = own.f{count - 1} (x)", functions=text)


@pytest.mark.parametrize("count, calls, said", [(300, 1, "depth"), (60, 3, "200001, more than the limit of 200000")])
def test_functions_that_stand_for_more_than_there_is_room_for(count, calls, said):
    with pytest.raises(ModelFileError, match=said):
        dy2st.onnx.load(chain(count, calls))


def test_a_huge_constant_is_not_made_while_it_is_loaded():
    made = model("(float[1] x) => (float[M] y)", "a = ConstantOfShape(n) y = Add(a, x)", n=np.array([1 << 40]))
    assert "full" in [op.name for op in dy2st.onnx.load(made).program().walk()]


def loads_or_says_why(source):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(Dy2stError):
            dy2st.onnx.load(source)


def test_changed_bytes_are_a_model_or_an_error_in_words():
    """Nothing but errors of dy2st leaves, whatever bytes change."""
    body = """a = MatMul(x, w) s = Shape(a) t = Slice(s, zero, one) r = Reshape(a, s) y = If(c) <
        then_branch = p () => (float[N, 3] u) { u = Neg(r) }, else_branch = q () => (float[N, 3] v) { v = Relu(r) }>"""
    data = model(
        "(float[N, 2] x, bool c) => (float[N, 3] y)", body, w=WEIGHTS, zero=np.array([0]), one=np.array([1])
    ).SerializeToString()
    chance = random.Random(int(SEED))
    for _ in range(amount(3000, 100)):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        loads_or_says_why(bytes(changed))


@pytest.mark.long
def test_changed_models_are_a_model_or_an_error_in_words():
    """The same of changes that leave the form of the file as it is."""
    chance = random.Random(int(SEED))
    cases = [case for case in all_cases() if not apart(case)]
    for _ in range(amount(5000, 150)):
        case = chance.choice(cases)
        with case_in_failure(case.name):
            loads_or_says_why(mutated(case.model, chance))
