"""NumPy arrays and numbers that outlive a call: each comes back as what plain Python has, or is refused at the user's line."""

from __future__ import annotations

import itertools
import linecache

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError

KINDS = {
    "array": "np.array([1.0, 2.0])",
    "ints": "np.arange(2, dtype=np.int32)",
    "bools": "np.array([True, False])",
    "empty": "np.zeros((0, 2))",
    "0-d": "np.array(2.0)",
    "0-d int": "np.array(2)",
    "float32": "np.float32(1.5)",
    "float64": "np.float64(1.5)",
    "int64": "np.int64(3)",
    "bool": "np.bool_(True)",
}
STORES = {
    "attribute": "o.a = v",
    "new attribute": "o.b = v",
    "setattr": "setattr(o, 'a', v)",
    "item": "xs[0] = v",
    "append": "xs.append(v)",
    "extend": "xs.extend([v, 1.0])",
    "entry": "d['k'] = v",
    "new entry": "d.update(n=v)",
    "class": "Class.held = v",
    "global": "held = v",
    "argument": "given.append(v)",
    "in a list": "o.a = [v]",
    "in a tuple": "o.a = (v, 1)",
    "in a dict": "o.a = {'v': v}",
    "in an object": "made = Object(); made.v = v; o.a = made",
    "beside a tensor": "o.a = [x, v]",
    "by a local list": "local = [x]; local.append(v); o.a = local",
    "in a set's place": "xs[0] = {1: [v]}",
}
PLACES = {
    "straight": "v = make()\n{store}",
    "one path": "v = make()\nif x.sum() > 0:\n    {store}",
    "other path": "v = make()\nif x.sum() > 0:\n    pass\nelse:\n    {store}",
    "made on one path": "v = None\nif x.sum() > 0:\n    v = make()\n    {store}",
    "loop": "v = make()\nn = x.sum()\nwhile n > 0:\n    {store}\n    n = n - 1",
    "joined": "if x.sum() > 0:\n    v = make()\nelse:\n    v = make(1)\n{store}",
    "joined with a tensor": "v = x.astype('float64')\nif x.sum() > 0:\n    v = make()\n{store}",
    "computed": "if x.sum() > 0:\n    v = make()\nelse:\n    v = make(1)\nv = abs(v * 2)\n{store}",
    "of an item": "vs = [make()]\nif x.sum() > 0:\n    vs.append(make(1))\nv = vs[-1]\n{store}",
    "helper": "v = make()\nput(x, v, given)",
    "comprehension": "v = [make() for _ in range(2)][1]\n{store}",
    "closure": "v = make()\nw = lambda: make(1)\nif x.sum() > 0:\n    w = lambda v=v: v\nv = w()\n{store}",
}
RESULTS = {"stored": "x + 1", "both": "v"}
FROM = {"outside": "lambda n=0: kept[n]", "made inside": "lambda n=0: [{made}, {made}][n]"}
CALLS = (1.0, 2.0, -1.0)
SOURCE = """
def put(x, v, given):
    global held
    {store}
def f(x, given):
    global held
    {body}
    return {result}
"""


class Object:
    pass


def _source(kind, store, place, result, origin):
    made = KINDS[kind]
    text = SOURCE.format(
        store=STORES[store], result=RESULTS[result],
        body=PLACES[place].format(store=STORES[store]).replace("\n", "\n    "),
    )
    return f"make = {FROM[origin].format(made=made)}\nkept = [{made}, {made}]\n{text}"


def _world(source):
    name = f"<kept {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    o = Object()
    o.a = None
    names = {
        "np": np, "paddle": paddle, "o": o, "xs": [None], "d": {"k": None}, "held": None, "Object": Object,
        "Class": type("Class", (), {"held": None}), "__name__": "kept_arrays",
    }  # fmt: skip
    exec(compile(source, name, "exec"), names)
    return names


def _told(value, kept):
    if isinstance(value, list | tuple):
        return type(value).__name__, [_told(part, kept) for part in value]
    if isinstance(value, dict):
        return [(key, _told(part, kept)) for key, part in value.items()]
    if isinstance(value, Object):
        return "object", _told(vars(value), kept)
    if isinstance(value, np.ndarray | np.generic):
        return type(value).__name__, value.dtype.name, value.tolist(), [value is part for part in kept]
    return type(value).__name__, value.tolist() if isinstance(value, paddle.Tensor) else repr(value)


def _answers(source, is_static):
    """What each call leaves, and gives where that isn't an array: one leaves a Program as a Tensor. A refusal ends them."""
    names = _world(source)
    function = paddle.jit.to_static(names["f"]) if is_static else names["f"]
    given = []
    for number in CALLS:
        try:
            result = function(paddle.to_tensor([number, number]), given)
        except ConversionError as error:
            assert "write dy2st.to_tensor(value)" in str(error) and "<kept" in str(error), error
            return
        except (TypeError, AttributeError) as error:
            result = type(error).__name__
        left = names["o"], names["xs"], names["d"], names["Class"].held, names["held"], given
        yield np.asarray(result).tolist(), _told(list(left), names["kept"])


CASES = [*itertools.product(KINDS, STORES, PLACES, RESULTS, FROM)]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
@pytest.mark.parametrize("case", sampled(CASES, 15), ids="-".join)
def test_it_is_what_plain_python_has(case):
    source = _source(*case)
    plain, static = list(_answers(source, False)), list(_answers(source, True))
    assert static == plain[: len(static)]
