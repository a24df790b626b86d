"""NumPy arrays and tensors made in a static function: each call makes its own, whatever is done to the last."""

from __future__ import annotations

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError

CALLS = [[1.0, 2.0], [1.0, 2.0], [-1.0, -2.0], [1.0, 2.0]]
WAYS = {
    "zeros": lambda x: np.zeros(3),
    "arange": lambda x: np.arange(3),
    "array": lambda x: np.array([1.0, 2.0]),
    "sum": lambda x: np.zeros(3) + 1,
    "view": lambda x: np.zeros((2, 3))[0],
    "scalar": lambda x: np.zeros(3).sum(),
    "to_tensor": lambda x: paddle.to_tensor([1.0, 2.0]),
    "of an array": lambda x: paddle.to_tensor(np.zeros(3)),
    "assign": lambda x: paddle.assign(np.zeros(3)),
    "paddle zeros": lambda x: paddle.zeros([2]),
    "folded": lambda x: paddle.ones([2]) * 3,
    "view of a tensor": lambda x: paddle.zeros([2, 3])[0],
    "reshaped": lambda x: paddle.zeros([2, 3]).reshape([6]),
    "like": lambda x: paddle.zeros_like(x),
    "empty": lambda x: paddle.zeros([0, 2]),
    "times zero": lambda x: x * 0,
}

ARRAYS = ["zeros", "arange", "array", "sum", "view"]  # which a layer keeps as they are, but where they are a part of the result


class Keeper(paddle.nn.Layer):
    def __init__(self, place, make):
        super().__init__()
        self.place, self.make = place, make
        self.kept, self.log, self.table = None, [], {}

    def forward(self, x):
        return self.place(self, self.make, x)


def returned(net, make, x):
    return make(x)


def in_containers(net, make, x):
    return [{"a": (make(x), 1)}]


def twice(net, make, x):
    made = make(x)
    return made, [made]


def on_a_path(net, make, x):
    made = make(x)
    if x.sum() > 0:
        made = make(x)
    return made


def in_a_loop(net, make, x):
    found, made, turn = [], make(x), 0
    while turn < x.sum():
        found.append(made)
        found.append(make(x))
        turn += 1
    return found


def kept(net, make, x):
    net.kept = make(x)


def kept_and_returned(net, make, x):
    net.kept = make(x)
    return net.kept


def in_a_list_of_state(net, make, x):
    net.log = [make(x)]


def in_a_dict_of_state(net, make, x):
    net.table["a"] = make(x)


OF_STATE = [kept, kept_and_returned, in_a_list_of_state, in_a_dict_of_state]
PLACES = [returned, in_containers, twice, on_a_path, in_a_loop, *OF_STATE]


def by_item(part):
    part[...] = part[...] + 5


def in_place(part):
    if isinstance(part, np.ndarray):
        part += 1
    else:
        part.add_(paddle.ones_like(part))


def by_memory(part):
    array = part if isinstance(part, np.ndarray) else part.numpy()
    array[...] = 9


CHANGES = [by_item, in_place, by_memory]


def _parts(tree):
    if isinstance(tree, (list, tuple)):
        for part in tree:
            yield from _parts(part)
    elif isinstance(tree, dict):
        yield from _parts(list(tree.values()))
    elif not isinstance(tree, (int, type(None), np.generic)) or isinstance(tree, np.float64):
        yield tree


def answers(run, change, net=None):
    """What each call gives before and after it is changed."""
    found = []
    for values in CALLS:
        parts = list(_parts([run(paddle.to_tensor(values)), *((net.kept, net.log, net.table) if net else ())]))
        found.append([np.asarray(part).tolist() for part in parts])
        for part in parts:
            if not isinstance(part, np.generic):  # plain Python can't change it
                change(part)
    return found


CASES = [(way, place, change, loaded) for way in WAYS for place in PLACES for change in CHANGES for loaded in (False, True)]
CASES = [case for case in CASES if not (case[3] and case[1] in OF_STATE)]


@pytest.mark.long
@pytest.mark.parametrize("way, place, change, loaded", sampled(CASES, 12), ids=lambda part: getattr(part, "__name__", part))
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_each_call_makes_its_own_array(way, place, change, loaded, tmp_path):
    plain, net = Keeper(place, WAYS[way]), Keeper(place, WAYS[way])
    spec = [paddle.static.InputSpec([2])] if loaded else None
    static = paddle.jit.to_static(net, input_spec=spec)
    if loaded:
        paddle.jit.save(static, tmp_path / "made")
        assert answers(paddle.jit.load(tmp_path / "made"), change) == answers(plain, change)
    elif place in OF_STATE and way in (*ARRAYS, "scalar"):
        with pytest.raises(ConversionError, match="write dy2st.to_tensor"):
            answers(static, change, net)
    else:
        assert answers(static, change, net) == answers(plain, change, plain)


def test_an_array_from_outside_stays_the_callers():
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.array = np.zeros(2)

        def forward(self, x):
            return self.array, self.array[:1]

    net = paddle.jit.to_static(Net())
    whole, part = net(paddle.zeros([1]))
    whole[0] = 5.0
    assert net.array.tolist() == [5, 0] and part.tolist() == [5]
    assert [found.tolist() for found in net(paddle.zeros([1]))] == [[5, 0], [5]]


def test_arrays_that_share_memory_are_not_made_apart():
    @paddle.jit.to_static
    def both(x):
        made = np.zeros((2, 2))
        return made, made[0]

    @paddle.jit.to_static
    def rows(x):
        made = np.eye(2)
        return [made[0], made[1]]

    with pytest.raises(ConversionError, match="two NumPy arrays that share memory"):
        both(paddle.zeros([1]))
    assert [row.tolist() for row in rows(paddle.zeros([1]))] == [[1, 0], [0, 1]]
