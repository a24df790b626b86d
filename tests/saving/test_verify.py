"""`jit.load(path, verify="header")`: no weights are read, and files that don't belong together are told apart all the same."""

import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

import dy2st as paddle
from dy2st.errors import ModelFileError
from dy2st.jit.loading import load as loading
from dy2st.saving import files

KINDS = ["net", "net.dy2st"]
PARAMS = "net.params.safetensors"
OLD = Path(__file__).parent.parent / "old_files" / "0.1.0"


def save(folder, value, kind="net"):
    """A model whose weight holds `value`, saved in a folder; the path to load."""
    net = paddle.nn.Linear(4, 3)
    net.weight.set_value(np.full((4, 3), value, "float32"))
    folder.mkdir(exist_ok=True)
    paddle.jit.save(paddle.jit.to_static(net), str(folder / kind), input_spec=[paddle.static.InputSpec([None, 4], "float32")])
    return folder / kind


def loaded(path):
    return paddle.jit.load(str(path), verify="header")


@pytest.mark.parametrize("kind", KINDS)
def test_it_gives_what_the_default_gives(tmp_path, kind):
    path = save(tmp_path, 2.0, kind)
    x = np.ones((2, 4), "float32")
    assert np.array_equal(loaded(path)(x).numpy(), paddle.jit.load(str(path))(x).numpy())
    assert loaded(path).weight.numpy().tolist() == [[2.0] * 3] * 4


def test_weights_of_another_save_of_the_same_sizes_are_refused(tmp_path):
    one, other = save(tmp_path / "a", 1.0), save(tmp_path / "b", 2.0)
    one.with_name(PARAMS).write_bytes(other.with_name(PARAMS).read_bytes())
    with pytest.raises(ModelFileError, match="is not the file that the info file names"):
        loaded(one)


@pytest.mark.parametrize("cut", [1, 40, -1])
def test_a_file_that_lacks_its_end_or_has_more_is_refused(tmp_path, cut):
    path = save(tmp_path, 1.0)
    data = path.with_name(PARAMS).read_bytes()
    path.with_name(PARAMS).write_bytes(data[:-cut] if cut > 0 else data + b"\0")
    with pytest.raises(ModelFileError, match="truncated or damaged|don't lie in"):
        loaded(path)


def test_each_byte_of_the_header_counts_and_of_the_weights_none(tmp_path):
    path = save(tmp_path, 1.0)
    whole = path.with_name(PARAMS).read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    for at in (*range(0, header, 11), *range(header, len(whole))):
        changed = bytearray(whole)
        changed[at] ^= 1
        path.with_name(PARAMS).write_bytes(changed)
        if at < header:
            with pytest.raises(ModelFileError):
                loaded(path)
        else:
            loaded(path)
    with pytest.raises(ModelFileError, match="is not the file that the info file names"):
        paddle.jit.load(str(path))


def test_the_model_file_is_read_whole(tmp_path):
    path = save(tmp_path, 1.0)
    text = path.with_name("net.model.json").read_text()
    path.with_name("net.model.json").write_text(text + " ")
    with pytest.raises(ModelFileError, match="is not the file that the info file names"):
        loaded(path)


@pytest.mark.parametrize("kind", KINDS)
def test_no_weight_is_read(tmp_path, monkeypatch, kind):
    path, hashed = save(tmp_path, 1.0, kind), []
    real = files.sha256
    monkeypatch.setattr(files, "sha256", lambda data: hashed.append(len(data)) or real(data))
    loaded(path)
    paddle.jit.load(str(path))
    by_header, by_hash = hashed[:2], hashed[2:]
    assert by_header[0] == by_hash[0] and by_hash[1] - by_header[1] == (4 * 3 + 3) * 4


def test_the_header_states_the_crc_of_the_data(tmp_path):
    path = save(tmp_path, 3.0).with_name(PARAMS)
    whole = path.read_bytes()
    with safe_open(path, "np") as file:
        stated = file.metadata()["dy2st.crc32"]
    assert int(stated, 16) == zlib.crc32(whole[8 + int.from_bytes(whole[:8], "little") :])


@pytest.mark.parametrize("path", [OLD / "perceptron", OLD / "archive.dy2st"], ids=["files", "archive"])
def test_files_of_before_say_that_they_have_to_be_hashed(path):
    with pytest.raises(ModelFileError, match=r"as an older dy2st wrote it; load with verify='hash', or save the model again"):
        loaded(path)
    paddle.jit.load(str(path))


def test_another_word_is_refused(tmp_path):
    with pytest.raises(ValueError, match="verify is 'hash' or 'header', not 'none'"):
        paddle.jit.load(str(save(tmp_path, 1.0)), verify="none")
    assert loading.BY_HASH == "hash"


def test_an_info_file_of_now_names_the_header(tmp_path):
    info = json.loads(save(tmp_path, 1.0).with_name("net.info.json").read_text())
    assert sorted(info["sha256"]) == ["model.json", "params.header", "params.safetensors"]
