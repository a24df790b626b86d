"""State that PyTorch code keeps: caches and counters in modules, tensors in containers and globals, arguments that it changes."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402

to_static = dy2st.torch.to_static


class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("k", torch.zeros(0, 2))
        self.n = 0
        self.plain = torch.ones(2)

    def forward(self, x):
        self.k = torch.cat([self.k, x])
        self.n += 1
        self.plain = self.plain * 2
        return self.k.sum() + self.n + self.plain.sum()


class InPlace(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("k", torch.zeros(4, 2))
        self.pos, self.plain = 0, torch.ones(2)

    def forward(self, x):
        self.k[self.pos] = x[0]
        self.pos = self.pos + 1
        self.plain.mul_(2)
        return self.k.sum() + self.plain.sum()


class Late(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = None
        self.parts = [torch.ones(2), torch.zeros(2)]

    def forward(self, x):
        if self.cache is None:
            self.cache = x
        else:
            self.cache = torch.cat([self.cache, x])
        self.parts[0] = self.parts[0] + 1
        return self.cache.sum() + self.parts[0].sum()


def held(module):
    own = {name: x for name, x in vars(module).items() if not name.startswith("_")}
    return {**own, **dict(module.named_buffers())}


@pytest.mark.parametrize("cls", [Cache, InPlace, Late])
def test_state_is_written_back_as_tensors_of_torchs(cls):
    mine = cls()
    theirs, net = copy.deepcopy(mine), to_static(mine)
    for _ in range(3):
        x = torch.randn(1, 2)
        torch.testing.assert_close(net(x), theirs(x))
        torch.testing.assert_close(held(mine), held(theirs))


def test_a_cache_is_saved_with_the_model(tmp_path):
    net = to_static(Cache(), [dy2st.static.InputSpec([1, 2], "float32", "x")])
    net(torch.ones(1, 2))
    dy2st.jit.save(net, str(tmp_path / "net"))
    loaded, right = dy2st.jit.load(str(tmp_path / "net")), copy.deepcopy(net.module)
    for _ in range(2):
        x = torch.randn(1, 2)
        torch.testing.assert_close(torch.tensor(loaded(dy2st.to_tensor(x.numpy())).numpy()), right(x))


def test_gradients_do_not_flow_silently_out_of_state():
    class Kept(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear, self.last = nn.Linear(2, 2), torch.zeros(1, 2)

        def forward(self, x):
            self.last = self.linear(x) + self.last
            return self.last

    net = to_static(Kept())
    net(torch.ones(1, 2))
    with pytest.raises(ConversionError, match="history"):
        net(torch.ones(1, 2))


GLOBAL = torch.ones(2)


def test_globals_and_plain_attributes_that_are_replaced_are_seen():
    global GLOBAL

    class Plain(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.list, self.dict = torch.ones(2), [torch.ones(2)], {"a": torch.ones(2)}

        def forward(self, x):
            return x + self.one + self.list[0] + self.dict["a"] + GLOBAL

    module, x = Plain(), torch.ones(2)
    net = to_static(module)
    torch.testing.assert_close(net(x), module(x))
    module.one = torch.zeros(2)
    torch.testing.assert_close(net(x), module(x))
    module.list[0] = torch.full((2,), 7.0)
    torch.testing.assert_close(net(x), module(x))
    module.dict["a"] = torch.full((2,), 9.0)
    torch.testing.assert_close(net(x), module(x))
    module.one.add_(3)
    GLOBAL = torch.full((2,), 5.0)
    torch.testing.assert_close(net(x), module(x))


def test_arguments_that_are_changed_are_the_callers():
    def change(x, table, items):
        table["k"] = torch.cat([table["k"], x])
        items.append(x * 2)
        items[0] = items[0] + 1
        x.add_(1)
        return x

    table, items, x = {"k": torch.zeros(1)}, [torch.ones(1)], torch.ones(1)
    net = to_static(change)
    net(x, table, items)
    assert (x.tolist(), table["k"].tolist(), [part.tolist() for part in items]) == ([2], [0, 1], [[2], [2]])
    net(x, table, items)
    assert len(items) == 3 and table["k"].tolist() == [0, 1, 2]


class Real(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("flag", torch.tensor(True))
        self.register_buffer("n", torch.tensor(3))
        self.w = nn.Parameter(torch.randn(3, 2))

    def forward(self, x):
        if self.flag:
            x = x * 2
        for _ in range(int(self.n)):
            x = x + 1
        for row in self.w:
            x = x + row.sum()
        for i in range(x.shape[0]):
            x = x + self.w[i].sum()
        if self.flag and not (x.sum() < 0):
            x = x + 100
        x = x if self.flag else x - 1
        while self.n > x.sum():
            x = x + 1
        return x + self.n.item() + len(self.w) + float(self.n) + self.w.shape[0]


def test_real_tensors_are_what_the_program_knows():
    module, x = Real(), torch.ones(2)
    net = to_static(module)
    for flag, n in ((True, 3), (False, 5), (True, 1)):
        module.flag.fill_(flag)
        module.n.fill_(n)
        torch.testing.assert_close(net(x), module(x))


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.tensor(0))
        self.plain = torch.zeros(2)

    def forward(self, x):
        while x.sum() < 10:
            x = x + 1
            self.calls += 1
        self.plain *= x.shape[0]
        self.plain -= 1
        return x + self.calls + self.plain


def test_a_tensor_that_is_written_in_place_is_the_one_that_was_there(tmp_path):
    module = Counted()
    theirs, calls, plain = copy.deepcopy(module), module.calls, module.plain
    net = to_static(module, [dy2st.static.InputSpec([None], "float32", "x")])
    assert "state.set" not in {op.name for op in net.forward.concrete_program.program.walk()}
    for _ in range(2):
        torch.testing.assert_close(net(torch.ones(2)), theirs(torch.ones(2)))
    assert module.calls is calls and module.plain is plain and calls == theirs.calls
    dy2st.jit.save(net, str(tmp_path / "net"))
    loaded = dy2st.jit.load(str(tmp_path / "net"))
    loaded(dy2st.ones([2]))
    assert loaded.state_dict()["calls"].item() == calls.item() + 4


class Trouble(ValueError):
    pass


class Kept:
    x = None


def raises(x, kept, some, chained):
    kept.x = x.sum()
    some.append(x + 1)
    x += 1
    error = Trouble("over", x, some)
    error.more = [x * 2]
    if not chained:
        raise error
    try:
        raise error
    except Trouble as inner:
        raise KeyError(x * 3) from inner


@pytest.mark.parametrize("chained", [False, True])
def test_a_call_that_raises_leaves_tensors_of_torchs(chained):
    told = []
    for function in (raises, to_static(raises)):
        x, kept, some = torch.ones(2), Kept(), [torch.zeros(2)]
        with pytest.raises((Trouble, KeyError)) as caught:
            function(x, kept, some, torch.tensor(chained))
        inner = caught.value.__cause__ if chained else caught.value
        assert inner.args[0] == "over" and inner.args[1] is x and inner.args[2] is some
        told.append([x, kept.x, some, inner.more, caught.value.args if chained else ()])
    torch.testing.assert_close(*told)


def test_a_call_that_raises_keeps_the_history_of_what_it_leaves():
    kept, x = Kept(), torch.ones(2, requires_grad=True)

    def function(x):
        kept.x = x * 3
        if x.sum() > 1:
            raise Trouble
        return x

    with pytest.raises(Trouble):
        to_static(function)(x)
    kept.x.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
