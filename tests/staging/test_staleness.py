"""A Program isn't used once something that staging read of classes or layers has changed; copies of models stand on their own."""

from __future__ import annotations

import copy
import io
import pickle

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import plain

SPEC = [paddle.static.InputSpec([None, 3])]
X = np.array([[1, -2, 3], [4, 5, 6]], np.float32)


class Base(paddle.nn.Layer):
    def body(self, x):
        return self.fc(x)


class Net(Base):
    factor = 2

    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(3, 3)
        self.calls = 0

    def body(self, x):
        return super().body(x) + 1

    def after(self, x):
        return x - 1

    @classmethod
    def shift(cls):
        return 3

    def forward(self, x):
        self.calls += 1
        return self.after(self.body(x)) * self.factor + self.shift() + self.calls


CHANGES = {
    "class attribute": lambda patch, nets: patch(Net, "factor", 7),
    "method of the class": lambda patch, nets: patch(Net, "after", lambda self, x: x * 100),
    "method behind super()": lambda patch, nets: patch(Base, "body", lambda self, x: x),
    "class method": lambda patch, nets: patch(Net, "shift", classmethod(lambda cls: 30)),
    "method of one object": lambda patch, nets: [patch(net, "after", lambda x: -x, raising=False) for net in nets],
    "forward of a built-in sublayer": lambda patch, nets: [patch(net.fc, "forward", lambda x: x * 2) for net in nets],
    "forward of a built-in class": lambda patch, nets: patch(paddle.nn.Linear, "forward", lambda self, x: x * 2),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_changes_after_staging_counts(change, monkeypatch):
    paddle.seed(0)
    eager = Net()
    static = paddle.jit.to_static(copy.deepcopy(eager), input_spec=SPEC)
    x = paddle.to_tensor(X)
    assert [plain(static(x)) for _ in range(2)] == [plain(eager(x)) for _ in range(2)]
    assert len(static.forward.program_cache) == 1
    change(monkeypatch.setattr, (eager, static))
    assert [plain(static(x)) for _ in range(2)] == [plain(eager(x)) for _ in range(2)]
    assert len(static.forward.program_cache) == 2


def loaded(net):
    file = io.BytesIO()
    paddle.jit.save(net, file)
    file.seek(0)
    return paddle.jit.load(file)


@pytest.mark.parametrize("make", [lambda net: net, loaded], ids=["static", "loaded"])
def test_a_deep_copy_has_parameters_and_state_of_its_own(make):
    net = make(paddle.jit.to_static(Net(), input_spec=SPEC))
    x = paddle.to_tensor(X)
    net(x)
    copied = copy.deepcopy(net)
    second = plain(net(x))
    assert plain(copied(x)) == second
    assert plain(copied(x)) != second  # its own count goes on
    copied.set_state_dict({name: value * 0 for name, value in copied.state_dict().items()})
    assert plain(copied(x)) == plain(x * 0 + (4 + 3))
    np.testing.assert_allclose(net(x).numpy() - 1, np.array(second[1]), rtol=1e-6)


class Box:
    def __init__(self, value):
        self.value, self.count = value, 0


class Block(paddle.nn.Layer):
    def __init__(self, value):
        super().__init__()
        self.value, self.cache, self.box = value, [], Box(value)


class Model(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = paddle.nn.LayerList([Block(1), Block(2)])
        self.boxes, self.table, self.deep = [Box(3), Box(4)], {"k": Box(5)}, [[[[[6]]]]]
        self.box, self.seen, self.lists = Box(0), [], {"k": []}
        self.drop = paddle.nn.Dropout(0.0)
        self.value_1 = 7


def in_a_loop(model, x):
    for block in model.blocks:
        x = x * block.value
    return x


def by_index(model, x):
    return x * model.blocks[0].value * model.boxes[1].value * model.table["k"].value * model.deep[0][0][0][0][0]


def in_a_comprehension(model, x):
    return x * sum(box.value for box in model.boxes)


def get_box(model):
    return model.box


def from_a_helper(model, x):
    return x * get_box(model).value


def by_computed_name(model, x):
    return x * getattr(model, f"value_{1}") + (100 if hasattr(model, "extra") else 0)


def counts(model, x):
    model.box.count += 1
    return x + model.box.count


def appends(model, x):
    model.seen.append(1)
    model.lists["k"].append(x.sum())
    return x + len(model.seen) + sum(model.lists["k"])


def changes_what_a_loop_gives(model, x):
    for block in model.blocks:
        block.cache.append(1)
        block.box.count += 1
        x = x + len(block.cache) * block.box.count
    return x


STORES = [
    (in_a_loop, lambda m: setattr(m.blocks[1], "value", 9)),
    (by_index, lambda m: setattr(m.blocks[0], "value", 9)),
    (by_index, lambda m: setattr(m.boxes[1], "value", 9)),
    (by_index, lambda m: setattr(m.table["k"], "value", 9)),
    (by_index, lambda m: m.deep[0][0][0][0].insert(0, 9)),
    (by_index, lambda m: setattr(m, "boxes", [Box(8), Box(9)])),
    (in_a_comprehension, lambda m: setattr(m.boxes[0], "value", 9)),
    (in_a_comprehension, lambda m: m.boxes.append(Box(9))),
    (from_a_helper, lambda m: setattr(m.box, "value", 9)),
    (from_a_helper, lambda m: setattr(m, "box", Box(9))),
    (by_computed_name, lambda m: setattr(m, "value_1", 9)),
    (by_computed_name, lambda m: setattr(m, "extra", 9)),
    (counts, lambda m: setattr(m, "box", Box(0))),
    (counts, lambda m: setattr(m.box, "count", 10)),
    (appends, lambda m: setattr(m, "seen", [])),
    (appends, lambda m: m.seen.clear()),
    (appends, lambda m: setattr(m, "lists", {"k": []})),
    (appends, lambda m: m.lists.update(k=[])),
    (changes_what_a_loop_gives, lambda m: setattr(m.blocks[0], "cache", [])),
    (changes_what_a_loop_gives, lambda m: setattr(m.blocks[1], "box", Box(0))),
]


@pytest.mark.parametrize("function, store", STORES)
def test_what_is_read_without_its_name_counts_and_state_is_found_anew(function, store):
    eager, owner = Model(), Model()
    static = paddle.jit.to_static(lambda x: function(owner, x), input_spec=[SPEC[0]])
    x = paddle.to_tensor(X)
    for _ in range(2):
        assert plain(static(x)) == plain(function(eager, x))
    assert len(static.program_cache) == 1
    store(eager)
    store(owner)
    for _ in range(2):
        assert plain(static(x)) == plain(function(eager, x))
    assert len(static.program_cache) <= 2


TWOS = paddle.nn.initializer.Constant(2.0)


def replace_mean(net):
    net[2]._mean = paddle.to_tensor(np.ones(3, np.float32))


BUILT_IN = {
    "eval": lambda net: net.eval(),
    "weight replaced": lambda net: setattr(net[0], "weight", paddle.nn.Linear(3, 3, weight_attr=TWOS).weight),
    "weight set": lambda net: net[0].weight.set_value(np.ones((3, 3), np.float32)),
    "buffer replaced": replace_mean,
    "option": lambda net: setattr(net[1], "p", 0.0),
    "layer replaced": lambda net: net.__setitem__(0, paddle.nn.Identity()),
    "layer added": lambda net: net.add_sublayer("last", paddle.nn.ReLU()),
    "hook": lambda net: net[0].register_forward_post_hook(lambda layer, inputs, output: output * 100),
}


@pytest.mark.parametrize("change", BUILT_IN.values(), ids=BUILT_IN)
def test_built_in_layers_that_a_plain_function_uses(change):
    paddle.seed(0)
    eager = paddle.nn.Sequential(paddle.nn.Linear(3, 3), paddle.nn.Dropout(0.5), paddle.nn.BatchNorm1D(3))
    net = copy.deepcopy(eager)
    static = paddle.jit.to_static(lambda x: net(x) + 1, input_spec=SPEC)
    x = paddle.to_tensor(X)

    def seeded(function):
        paddle.seed(1)
        return plain(function(x))

    for model in (eager, net):
        model[2].eval()
    assert seeded(static) == seeded(lambda x: eager(x) + 1)
    change(eager)
    change(net)
    assert seeded(static) == seeded(lambda x: eager(x) + 1)


class Arrays(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.scale, self.table = np.array([1.0, 2.0, 3.0]), {"a": [np.ones((2, 3), np.float32)]}
        self.large = np.zeros(300_000)


def reads_an_item(model, x):
    return x * float(model.scale[1])


def reads_a_part_of_a_large_one(model, x):
    return x + model.large[200_000:].sum()


def reads_a_nested_one(model, x):
    return x * paddle.to_tensor(model.table["a"][0].sum(0))


def put(array, place, value):
    array[place] = value


ARRAYS = [
    (reads_an_item, lambda m: put(m.scale, 1, 7)),
    (reads_an_item, lambda m: put(m.scale, 0, np.nan)),
    (reads_a_part_of_a_large_one, lambda m: put(m.large, -1, 7)),
    (reads_a_nested_one, lambda m: put(m.table["a"][0], (1, 2), 7)),
]


@pytest.mark.filterwarnings("ignore:to_tensor of a constant")
@pytest.mark.parametrize("function, store", ARRAYS)
def test_the_contents_of_numpy_arrays_count(function, store):
    eager, owner = Arrays(), Arrays()
    static = paddle.jit.to_static(lambda x: function(owner, x), input_spec=[SPEC[0]])
    x = paddle.to_tensor(X)
    for programs in (1, 2):
        for _ in range(2):
            assert plain(static(x)) == plain(function(eager, x))
        assert len(static.program_cache) == programs
        store(eager)
        store(owner)


def test_an_array_that_became_writable_is_looked_at_again():
    array = np.array([1.0, 2.0])
    array.flags.writeable = False
    static = paddle.jit.to_static(lambda x: x * float(array[0]), input_spec=[SPEC[0]])
    x = paddle.to_tensor(X)
    assert plain(static(x)) == plain(x)
    array.flags.writeable = True
    array[0] = 3
    assert plain(static(x)) == plain(x * 3.0)


def changes_an_item(model, x):
    model.scale[0] += 1
    return x * float(model.scale[0])


def changes_all_of_it(model, x):
    model.scale += 1
    return x * float(model.scale[0])


def fills(model, x):
    model.scale.fill(5)
    return x * float(model.scale[0])


def changes_its_own_on_a_path(model, x):
    array = np.zeros(3, np.float32)
    if x.sum() > 0:
        array[0] = 1
    return x + paddle.to_tensor(array)


def changes_its_own_by_name_on_a_path(model, x):
    array = np.zeros(3, np.float32)
    if x.sum() > 0:
        array += 1
    return x + array


def changes_its_own_in_a_loop(model, x):
    array = np.zeros(3, np.float32)
    for _ in range(int(x.sum())):
        np.add(array, 1, out=array)
    return x + array


TABLE = np.zeros(3, np.float32)


def changes_a_global_one(model, x):
    global TABLE
    TABLE += 1
    return x * float(TABLE[0])


def changes_one_of_a_closure(model, x):
    table = np.zeros(3, np.float32)

    def change():
        nonlocal table
        table += 1

    if x.sum() > 0:
        change()
    return x * float(table[0])


@pytest.mark.parametrize(
    "function",
    [
        changes_an_item,
        changes_all_of_it,
        fills,
        changes_its_own_on_a_path,
        changes_its_own_by_name_on_a_path,
        changes_its_own_in_a_loop,
        changes_a_global_one,
        changes_one_of_a_closure,
    ],
)
def test_a_numpy_array_that_the_code_changes_is_refused(function):
    owner = Arrays()
    static = paddle.jit.to_static(lambda x: function(owner, x), input_spec=[SPEC[0]])
    with pytest.raises(ConversionError, match=r"test_staleness\.py:\d+: .*(happens while staging only|would be a Tensor)"):
        static(paddle.to_tensor(X))


class Scaled:
    by = 2

    def __init__(self, more):
        self.more = more

    def of(self, x):
        return x * self.by + self.more


class ScaledMore(Scaled):
    pass


def test_copied_and_pickled_objects_leave_the_program():
    """Python adds a name to their class then."""
    one, other = Scaled(3), ScaledMore(4)

    @paddle.jit.to_static
    def scaled(x):
        return one.of(x) + other.of(x)

    x = paddle.to_tensor([1.0, 2.0])
    before = scaled(x).tolist()
    (program,) = scaled.program_cache
    copy.deepcopy(one)
    pickle.dumps(other)
    assert "__slotnames__" in vars(Scaled)
    assert scaled(x).tolist() == before and [*scaled.program_cache] == [program]
    ScaledMore.by = 5
    assert scaled(x).tolist() == (one.of(x) + other.of(x)).tolist() != before
