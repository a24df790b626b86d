"""The info file, and how the three files fit together."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir.programs import by_name
from saving.mutation import mutate_tree
from support.sampling import amount

from dy2st import jit, nn
from dy2st.errors import ModelFileError
from dy2st.saving import Info, files, read_files, write_files
from dy2st.saving.info import info_from_json, info_to_json
from dy2st.saving.model_json import program_to_json
from dy2st.saving.params import ParamsFile
from dy2st.static import InputSpec

INFO = Info(
    entries={"forward": "main", "encode": "main"},
    inputs={"forward": [{"shape": [None, 2], "dtype": "float32", "name": "x"}, {"constant": 0.5}]},
    outputs={"forward": {"tuple": ["tensor", {"a": None}]}},
    training=True,
    name="net",
    versions={"dy2st": "0.1.0"},
    extra={"anything": [1, True, "é"]},
)
HASHES = {"model.json": "0" * 64, "params.safetensors": "1" * 64}


def test_it_comes_back():
    text = info_to_json(INFO, HASHES)
    assert info_from_json(text) == (INFO, HASHES)
    assert list(json.loads(text)) == sorted(json.loads(text))


@pytest.mark.parametrize("extra", [{"a": object()}, {"a": float("nan")}, {1: 2}, {"a": (1, 2)}, {"a": np.float32(1)}])
def test_only_json_is_kept(extra, tmp_path):
    with pytest.raises(ValueError, match="info extra"):
        write_files(tmp_path / "net", by_name("int_arithmetic").build(), Info(extra=extra))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "0" * 63, "G" * 64, "a/" * 32])
def test_a_sha256_is_one(digest):
    text = info_to_json(INFO, HASHES | {"model.json": digest})
    with pytest.raises(ModelFileError, match="is not a sha256"):
        info_from_json(text)


@pytest.mark.long
@settings(max_examples=amount(300, 50), deadline=None)
@given(st.randoms(use_true_random=False))
def test_changed_texts_load_or_are_refused(random):
    try:
        info_from_json(mutate_tree(info_to_json(INFO, HASHES), random))
    except ModelFileError as error:
        assert str(error)


def write(folder, info=None, model=None, arrays=None):
    """Three files that belong together by their sha256, whatever they hold."""
    program = by_name("tensor_and_parameter").build()
    model = program_to_json(program) if model is None else model
    arrays = {"linear.weight": np.ones(2, np.float32)} if arrays is None else arrays
    contents = {files.MODEL: [model.encode()], files.PARAMS: ParamsFile(arrays)}
    files.write_model(folder / "net", files.seal(contents, info or Info()))
    return read_files(folder / "net")


def test_files_that_disagree_are_refused(tmp_path):
    write(tmp_path)
    with pytest.raises(ModelFileError, match="don't agree: linear.weight, other is in one"):
        write(tmp_path, arrays={"other": np.ones(2, np.float32)})
    with pytest.raises(ModelFileError, match=r"but its data is float32\[3\]"):
        write(tmp_path, arrays={"linear.weight": np.ones(3, np.float32)})
    with pytest.raises(ModelFileError, match="not valid JSON"):
        write(tmp_path, model="{")


def test_a_parameter_without_data_is_not_saved(tmp_path):
    program = by_name("tensor_and_parameter").build()
    program.parameters["linear.weight"].data = None
    with pytest.raises(ValueError, match="'linear.weight' has no data"):
        write_files(tmp_path / "net", program, Info())
    assert list(tmp_path.iterdir()) == []


def test_e_11_an_empty_info_file_is_told_with_its_path(tmp_path):
    path = tmp_path / "net"
    jit.save(nn.Linear(2, 2), str(path), input_spec=[InputSpec([None, 2], "float32", "x")])
    (tmp_path / "net.info.json").write_bytes(b"")
    with pytest.raises(ModelFileError, match=r"net\.info\.json: the info file is not valid JSON"):
        jit.load(str(path))
