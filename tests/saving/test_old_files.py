"""Files of every release load, and give what they gave then."""

import json
from pathlib import Path

import numpy as np
import pytest
from saving.kinds import answer

from dy2st import jit
from dy2st.config import VERSION
from dy2st.errors import ModelFileError
from dy2st.saving.format import FORMAT, NEEDS, expect_format

RELEASES = sorted(path.parent for path in (Path(__file__).parent.parent / "old_files").glob("*/answers.json"))
FILES = [(release, name) for release in RELEASES for name in json.loads((release / "answers.json").read_text())]


def agree(given, expected):
    """Equal in structure and texts, nearly equal in numbers."""
    if isinstance(expected, dict):
        assert given.keys() == expected.keys()
        for key in expected:
            agree(given[key], expected[key])
    elif isinstance(expected, list):
        assert isinstance(given, list) and len(given) == len(expected)
        for one, other in zip(given, expected):
            agree(one, other)
    elif isinstance(expected, float):
        np.testing.assert_allclose(given, expected, rtol=1e-5, atol=1e-6)
    else:
        assert given == expected and type(given) is type(expected)


@pytest.mark.parametrize("release, name", FILES, ids=lambda part: getattr(part, "name", part))
def test_a_file_of_an_earlier_release_gives_what_it_gave(release, name):
    entry = json.loads((release / "answers.json").read_text())[name]
    agree(answer(name, release / entry["path"]), entry["answer"])


def test_a_newer_file_says_which_dy2st_it_needs(tmp_path):
    with pytest.raises(ModelFileError, match=rf"the format {FORMAT + 1}; .* reads format {FORMAT}: install dy2st>=7.1.0"):
        loaded_with(tmp_path, dy2st_info=FORMAT + 1, needs="7.1.0")
    with pytest.raises(ModelFileError, match="install a newer dy2st"):
        loaded_with(tmp_path, dy2st_info=FORMAT + 1, needs="1; rm -rf /")


@pytest.mark.parametrize("key", ["dy2st_info", "dy2st_model", "traced_module"])
def test_a_file_of_an_older_format_is_refused(key):
    with pytest.raises(ModelFileError, match="the file has the format 1, of a dy2st before 0.1.0; .*: save the model again"):
        expect_format({key: 1}, key, "the file")


@pytest.mark.parametrize("needs", ["0.9.0", "0.1.1", "1", "0.1.0.1", "0.10.0rc1", "99999999999999999999"])
def test_i_03_a_file_that_needs_a_newer_dy2st_is_refused(needs, tmp_path):
    with pytest.raises(ModelFileError) as caught:
        loaded_with(tmp_path, needs=needs)
    assert f"needs dy2st {needs}, and this is dy2st {VERSION}: install dy2st>={needs}" in str(caught.value)


@pytest.mark.parametrize("needs", [VERSION, "0.0.9", "0.1", "0", "0.1.0.0", "0.1.0rc1"])
def test_i_03_a_file_that_needs_this_dy2st_or_an_older_one_loads(needs, tmp_path):
    assert loaded_with(tmp_path, needs=needs).forward


@pytest.mark.parametrize("needs", ["", "v1", "latest; rm", "1" * 33, "0.1.0\n", 1, None])
def test_i_03_needs_is_a_version(needs, tmp_path):
    with pytest.raises(ModelFileError, match="needs: .* is not a version of dy2st, such as '0.1.0'"):
        loaded_with(tmp_path, needs=needs)


def loaded_with(folder, **changed):
    """A saved model of this format, loaded after these keys of its info file have changed."""
    for name in ("info.json", "model.json", "params.safetensors"):
        (folder / f"net.{name}").write_bytes((RELEASES[-1] / f"perceptron.{name}").read_bytes())
    path = folder / "net.info.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    return jit.load(str(folder / "net"))


@pytest.mark.parametrize("found", [None, "2", 0, -1, True, 2.0])
def test_a_format_is_a_positive_integer(found):
    with pytest.raises(ModelFileError, match="is none that dy2st wrote"):
        expect_format({"dy2st_model": found}, "dy2st_model", "the file")


def test_this_version_reads_what_it_writes():
    assert tuple(map(int, NEEDS.split("."))) <= tuple(map(int, VERSION.split(".")[:3]))
