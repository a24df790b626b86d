"""Objects from outside whose state C keeps: a call sees what they hold by then, however the function reads them."""

from __future__ import annotations

import collections
import contextvars
import ctypes
import decimal
import functools
import hashlib
import hmac
import io
import itertools
import mmap
import queue
import random
import re
import sqlite3
import struct
import threading
import types
import xml.etree.ElementTree as ElementTree
import zlib
from array import array

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError

X = paddle.to_tensor([1.0])
VARIABLE = contextvars.ContextVar("variable", default=0)


class Numbers(array):
    pass


def variable():
    VARIABLE.set(0)
    return VARIABLE


def database():
    made = sqlite3.connect(":memory:")
    made.execute("create table t (a)")
    return made


def counted(connection):
    return connection.execute("select count(*) from t").fetchone()[0]


# How each is made, what changes it, and ways to read it.
KINDS = {
    "md5": (hashlib.md5, lambda h: h.update(b"x"), [lambda h: h.hexdigest(), lambda h: h.digest(), lambda h: h.copy().digest()]),
    "sha3": (hashlib.sha3_256, lambda h: h.update(b"x"), [lambda h: h.hexdigest()]),
    "blake2": (hashlib.blake2b, lambda h: h.update(b"x"), [lambda h: h.hexdigest()]),
    "shake": (hashlib.shake_128, lambda h: h.update(b"x"), [lambda h: h.hexdigest(4)]),
    "hmac": (lambda: hmac.new(b"k", b"", "sha256"), lambda h: h.update(b"x"), [lambda h: h.hexdigest()]),
    "variable": (variable, lambda v: v.set(v.get() + 1), [lambda v: v.get()]),
    "text": (io.StringIO, lambda f: f.write("a"), [lambda f: f.getvalue(), lambda f: f.tell()]),
    "bytes": (io.BytesIO, lambda f: f.write(b"a"), [lambda f: f.getvalue(), lambda f: bytes(f.getbuffer())]),
    "queue": (queue.Queue, lambda q: q.put(1), [lambda q: q.qsize(), lambda q: q.empty(), lambda q: list(q.queue)]),
    "simple queue": (queue.SimpleQueue, lambda q: q.put(1), [lambda q: q.qsize(), lambda q: q.empty()]),
    "lock": (threading.Lock, lambda k: k.release() if k.locked() else k.acquire(), [lambda k: k.locked()]),
    "event": (threading.Event, lambda e: e.set(), [lambda e: e.is_set()]),
    "generator": (lambda: random.Random(1), lambda r: r.random(), [lambda r: hash(r.getstate())]),
    "NumPy generator": (
        lambda: np.random.default_rng(1), lambda r: r.random(), [lambda r: str(r.bit_generator.state)],
    ),
    "NumPy state": (lambda: np.random.RandomState(1), lambda r: r.rand(), [lambda r: r.get_state()[2]]),
    "counter": (itertools.count, lambda c: next(c), [lambda c: repr(c), lambda c: str(c), lambda c: f"{c}"]),
    "array": (
        lambda: array("i", [1]), lambda a: a.append(2),
        [
            lambda a: len(a), lambda a: sum(a), lambda a: list(a), lambda a: a[-1], lambda a: a.tolist(), lambda a: 2 in a,
            lambda a: a == array("i", [1]), lambda a: [v + 1 for v in a], lambda a: repr(a), lambda a: (a + a).tolist(),
            lambda a: [*a], lambda a: max(a), lambda a: a[1:].tolist(),
        ],
    ),
    "items of an array": (lambda: array("i", [1]), lambda a: a.__setitem__(0, a[0] + 1), [lambda a: a[0], lambda a: sum(a)]),
    "own array": (lambda: Numbers("i", [1]), lambda a: a.append(2), [lambda a: len(a), lambda a: sum(a)]),
    "bytearray": (
        lambda: bytearray(b"a"), lambda b: b.append(98),
        [
            lambda b: len(b), lambda b: bytes(b), lambda b: b[-1], lambda b: b.decode(), lambda b: str(b), lambda b: 98 in b,
            lambda b: b == b"a", lambda b: b"a" == b, lambda b: b.find(b"b"), lambda b: bytes(b + b"z"),
            lambda b: b"".join([b, b]),
            lambda b: zlib.crc32(b), lambda b: int.from_bytes(b, "big"), lambda b: hashlib.md5(b).hexdigest(),
            lambda b: struct.unpack_from("b", b, len(b) - 1)[0], lambda b: re.search(rb"b", b) is None,
        ],
    ),
    "memoryview": (
        lambda: memoryview(bytearray(b"abc")), lambda v: v.__setitem__(0, v[0] + 1),
        [lambda v: v[0], lambda v: bytes(v), lambda v: v.tolist(), lambda v: v.hex(), lambda v: v == b"abc", lambda v: list(v)],
    ),
    "deque": (lambda: collections.deque([1]), lambda d: d.append(2), [lambda d: len(d), lambda d: list(d)]),
    "decimal": (
        lambda: decimal.Context(prec=5), lambda c: setattr(c, "prec", c.prec + 1),
        [lambda c: c.prec, lambda c: repr(c), lambda c: str(c.divide(decimal.Decimal(1), decimal.Decimal(3)))],
    ),
    "namespace": (lambda: types.SimpleNamespace(a=1), lambda n: setattr(n, "a", n.a + 1), [lambda n: n.a, lambda n: repr(n)]),
    "element": (
        lambda: ElementTree.Element("a"), lambda e: ElementTree.SubElement(e, "b"),
        [lambda e: len(e), lambda e: ElementTree.tostring(e), lambda e: [c.tag for c in e], lambda e: e.find("b") is None],
    ),
    "attributes of an element": (
        lambda: ElementTree.Element("a"), lambda e: e.set("k", e.get("k", "") + "z"),
        [lambda e: e.get("k"), lambda e: dict(e.attrib), lambda e: ElementTree.tostring(e)],
    ),
    "cell": (lambda: types.CellType(1), lambda c: setattr(c, "cell_contents", c.cell_contents + 1), [lambda c: c.cell_contents]),
    "C number": (lambda: ctypes.c_int(1), lambda c: setattr(c, "value", c.value + 1), [lambda c: c.value, lambda c: repr(c)]),
    "C array": (lambda: (ctypes.c_int * 3)(), lambda c: c.__setitem__(0, c[0] + 1), [lambda c: c[0], lambda c: list(c)]),
    "mapped": (lambda: mmap.mmap(-1, 10), lambda m: m.write(b"a"), [lambda m: m.tell(), lambda m: m[:3], lambda m: m[2]]),
    "database": (database, lambda c: c.execute("insert into t values (1)"), [counted]),
    "exception": (
        lambda: ValueError(0), lambda e: setattr(e, "args", (e.args[0] + 1,)),
        [lambda e: e.args[0], lambda e: str(e), lambda e: repr(e)],
    ),
}  # fmt: skip


