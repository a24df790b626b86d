"""NumPy numbers and texts as keys of dicts and sets that only the Program knows: they find what they find in Python."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

INPUTS = [paddle.to_tensor([1.0]), paddle.to_tensor([-1.0])]
KEYS = {"int64": np.int64(1), "float32": np.float32(1), "bool": np.bool_(True), "str": np.str_("b"), "absent": np.int64(9)}


def tables(x):
    table, members = {1: 2, "b": 5}, {1, "b"}
    if x.sum() > 0:
        table[3] = 4
        members.add(3)
    return table, members


FINDING = {
    "in": lambda table, members, key: (key in table, key in members, key not in table),
    "get": lambda table, members, key: (table.get(key, 7), table.get(key) is None),
    "pop": lambda table, members, key: (table.pop(key, 7), len(table)),
    "discard": lambda table, members, key: (members.discard(key), len(members))[1:],
    "[]": lambda table, members, key: (table[key] if key in (1, "b") else 0,),
}
KEEPING = {
    "[]": lambda table, members, key: table.__setitem__(key, 1),
    "setdefault": lambda table, members, key: table.setdefault(key, 1),
    "add": lambda table, members, key: members.add(key),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("find", FINDING.values(), ids=FINDING)
def test_finding(find, key):
    def function(x):
        return find(*tables(x), key)

    static = paddle.jit.to_static(function)
    for x in INPUTS:
        found = [part.item() if isinstance(part, paddle.Tensor) else part for part in static(x)]
        assert found == [*function(x)]


@pytest.mark.parametrize("key", [np.int64(8), np.float64(1.5), np.str_("c")])
@pytest.mark.parametrize("keep", KEEPING.values(), ids=KEEPING)
def test_keeping_is_refused_in_words(keep, key):
    def function(x):
        table, members = tables(x)
        keep(table, members, key)
        return len(table)

    with pytest.raises(ConversionError, match=r"has no NumPy (numbers|texts) as keys; write (int|str)\(key\)"):
        paddle.jit.to_static(function)(INPUTS[0])
