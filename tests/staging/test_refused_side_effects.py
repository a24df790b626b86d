"""A call that no Program can repeat is refused at the user's line with what to write, in each call; nothing outside changes."""

from __future__ import annotations

import copyreg
import csv
import datetime
import glob
import heapq
import io
import locale
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from array import array
from collections import OrderedDict, UserDict, UserList
from types import MappingProxyType, SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stError
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, 2.0])
LOCK, CONSOLE = threading.Lock(), Mock()
WAITING, DECK, OWN = [3, 1, 2], [1, 2, 3], random.Random(3)
USERS_LIST, USERS_DICT, BUFFER, NAMES = UserList([1]), UserDict(a=1), bytearray(b"ab"), {}


class Steps:
    """One step."""

    def step(self):
        return 1


def rename(name):
    Steps.step.__name__ = name


def write(path):
    with open(path, "w") as file:
        file.write("x")


class Entry:
    def __init__(self, number):
        self.number = number


def look_up(count):
    for number in range(count):
        NAMES[number] = Entry(bytes([number]))
    return len(NAMES)


# What the function asks or does, and words of the refusal.
ASKED = {
    "time": (lambda path: time.time(), "pass the time in"),
    "clock": (lambda path: time.perf_counter(), "measure outside the function"),
    "now": (lambda path: datetime.datetime.now().year, "pass the time in"),
    "uuid": (lambda path: uuid.uuid4().int, "pass the identifier in"),
    "random": (lambda path: random.random(), "drawn anew at each run"),
    "shuffle": (lambda path: random.shuffle(DECK), "drawn anew at each run"),
    "own generator": (lambda path: OWN.random(), "drawn anew at each run"),
    "numpy.random": (lambda path: np.random.randint(0, 9), "drawn anew at each run"),
    "open": (lambda path: open(path / "old").read(), "read the file outside"),
    "write": (lambda path: write(path / "old"), "the file outside"),
    "read_text": (lambda path: (path / "old").read_text(), "read the file outside"),
    "listdir": (lambda path: len(os.listdir(path)), "read the file outside"),
    "glob": (lambda path: len(glob.glob(str(path / "*"))), "read the file outside"),
    "iterdir": (lambda path: len([*path.iterdir()]), "read the file outside"),
    "mkdtemp": (lambda path: len(tempfile.mkdtemp(dir=path)), "the file outside"),
    "mkdir": (lambda path: os.mkdir(path / "new"), "do that outside"),
    "makedirs": (lambda path: os.makedirs(path / "new" / "er"), "do that outside"),
    "Path.mkdir": (lambda path: (path / "new").mkdir(), "do that outside"),
    "remove": (lambda path: os.remove(path / "old"), "do that outside"),
    "rmtree": (lambda path: shutil.rmtree(path / "tree"), "do that outside"),
    "rename": (lambda path: (path / "old").rename(path / "older"), "do that outside"),
    "chdir": (lambda path: os.chdir(path), "do that outside"),
    "environment": (lambda path: os.environ.update(DY2ST_TRIED="1"), "do that outside"),
    "putenv": (lambda path: os.putenv("DY2ST_TRIED", "1"), "do that outside"),
    "run": (lambda path: subprocess.run(["touch", str(path / "new")]).returncode, "do that outside"),
    "Popen": (lambda path: subprocess.Popen(["touch", str(path / "new")]).wait(), "do that outside"),
    "system": (lambda path: os.system(f"touch {path / 'new'}"), "do that outside"),
    "dialect": (lambda path: csv.register_dialect("dy2st", delimiter="|"), "do that outside"),
    "copyreg": (lambda path: copyreg.add_extension("dy2st", "dy2st", 4242), "do that outside"),
    "locale": (lambda path: locale.setlocale(locale.LC_ALL, "C.UTF-8"), "do that outside"),
    "locked": (lambda path: LOCK.locked(), "ask outside"),
    "thread": (lambda path: threading.get_ident(), "ask outside"),
    "frame": (lambda path: sys._getframe().f_lineno, "pass in what would be looked for"),
    "heapify": (lambda path: heapq.heapify(WAITING), "may change this list from outside"),
    "UserList": (lambda path: USERS_LIST.append(2), "changes an object from outside"),
    "UserDict": (lambda path: USERS_DICT.update(b=2), "changes an object from outside"),
    "bytearray": (lambda path: BUFFER.append(1), "from outside"),
    "mock": (lambda path: CONSOLE.ask(), "makes a note of"),
    "a function's name": (lambda path: rename("walk"), "changes a class or function from outside"),
    "kinds": (lambda path: look_up(40), "more than 32 kinds"),
    "made buffer": (lambda path: io.StringIO("abc"), "would give the same one at each call"),
    "made array": (lambda path: array("i", [1]), "would give the same one at each call"),
    "made lock": (lambda path: threading.Lock(), "would give the same one at each call"),
    "argv": (lambda path: sys.__dict__.update(dy2st_tried=1), ""),
}


