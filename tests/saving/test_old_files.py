"""Files of every release load, and give what they gave then."""

import json
from pathlib import Path

import numpy as np
import pytest
from saving.kinds import answer

from dy2st import jit
from dy2st.config import VERSION
from dy2st.errors import ModelFileError
from dy2st.saving import upgrade
from dy2st.saving.upgrade import FORMAT, NEEDS, upgraded


def format_of(release):
    return json.loads((release / "perceptron.info.json").read_text())["dy2st_info"]


FOLDERS = [path.parent for path in (Path(__file__).parent.parent / "old_files").glob("*/answers.json")]
RELEASES = sorted(FOLDERS, key=lambda release: (format_of(release), release.name))
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


def test_there_are_files_of_every_format():
    assert set(map(format_of, RELEASES)) == set(range(1, FORMAT + 1))


def test_a_step_is_needed():
    """Without the steps, the files of the first format are refused: the test above does see them."""
    tree = json.loads((RELEASES[0] / "perceptron.model.json").read_text())
    assert tree["dy2st_model"] == 1 and "files" in tree
    text = json.dumps(upgraded(tree, "dy2st_model", "the model"))
    assert '"files"' not in text and '["kinds.py", "forward", ' in text and '"#0"' in text


@pytest.mark.parametrize("kind", ["perceptron.info.json", "perceptron.model.json"])
def test_a_step_takes_trees_of_any_shape(kind):
    """It runs before the checks."""
    text = (RELEASES[0] / kind).read_text()
    key = "dy2st_info" if "info" in kind else "dy2st_model"
    block = {"args": 3, "ops": [None, {"in": 3, "out": [3, []], "loc": [9, 1, 2], "blocks": {}}]}
    for junk in (None, 3, "x", [], {}, [None], [[]], [{}], [[3]], [{"block": 3}], [{"block": block}]):
        for name in json.loads(text):
            upgraded({**json.loads(text), name: junk, key: 1}, key, kind)


def test_a_newer_file_says_which_dy2st_it_needs(tmp_path):
    for name in ("info.json", "model.json", "params.safetensors"):
        data = (RELEASES[-1] / f"perceptron.{name}").read_bytes()
        (tmp_path / f"net.{name}").write_bytes(data)
    path = tmp_path / "net.info.json"
    newer = json.loads(path.read_text()) | {"dy2st_info": FORMAT + 1, "needs": "7.1.0"}
    path.write_text(json.dumps(newer))
    with pytest.raises(ModelFileError, match=rf"the format {FORMAT + 1}; .* reads formats up to {FORMAT}: install dy2st>=7.1.0"):
        jit.load(str(tmp_path / "net"))
    path.write_text(json.dumps(newer | {"needs": "1; rm -rf /"}))
    with pytest.raises(ModelFileError, match="install a newer dy2st"):
        jit.load(str(tmp_path / "net"))


@pytest.mark.parametrize("needs", ["0.9.0", "0.1.1", "1", "0.1.0.1", "0.10.0rc1", "99999999999999999999"])
def test_i_03_a_file_that_needs_a_newer_dy2st_is_refused(needs, tmp_path):
    with pytest.raises(ModelFileError) as caught:
        loaded_with(tmp_path, needs)
    assert f"needs dy2st {needs}, and this is dy2st {VERSION}: install dy2st>={needs}" in str(caught.value)


@pytest.mark.parametrize("needs", [VERSION, "0.0.9", "0.1", "0", "0.1.0.0", "0.1.0rc1"])
def test_i_03_a_file_that_needs_this_dy2st_or_an_older_one_loads(needs, tmp_path):
    assert loaded_with(tmp_path, needs).forward


@pytest.mark.parametrize("needs", ["", "v1", "latest; rm", "1" * 33, "0.1.0\n", 1, None])
def test_i_03_needs_is_a_version(needs, tmp_path):
    with pytest.raises(ModelFileError, match="needs: .* is not a version of dy2st, such as '0.1.0'"):
        loaded_with(tmp_path, needs)


def loaded_with(folder, needs):
    """A saved model of this format, loaded after `needs` in its info file has changed."""
    for name in ("info.json", "model.json", "params.safetensors"):
        (folder / f"net.{name}").write_bytes((RELEASES[-1] / f"perceptron.{name}").read_bytes())
    path = folder / "net.info.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"needs": needs}))
    return jit.load(str(folder / "net"))


@pytest.mark.parametrize("found", [None, "2", 0, -1, True, 2.0])
def test_a_format_is_a_positive_integer(found):
    with pytest.raises(ModelFileError, match="is none that dy2st wrote"):
        upgraded({"dy2st_model": found}, "dy2st_model", "the file")


def test_this_version_reads_what_it_writes():
    assert tuple(map(int, NEEDS.split("."))) <= tuple(map(int, upgrade.VERSION.split(".")[:3]))
