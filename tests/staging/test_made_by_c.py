"""Objects whose state C keeps, made in a static function: each call makes its own, as plain Python does, wherever it is kept."""

from __future__ import annotations

import bz2
import collections
import decimal
import hashlib
import hmac
import io
import itertools
import lzma
import queue
import random
import threading
import types
import xml.etree.ElementTree as ElementTree
import zlib
from array import array
from email.message import Message

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError

X = paddle.to_tensor([1.0, 2.0])
CALLS = [[1.0, 2.0], [1.0, 2.0], [-1.0, -2.0], [1.0, 2.0, 1.0]]


class Text(io.StringIO):
    pass


class Jobs(queue.Queue):
    pass


class Failed(Exception):
    pass


# How each is made, and what changes it and tells how far it has come.
KINDS = {
    "md5": (lambda: hashlib.md5(), lambda h: (h.update(b"x"), h.hexdigest())),
    "hmac": (lambda: hmac.new(b"k", b"", "sha256"), lambda h: (h.update(b"x"), h.hexdigest())),
    "compressobj": (lambda: zlib.compressobj(), lambda z: z.compress(b"x") + z.flush(zlib.Z_SYNC_FLUSH)),
    "bz2": (lambda: bz2.BZ2Compressor(), lambda z: z.compress(b"x")),
    "lzma": (lambda: lzma.LZMACompressor(), lambda z: z.compress(b"x")),
    "object": (lambda: object(), lambda made: type(made)),
    "exception": (lambda: ValueError(), lambda error: (setattr(error, "code", 1), vars(error))),
    "own exception": (lambda: Failed(1), lambda error: (setattr(error, "args", (*error.args, 2)), error.args)),
    "lock": (lambda: threading.Lock(), lambda lock: lock.acquire(blocking=False)),
    "event": (lambda: threading.Event(), lambda event: (event.is_set(), event.set())),
    "bytes": (lambda: io.BytesIO(b"abc"), lambda file: file.read(1)),
    "text": (lambda: Text("abc"), lambda file: file.read(1)),
    "array": (lambda: array("i", [1]), lambda items: (items.append(2), items.tolist())),
    "added arrays": (lambda: array("i", [1]) + array("i", [2]), lambda items: (items.append(2), items.tolist())),
    "bytearray": (lambda: bytearray(b"a"), lambda data: (data.append(1), bytes(data))),
    "part of a bytearray": (lambda: bytearray(b"abc")[1:], lambda data: (data.append(1), bytes(data))),
    "memoryview": (lambda: memoryview(bytearray(b"a")), lambda view: (view.__setitem__(0, view[0] + 1), bytes(view))),
    "deque": (lambda: collections.deque([1]), lambda items: (items.append(2), list(items))),
    "chain of maps": (lambda: collections.ChainMap({}), lambda table: (table.update(a=len(table)), dict(table))),
    "context": (lambda: decimal.Context(prec=5), lambda context: (context.prec, setattr(context, "prec", 7))),
    "copied context": (lambda: decimal.Context(prec=5).copy(), lambda context: (context.prec, setattr(context, "prec", 7))),
    "generator": (lambda: random.Random(3), lambda numbers: numbers.random()),
    "NumPy generator": (lambda: np.random.default_rng(3), lambda numbers: float(numbers.random())),
    "namespace": (lambda: types.SimpleNamespace(a=1), lambda names: (names.a, setattr(names, "a", 2))),
    "queue": (lambda: queue.Queue(), lambda jobs: (jobs.put(1), jobs.qsize())),
    "subclass of a queue": (lambda: Jobs(), lambda jobs: (jobs.put(1), jobs.qsize())),
    "simple queue": (lambda: queue.SimpleQueue(), lambda jobs: (jobs.put(1), jobs.qsize())),
    "element": (lambda: ElementTree.Element("a"), lambda node: ElementTree.SubElement(node, "b") is None or len(node)),
    "message": (lambda: Message(), lambda message: (message.add_header("a", "b"), len(message))),
    "cell": (lambda: types.CellType(1), lambda cell: (cell.cell_contents, setattr(cell, "cell_contents", 2))),
    "counter": (lambda: itertools.count(), lambda numbers: next(numbers)),
    "iterator": (lambda: iter([1, 2, 3]), lambda items: next(items)),
}
LASTING = ("counter", "iterator")  # refused where they outlive a call
UNSEEN = ("added arrays", "generator", "NumPy generator")  # made by an operator, and refused where changed; or random