def outside(path):
    """All that the functions above may change."""
    lying = {str(one): one.is_file() and one.read_text() for one in sorted(path.rglob("*"))}
    lists = [WAITING[:], DECK[:], OWN.getstate(), random.getstate(), USERS_LIST.data[:], bytes(BUFFER)]
    named = [dict(USERS_DICT.data), dict(NAMES), Steps.step.__name__, CONSOLE.ask.call_count, hasattr(sys, "dy2st_tried")]
    tables = ["dy2st" in csv.list_dialects(), ("dy2st", "dy2st") in copyreg._extension_registry]
    return lying, lists, named, tables, os.getcwd(), dict(os.environ), locale.setlocale(locale.LC_ALL)


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
@pytest.mark.parametrize("ask, words", ASKED.values(), ids=ASKED)
def test_it_is_refused_at_its_line_in_each_call_and_nothing_has_changed(ask, words, tmp_path):
    (tmp_path / "tree" / "inner").mkdir(parents=True)
    (tmp_path / "old").write_text("old")

    def function(x):
        return x * 2, ask(tmp_path)

    before, static = outside(tmp_path), paddle.jit.to_static(function)
    for call in (lambda: static(X), lambda: static(X), lambda: static.get_concrete_program(InputSpec([2]))):
        with pytest.raises(Dy2stError, match=re.escape(__file__)) as caught:
            call()
        assert words in str(caught.value)
        assert outside(tmp_path) == before


def in_a_branch(x):
    if x.sum() > 0:
        x = x * random.random()
    return x


def test_refused_where_a_tensor_decides():
    with pytest.raises(ConversionError, match="a call of random can't become part of a Program"):
        paddle.jit.to_static(in_a_branch)(X)


class Recent(OrderedDict):
    def __init__(self):
        super().__init__()
        self.misses = 0


class Cached:
    def __init__(self):
        self.cache, self.faults = Recent(), []

    def forward(self, n):
        k = int(n)
        try:
            k = k + 1
        finally:
            self.faults.append(int(n))
        self.cache.misses += 1
        self.cache[1] = 2
        return k


def test_attributes_of_a_changed_container_change_once():
    plain, live = Cached(), Cached()
    static = paddle.jit.to_static(live.forward)
    for n in (1, 2, 3, 4):
        assert static(paddle.to_tensor(n)).item() == plain.forward(paddle.to_tensor(n))
        assert (live.cache.misses, live.cache, live.faults) == (plain.cache.misses, plain.cache, plain.faults)


HOLDERS = [
    lambda k: iter([k]), lambda k: zip([k], [1]), lambda k: slice(0, k), lambda k: [k].append, lambda k: SimpleNamespace(a=k),
    lambda k: MappingProxyType({"a": k}),
]  # fmt: skip


@pytest.mark.parametrize("holder", HOLDERS)
def test_values_of_the_program_never_stay_in_an_object_of_the_library(holder):
    kept = SimpleNamespace(one=None)

    def keep(x, n):
        kept.one = holder(int(n))
        return x

    with pytest.raises(Dy2stError):
        paddle.jit.to_static(keep)(X, paddle.to_tensor(3))
    assert kept.one is None
