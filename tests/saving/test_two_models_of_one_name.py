"""Two models under one name, in two forms: `load` asks which is meant."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ModelFileError
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0])


def once(x):
    return x * 1


def twice(x):
    return x * 2


def save_script(path):
    jit.save(jit.script(once), path)


def save_static(path):
    jit.save(jit.to_static(twice, input_spec=[InputSpec([1])]), path)


@pytest.mark.parametrize("saves", [[save_script, save_static], [save_static, save_script]])
def test_an_archive_beside_the_files_of_another_model_is_refused(tmp_path, saves):
    path = str(tmp_path / "net")
    for save in saves:
        save(path)
    with pytest.raises(ModelFileError, match=r"net is an archive, and .*net\.info\.json another model: rename one"):
        jit.load(path)
    (tmp_path / "net").rename(tmp_path / "first")
    assert (jit.load(path)(X).item(), jit.load(str(tmp_path / "first"))(X).item()) == (2, 1)


def test_a_folder_beside_the_files_of_a_model_is_refused(tmp_path):
    save_static(str(tmp_path / "net"))
    save_static(str(tmp_path / "net" / "inner"))
    with pytest.raises(ModelFileError, match="is a folder, and"):
        jit.load(str(tmp_path / "net"))