class Box:
    def __init__(self, held):
        self.held = held


class Keeper(paddle.nn.Layer):
    def __init__(self, place, make, use):
        super().__init__()
        self.place, self.make, self.use = place, make, use
        self.kept, self.log, self.table = None, [], {}

    def forward(self, x):
        return self.place(self, self.make, self.use, x)


def returned(made, make, use, x):
    return make()


def in_containers(made, make, use, x):
    return [{"a": (make(), 1)}]


def in_an_object(made, make, use, x):
    return Box(make())


def changed(made, make, use, x):
    use(found := make())
    return found


def aliased(made, make, use, x):
    found = make()
    holder = Box([found])
    use(holder.held[0])
    return found


def one_of_two(made, make, use, x):
    found = [make() for _ in range(2)]
    use(found[0])
    return found


def on_one_path(made, make, use, x):
    found = None
    if x.sum() > 0:
        found = make()
    return found


def kept(made, make, use, x):
    made.kept = make()


def in_a_list_of_state(made, make, use, x):
    made.log.append(make())


def in_a_dict_of_state(made, make, use, x):
    made.table["a"] = make()


def read_on_a_path(made, make, use, x):
    found, answer = make(), None
    if x.sum() > 0:
        answer = found is not None
    return found, answer


def used_inside(made, make, use, x):
    found = make()
    use(found)
    return str(use(found))


def is_another_one(made, make, use, x):
    return make() is make(), [made is None for made in (make(),)]


PLACES = [
    returned, in_containers, in_an_object, changed, aliased, one_of_two, on_one_path, read_on_a_path, used_inside, is_another_one,
    kept, in_a_list_of_state, in_a_dict_of_state,
]  # fmt: skip


def answers(net):
    """What each call gives: which object of the calls before it is, and what it says when it is used."""
    before, found = [], []
    for values in CALLS:
        result = net(paddle.to_tensor(values))
        parts = list(_parts([result, net.kept, *net.log, *net.table.values()]))
        for part in parts:
            is_known = isinstance(part, (int, str, bytes, type(None)))
            found.append(part if is_known else ([known is part for known in before], type(part).__name__, net.use(part)))
        before += parts
    return str(found)


def _parts(tree):
    if isinstance(tree, (list, tuple)):
        for part in tree:
            yield from _parts(part)
    elif type(tree) is dict:
        yield from _parts(list(tree.values()))
    else:
        yield tree.held if isinstance(tree, Box) else tree


CASES = [(kind, place) for kind in KINDS for place in PLACES]


@pytest.mark.long
@pytest.mark.parametrize("kind, place", sampled(CASES, 9), ids=lambda part: getattr(part, "__name__", part))
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_each_call_makes_its_own(kind, place):
    try:
        found = answers(paddle.jit.to_static(Keeper(place, *KINDS[kind])))
    except ConversionError as error:
        assert place not in (used_inside, is_another_one) or kind in (*LASTING, *UNSEEN), error
    else:
        assert found == answers(Keeper(place, *KINDS[kind]))


class User(paddle.nn.Layer):
    """It has an object from outside, which each call changes."""

    def __init__(self, made, use):
        super().__init__()
        self.made, self.use = made, use

    def forward(self, x):
        return x * 2, self.use(self.made)


def test_what_c_keeps_outside_is_not_changed_behind_what_may_raise():
    digest, table = hashlib.md5(), {1: 2}

    def late(x):
        found = table[int(x.sum())]
        digest.update(b"x")
        return found

    with pytest.raises(ConversionError, match="update may change this HASH from outside"):
        paddle.jit.to_static(late)(paddle.to_tensor([1]))
    assert digest.digest() == hashlib.md5().digest()


def test_what_c_keeps_outside_is_no_part_of_a_program(tmp_path):
    static = paddle.jit.to_static(User(hashlib.md5(), KINDS["md5"][1]), input_spec=[paddle.static.InputSpec([2])])
    with pytest.raises(ConversionError, match="update may change this HASH from outside while staging"):
        paddle.jit.save(static, tmp_path / "made")
    assert static.made.digest() == hashlib.md5().digest()
