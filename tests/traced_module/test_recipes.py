"""The recipes of the documentation, each in three lines, on a model with a branch and a loop: held against plain Python."""

import pytest
from traced_module.branching import inputs
from traced_module.models import same, unsettle
from traced_module.test_control_flow import saved

import dy2st
import dy2st.nn.functional as F
from dy2st import jit, nn
from dy2st import traced_module as tm
from dy2st.static import InputSpec


class Stem(nn.Layer):
    def __init__(self, scale=1):
        super().__init__()
        self.conv, self.norm, self.scale = nn.Conv2D(1, 2, 1), nn.BatchNorm2D(2), scale

    def forward(self, x):
        y = self.norm(self.conv(x.reshape([-1, 1, 2, 2]))).flatten(1)
        return y * self.scale if y.sum() > 0 else y


class Net(nn.Layer):
    """A branch, a loop, a sublayer with a branch; what the recipes change is an argument."""

    def __init__(self, act=F.relu, after=lambda x: x, end=lambda net, x: net.last(x), stem=1):
        super().__init__()
        self.stem, self.fc, self.last = Stem(stem), nn.Linear(8, 8), nn.Linear(8, 3)
        self.act, self.after, self.end = act, after, end

    def forward(self, x):
        h = self.act(self.stem(x))
        while h.max() < 8:
            h = self.act(self.after(self.fc(h))) + h + 1
        if h.mean() > 4:
            h = h / 2
        return self.end(self, h)


def net(**changes):
    dy2st.seed(21)
    made = Net(**changes)
    unsettle(made)
    made.eval()
    return made


def agree(module, truth, tolerance=1e-5):
    for x in inputs():
        same(module(x), truth(x), tolerance)


@pytest.fixture
def traced():
    return tm.trace_module(net(), next(inputs()))


def test_get_the_output_of_a_layer(traced):
    node = traced.graph.get_node_by_name("*_stem_out").as_unique()
    traced.set_watch_points(node)
    for x in inputs():
        traced(x)
        same(traced.watch_node_value[node], net().stem(x))


def test_replace_every_relu(traced):
    assert traced.graph.replace_calls(F.relu, lambda x: F.relu6(x)) == 2
    agree(traced, net(act=F.relu6))
    agree(saved(traced).flatten(), net(act=F.relu6))


def test_cut_after_a_layer(traced):
    branch = traced.graph.get_expr_by_type(tm.If, recursive=False).as_list()[-1]
    traced.graph.reset_outputs(branch.outputs[0])
    traced.graph.compile()
    agree(traced, net(end=lambda net, x: x))
    assert "last" not in str(traced.graph)


def test_add_a_head(traced):
    traced.head = nn.Linear(3, 2)
    with traced.graph.insert_exprs():
        scores = traced.graph.self_node.head(traced.graph.outputs[0])
    traced.graph.reset_outputs(scores)
    agree(traced, net(end=lambda net, x: traced.head(net.last(x))))


def test_swap_a_submodule(traced):
    dy2st.seed(4)
    other = Stem(3)
    unsettle(other)
    other.eval()
    traced.swap("stem", other)
    truth = net()
    truth.stem = other
    agree(traced, truth)
    agree(saved(traced), truth)
    fc = nn.Linear(8, 8)
    traced.swap("fc", fc)
    truth.fc = fc
    agree(traced, truth)
    with pytest.raises(AttributeError, match="no sublayer 'nothing'"):
        traced.swap("nothing", fc)


def quantise(x):
    return (x * 16).round()


@tm.wrap
def fake_quantise(x):
    return quantise(x) / 16


def test_insert_a_quantise_and_dequantise_pair(traced):
    assert traced.graph.replace_calls(nn.Linear, lambda fc, x: fake_quantise(fc(x))) == 2
    agree(traced, net(after=fake_quantise, end=lambda net, x: fake_quantise(net.last(x))))


def test_fuse_and_save(traced, tmp_path):
    fused = tm.optimize(traced)
    assert fused.graph.get_module_by_type(nn.BatchNorm2D).as_count() == 0
    jit.save(jit.to_static(fused, input_spec=[InputSpec([None, 4], "float32", "x")]), str(tmp_path / "net"))
    agree(jit.load(str(tmp_path / "net")), net())


def test_an_exception_while_replacing_changes_nothing(traced):
    before, calls = str(traced.graph), []

    def make(x):
        calls.append(x)
        if len(calls) == 2:
            raise KeyError("enough")
        return F.relu6(x)

    with pytest.raises(KeyError, match="enough"):
        traced.graph.replace_calls(F.relu, make)
    with pytest.raises(ValueError, match="gives 1 values"):
        traced.graph.replace_calls(F.relu, lambda x: (F.relu6(x), x))
    assert str(traced.graph) == before
    agree(traced, net())
