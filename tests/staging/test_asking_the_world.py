"""Clocks, random numbers and files: a Program for one call is staged with their answers; one that is kept refuses them."""

from __future__ import annotations

import linecache
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time
import uuid
import warnings

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stWarning
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, 2.0])


class Model:
    def __init__(self):
        self.calls = 0

    def drawn(self, x):
        self.calls += 1
        items = list(range(5))
        random.shuffle(items)
        chosen = random.sample(items, 3)
        chosen.append(random.randrange(10))
        by = random.choice(chosen)
        if x.sum() > 0:
            x = x * by
        return x, chosen, np.random.randint(0, 9, 2).tolist()


def written_and_read(x, folder):
    path = os.path.join(folder, "made")
    with open(path, "w") as file:
        for i in range(3):
            print(i, file=file)
    found = []
    with open(path) as file:
        for line in file:
            try:
                found.append(int(line) + 1)
            except ValueError:
                found.append(line)
    return x * len(found), found, sorted(os.listdir(folder))


def quiet(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Dy2stWarning)
        return function(*args)


def test_random_numbers_are_those_of_plain_python():
    found = []
    for make in (lambda method: method, paddle.jit.to_static):
        random.seed(3)
        np.random.seed(3)
        model = Model()
        function = make(model.drawn)
        given = [quiet(function, X) for _ in range(3)]
        found.append(([(x.tolist(), *rest) for x, *rest in given], random.random(), np.random.rand(), model.calls))
    assert found[0] == found[1]


def test_a_file_is_written_and_read_at_each_call(tmp_path):
    static = paddle.jit.to_static(written_and_read)
    for _ in range(2):
        x, found, names = quiet(static, X, str(tmp_path))
        assert x.tolist() == [3.0, 6.0] and found == [1, 2, 3] and names == ["made"]
        os.remove(tmp_path / "made")


def test_each_call_asks_anew_and_a_warning_tells():
    static = paddle.jit.to_static(lambda x: (x, time.time_ns(), uuid.uuid4()))
    with pytest.warns(Dy2stWarning, match="staged anew at each call.*measure outside the function"):
        first = static(X)
    second = static(X)
    assert first[1] < second[1] and first[2] != second[2] and not static.program_cache


def test_a_program_that_is_kept_refuses_them():
    with pytest.raises(ConversionError, match="a call of time can't become part of a Program"):
        paddle.jit.to_static(lambda x: x * time.time(), input_spec=[InputSpec([2])]).concrete_program


def in_a_branch(x):
    if x.sum() > 0:
        x = x * random.random()
    return x


def test_refused_where_a_tensor_decides():
    with pytest.raises(ConversionError, match="a call of random can't become part of a Program"):
        paddle.jit.to_static(in_a_branch)(X)


class Keeper:
    def __init__(self):
        self.seen, self.lock = {}, threading.RLock()

    def made_and_changed(self, x, folder):
        """Files, folders, links, the environment: done, and asked for. The clock, and a key of a kind, stage it anew."""
        os.mkdir(folder / "new")
        made = folder / "new" / "made"
        with open(made, "w") as file:
            file.write("hello")
        (folder / "old").rename(folder / "older")
        (folder / "older").write_text("changed")
        os.remove(folder / "gone")
        shutil.rmtree(folder / "tree")
        os.symlink(made, folder / "link")
        os.environ["DY2ST_TRIED"] = os.environ.get("DY2ST_TRIED", "") + "x"
        kept = tempfile.mkdtemp(dir=folder)
        descriptor = os.open(os.path.join(kept, "a"), os.O_CREAT | os.O_WRONLY)
        os.write(descriptor, b"abc")
        os.close(descriptor)
        with self.lock, threading.Lock():
            self.seen[made] = time.time() > 0
        found = (folder / "link").read_text()
        names = {each.name for each in folder.glob("*")} - {pathlib.Path(kept).name}
        return x * 2, found, sorted(names), len(self.seen)


def what_lies_there(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if "tmp" not in str(path.relative_to(folder)))


def a_folder(path):
    (path / "tree" / "inner").mkdir(parents=True)
    for name in ("old", "gone", "tree/inner/leaf"):
        (path / name).write_text(name)
    return path


def test_what_is_done_to_files_is_done_once_in_a_call_that_is_staged_again(tmp_path, monkeypatch):
    found = []
    for name, make in (("plain", lambda method: method), ("static", paddle.jit.to_static)):
        folder = a_folder(tmp_path / name)
        monkeypatch.setenv("DY2ST_TRIED", "")
        x, *rest = quiet(make(Keeper().made_and_changed), X, folder)
        found.append((x.tolist(), rest, what_lies_there(folder), os.environ["DY2ST_TRIED"], (folder / "older").read_text()))
    assert found[0] == found[1] and found[0][3] == "x"


def test_a_call_that_is_refused_leaves_files_as_they_were(tmp_path):
    def refused(x):
        shutil.rmtree(tmp_path / "tree")
        (tmp_path / "old").unlink()
        os.chdir(tmp_path)
        (tmp_path / "gone").write_text("other")
        (tmp_path / "a" / "b").mkdir(parents=True)
        if x.sum() > 0:
            x = x * time.time()
        return x

    before = what_lies_there(a_folder(tmp_path))
    where = os.getcwd()
    times = os.stat(tmp_path / "gone").st_mtime_ns
    with pytest.raises(ConversionError, match="a call of write_text can't become part of a Program"):
        quiet(paddle.jit.to_static(refused), X)
    assert what_lies_there(tmp_path) == before and os.getcwd() == where
    assert (tmp_path / "gone").read_text() == "gone" and os.stat(tmp_path / "gone").st_mtime_ns == times


def test_what_can_not_be_put_back_is_not_done_twice(tmp_path):
    def replaced(x, total):
        os.rename(tmp_path / "a", tmp_path / "b")
        while x.sum() > 0:
            x, total = x - 1, total + x
        return total, time.time()

    (tmp_path / "a").write_text("a")
    os.link(tmp_path / "a", tmp_path / "other")
    with pytest.raises(ConversionError, match="rename was called, and the function has to be staged again|a call of time"):
        quiet(paddle.jit.to_static(replaced), X, 0)
    assert (tmp_path / "b").exists() and not (tmp_path / "a").exists()


def test_a_variable_of_pythons_library_is_changed_in_one_call(monkeypatch):
    def with_arguments(x, found):
        sys.argv = ["program", "--flag"]
        found.append(list(sys.argv))
        return x

    monkeypatch.setattr(sys, "argv", ["before"])
    found = []
    quiet(paddle.jit.to_static(with_arguments), X, found)
    assert found == [["program", "--flag"]] and sys.argv == found[0]


def test_a_source_that_was_split_into_lines_is_converted():
    source = "def doubled(x):\n    if x.sum() > 0:\n        x = x * 2\n    return x"
    linecache.cache["<made here>"] = (len(source), None, source.split("\n"), "<made here>")
    made = {}
    exec(compile(source, "<made here>", "exec"), made)
    static = paddle.jit.to_static(made["doubled"])
    assert static(X).tolist() == [2, 4] and static(-X).tolist() == [-1, -2]
