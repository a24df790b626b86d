"""What `dy2st.onnx.export` is given, and what it writes when it refuses: nothing."""

from __future__ import annotations

import os

import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError, ModelFileError
from dy2st.static import InputSpec

pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from dy2st.onnx import export  # noqa: E402

LINE = r"test_export_arguments.py:\d+: "
SPECS = [InputSpec([3, 3], "float32", "x")]


def doubled(x):
    return x * 2


def singular(x):
    y = x + 1
    return paddle.linalg.svd(y)


def keyed(x):
    found = {}
    for k in range(x.shape[0]):
        found[int(x[k].sum())] = k
    return len(found)


def nothing(x):
    return None


def transformed(x):
    return paddle.sin(paddle.fft.fft(x)).real()


WRONG = {
    "no path": ((doubled, None, SPECS), {}, TypeError, "path is a str or a path, not NoneType"),
    "a number for a path": ((doubled, 3, SPECS), {}, TypeError, "path is a str or a path, not int"),
    "an empty path": ((doubled, "", SPECS), {}, ValueError, "has no file name"),
    "a folder": ((doubled, "folder/", SPECS), {}, ValueError, "has no file name"),
    "a version before": ((doubled, "a", SPECS, 11), {}, ValueError, "opset_version is 17 to 26, not 11; left out"),
    "a version after": ((doubled, "a", SPECS, 27), {}, ValueError, "opset_version is 17 to 26, not 27"),
    "a text for a version": ((doubled, "a", SPECS, "18"), {}, ValueError, "opset_version is 17 to 26, not '18'"),
    "a fraction for a version": ((doubled, "a", SPECS, 18.5), {}, ValueError, "opset_version is 17 to 26, not 18.5"),
    "no spec": ((doubled, "a"), {}, ValueError, "give an input_spec to to_static, jit.save or onnx.export"),
    "a spec in no list": ((doubled, "a", SPECS[0]), {}, TypeError, "input_spec is a list or tuple"),
    "a spec too many": ((doubled, "a", SPECS * 2), {}, ValueError, "input_spec has 2 entries"),
    "no model": ((3, "a", SPECS), {}, TypeError, "export takes a Layer, a function, or the path of a saved model, not int"),
    "a class": ((nn.Linear, "a", SPECS), {}, TypeError, "not the class Linear: make one of it"),
    "a path of no model": (("missing", "a"), {}, ModelFileError, "there is no model"),
    "an option that is none": ((doubled, "a", SPECS), {"weights": "float16"}, ValueError, "export has no option weights; it has"),
    "a tensor to verify with": ((doubled, "a", SPECS), {"verify": paddle.ones([3, 3])}, TypeError, "verify is a tuple"),
    "too few to verify with": ((doubled, "a", SPECS), {"verify": ()}, TypeError, "the argument 'x' is missing"),
    "svd": ((singular, "a", SPECS), {}, ConversionError, rf"{LINE}svd has no form in ONNX: .*compute them before"),
    "svd, weights outside": ((singular, "a", SPECS), {"external_weights": True}, ConversionError, "svd has no form in ONNX"),
    "keys of the run": ((keyed, "a", SPECS), {}, ConversionError, rf"{LINE}.*use a list for each"),
    "complex numbers": ((transformed, "a", SPECS), {}, ConversionError, rf"{LINE}.*isn't computed of complex numbers"),
    "no result": ((nothing, "a", SPECS), {}, ConversionError, "gives no tensor and no number, .*: return what it computes"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_refused(name, tmp_path, monkeypatch):
    args, options, error, text = WRONG[name]
    monkeypatch.chdir(tmp_path)
    os.mkdir("folder")
    with pytest.raises(error, match=text):
        export(*args, **options)
    assert os.listdir() == ["folder"] and not os.listdir("folder")


def test_a_refusal_shows_the_users_line(tmp_path):
    with pytest.raises(ConversionError) as caught:
        export(singular, tmp_path / "a", SPECS)
    assert caught.traceback[-1].frame.code.name == "singular"


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        export(doubled, tmp_path / "file" / "a", SPECS)
    assert os.listdir(tmp_path) == ["file"]