ASKED_OUTSIDE = ("lock", "generator", "NumPy generator", "NumPy state", "database")  # refused: no Program can ask them


class Box:
    def __init__(self, held):
        self.held = held


class Reader(paddle.nn.Layer):
    def __init__(self, held, read):
        super().__init__()
        self.held, self.read = held, read

    def forward(self, x):
        return x * 2, self.read(self.held)


def by_a_layer(held, read):
    return Reader(held, read)


def by_a_closure(held, read):
    return lambda x: (x * 2, read(held))


def in_a_list(held, read):
    table = {"a": [held]}
    return lambda x: (x * 2, [read(part) for part in table["a"]])


def by_an_object(held, read):
    box = Box(Box(held))
    return lambda x: (x * 2, read(box.held.held))


def by_a_default(held, read):
    return lambda x, given=held: (x * 2, read(given))


def by_a_name_made_up(held, read):
    box = Box(held)
    return lambda x: (x * 2, read(getattr(box, "he" + "ld")))


REACHED = [by_a_layer, by_a_closure, in_a_list, by_an_object, by_a_default, by_a_name_made_up]


def plain(value):
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    return [plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def answers(run, held, change, *given):
    """What five calls say, of an object that changes before some of them."""
    found = []
    for times in (0, 1, 0, 1, 2):
        for _ in range(times):
            change(held)
        found.append(plain(run(X, *given)[1]))
    return found


CASES = [(kind, number, reach) for kind, (_, _, reads) in KINDS.items() for number in range(len(reads)) for reach in REACHED]


@pytest.mark.long
@pytest.mark.parametrize("kind, number, reach", sampled(CASES, 12), ids=lambda part: getattr(part, "__name__", part))
def test_a_call_sees_what_is_kept_by_then(kind, number, reach):
    make, change, reads = KINDS[kind]
    held, other = make(), make()
    run = paddle.jit.to_static(reach(held, reads[number]))
    try:
        found = answers(run, held, change)
    except ConversionError as error:
        assert kind in ASKED_OUTSIDE or "from outside" in str(error), error
        return
    if kind == "variable":
        variable()
    assert found == answers(reach(other, reads[number]), other, change)


@pytest.mark.parametrize("given", [lambda held: held, lambda held: [held], lambda held: {"a": held}, Box])
def test_an_argument_is_read_at_each_call(given):
    def run(x, given):
        held = given.held if isinstance(given, Box) else given["a"] if isinstance(given, dict) else given
        return x * 2, len(held[0] if isinstance(held, list) else held)

    held, other = bytearray(b"a"), bytearray(b"a")
    found = answers(paddle.jit.to_static(run), held, lambda data: data.append(1), given(held))
    assert found == answers(run, other, lambda data: data.append(1), given(other))


def test_methods_and_partials_of_what_c_keeps():
    file, data = io.StringIO(), bytearray()
    read, length = file.getvalue, functools.partial(len, data)
    static = paddle.jit.to_static(lambda x: (x, read(), length()))
    for turn in range(3):
        assert [plain(part) for part in static(X)[1:]] == ["a" * turn, turn]
        file.write("a")
        data.append(1)


def test_what_stays_is_not_staged_again():
    digest = hashlib.md5(b"a")
    static = paddle.jit.to_static(lambda x: (x, digest.hexdigest()))
    assert static(X)[1] == static(X)[1] == digest.hexdigest()
    assert len(static.program_cache) == 1


def test_a_lock_is_asked_at_each_call_and_by_no_program_that_is_saved(tmp_path):
    lock = threading.Lock()
    static = paddle.jit.to_static(lambda x: (x, lock.locked()), input_spec=[paddle.static.InputSpec([1])])
    with pytest.raises(ConversionError, match="locked can't become part of a Program; ask outside of the function"):
        paddle.jit.save(static, tmp_path / "asking")


def test_what_a_cache_keeps_is_read_at_each_call():
    class Kept:
        def __init__(self):
            self.items, self.factor = [1], 2

    @functools.lru_cache
    def kept(which):
        return Kept()

    @paddle.jit.to_static
    def function(x):
        return x * len(kept("a").items) * kept("a").factor

    x = paddle.to_tensor([1.0])
    assert function(x).item() == 2.0
    kept("a").items.append(2)
    assert function(x).item() == 4.0
    kept("a").factor = 5
    assert function(x).item() == 10.0
    kept.cache_clear()
    assert function(x).item() == 2.0
