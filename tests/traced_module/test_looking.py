"""Looking at a graph: walking, queries, watch points, end points, flattening."""

import copy

import pytest
from traced_module.models import body, images, layer, resnet, same, tensor, traced

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st import traced_module as tm


@pytest.fixture(scope="module")
def net():
    return resnet()


@pytest.fixture
def made(net):
    return tm.trace_module(net, images())


def test_tm_40_exprs_of_one_graph(made):
    found = made.graph.exprs(recursive=False).as_list()
    assert str(found[:2]) == "[%0: self = Input(), %1: x = Input()]"
    assert [e.id for e in found] == sorted(e.id for e in found) and all(e.top_graph is made.graph for e in found)


def test_tm_41_exprs_of_sublayers_follow_their_call(made):
    found = made.graph.exprs().as_list()
    assert found[10].graph is made.layer1.graph and found[11].top_graph is made.layer1.graph
    assert str(found[11]) == "%11: self = Input()"


def test_tm_42_nodes_by_rising_id_after_surgery_too(made):
    graph = made.graph
    with graph.insert_exprs():
        dy2st.neg(graph.get_node_by_id(6).as_unique())
    ids = [node.id for node in graph.nodes(recursive=False)]
    assert ids == sorted(ids) and ids[-1] == 183


def test_tm_43_inputs_and_outputs(made):
    expr = made.graph.exprs(False).as_list()[-1]
    assert str(expr.inputs) == "[fc, flatten_out]" and str(expr.outputs) == "[fc_out]"


def test_tm_44_producer_and_users(made):
    x = made.layer1.graph.inputs[1]
    assert isinstance(x.expr, tm.Input)
    fc = made.graph.nodes(False).as_list()[-2]
    assert str(fc.users) == "[%182: fc_out = fc(flatten_out, )]" and fc.expr.outputs == [fc]


def test_tm_45_owner_is_the_layer_itself(made, net):
    nodes = made.graph.nodes(False).as_list()
    assert nodes[0].owner is made and nodes[-2].owner is net.fc
    inner = getattr(made.layer1, "1")
    assert inner.graph.inputs[0].owner is inner
    assert inner.graph.get_module_by_type(nn.Conv2D).as_list()[0].owner is inner.conv1
    flat = made.flatten()
    assert flat.graph.get_module_by_type(nn.Linear).as_unique().owner is flat.fc


def test_tm_46_top_graph(made):
    graph = made.layer1.graph
    assert graph.exprs(False).as_list()[-1].top_graph is graph and graph.nodes(False).as_list()[-1].top_graph is graph


def test_tm_47_eval(made, net):
    x = images(seed=2)
    same(made.graph.eval(x)[0], net(x))
    y = F.relu(net.bn1(net.conv1(x)))
    same(made.layer1.graph.eval(y), [net.layer1(y)])
    with pytest.raises(TypeError, match="takes 1 inputs, not 2"):
        made.graph.eval(x, x)


def test_tm_48_filters(made):
    exprs, nodes = made.graph.exprs(), made.graph.nodes()
    assert isinstance(exprs, tm.ExprFilter) and isinstance(nodes, tm.NodeFilter) and isinstance(exprs, tm.BaseFilter)
    assert list(exprs) == list(exprs) == exprs.as_list() == [*exprs]
    assert exprs.as_dict()[7] is exprs.as_list()[7] and exprs.as_count() == 183
    first, second = made.graph.get_node_by_id([1, 2])
    assert (first.id, second.id) == (1, 2)
    with pytest.raises(ValueError, match="183"):
        exprs.as_unique()


def test_tm_49_nodes_by_id(made):
    found = made.graph.get_node_by_id([4, 8, 31]).as_list()
    assert [f"{n:i}" for n in found] == ["%4_bn1", "%8_maxpool_out", "%31__1_out"]
    assert made.graph.get_node_by_id(3).as_unique().name == "conv1_out"
    assert made.graph.get_node_by_id([4, 31], recursive=False).as_count() == 1


def test_tm_50_exprs_by_id(made):
    found = made.graph.get_expr_by_id([8, 4, 31]).as_list()
    assert str(found) == (
        '[%8: maxpool_out = maxpool(relu_out, ), %4: bn1 = getattr(self, "bn1") -> (BatchNorm2D), %31: _1_out = _1(_0_out, )]'
    )
    assert made.graph.get_expr_by_id([4, 31], False).as_count() == 1


def test_tm_51_calls_of_a_function(made):
    assert made.graph.get_function_by_type(F.relu).as_count() == 17
    found = made.graph.get_function_by_type(F.relu, False).as_unique()
    assert isinstance(found, tm.CallFunction) and found.func is F.relu


def test_tm_52_calls_of_a_method(made):
    assert [e.id for e in made.graph.get_method_by_type("__call__", False)] == [3, 5, 8, 10, 48, 92, 136, 182]
    assert made.graph.get_method_by_type("__add__").as_count() == 8


def test_tm_53_layers_of_a_class(made):
    assert str(made.graph.get_module_by_type(nn.BatchNorm2D, False).as_list()) == "[bn1]"
    assert made.graph.get_module_by_type(nn.Conv2D).as_count() == 20
    assert made.graph.get_module_by_type(nn.Layer).as_count() > 40


def test_tm_54_nodes_by_name(made):
    assert made.graph.get_node_by_name("resnet_layer1_1_conv?").as_count() == 2
    assert made.graph.get_node_by_name("resnet_layer1_1_conv?", ignorecase=False).as_count() == 0
    assert made.graph.get_node_by_name("*conv1", recursive=False).as_unique().id == 2


def test_tm_55_watch_points_keep_exactly_the_watched_values(made, net):
    nodes = made.graph.get_node_by_id([136, 179]).as_list()
    made.set_watch_points(nodes)
    same(made(images()), net(images()))
    assert [made.watch_node_value[n].shape for n in nodes] == [[1, 32, 1, 1]] * 2 and len(made.watch_node_value) == 2
    before = made.watch_node_value[nodes[0]]
    made(images(batch=2, seed=4))
    assert made.watch_node_value[nodes[0]].shape[0] == 2 and made.watch_node_value[nodes[0]] is not before


def test_tm_56_inputs_layers_and_inner_nodes_are_watched(made, net):
    graph = made.graph
    inner = made.layer1.graph.outputs[0]
    nodes = [graph.inputs[1], graph.get_node_by_id(2).as_unique(), inner]
    made.set_watch_points(nodes)
    x = images(seed=7)
    made(x)
    value = made.watch_node_value
    same(value[nodes[0]], x)
    assert value[nodes[1]] is net.conv1
    same(value[inner], net.layer1(net.maxpool(F.relu(net.bn1(net.conv1(x))))))


def test_tm_57_a_watched_value_is_the_one_at_its_moment():
    def forward(self, x):
        y = x * 2
        y.add_(dy2st.ones([2]))
        return y

    made = traced(layer(forward), tensor(2))
    node = made.graph.get_method_by_type("__mul__").as_unique().outputs[0]
    made.set_watch_points([node])
    x = tensor(2, seed=1)
    same(made(x), x * 2 + 1)
    same(made.watch_node_value[node], x * 2)


def test_tm_58_clear_watch_points(made):
    made.set_watch_points(made.graph.outputs)
    made(images())
    made.clear_watch_points()
    assert made.watch_node_value == {}
    made(images())
    assert made.watch_node_value == {}


def test_tm_59_end_points_give_values_in_the_order_asked_for(made, net):
    early, late = made.graph.get_node_by_id([8, 136])
    made.set_end_points([late, early])
    x = images(seed=3)
    a, b = made(x)
    start = net.maxpool(F.relu(net.bn1(net.conv1(x))))
    same(b, start)
    same(a, net.layer4(net.layer3(net.layer2(net.layer1(start)))))


def test_tm_60_what_comes_after_the_end_points_does_not_run():
    ran = []

    @tm.wrap
    def tells(x):
        ran.append(1)
        return x + 1

    made = traced(layer(lambda self, x: tells(x * 2)), tensor(2))
    ran.clear()
    made.set_end_points(made.graph.get_method_by_type("__mul__").as_unique().outputs)
    same(made(tensor(2)), [tensor(2) * 2])
    assert ran == []


def test_tm_61_end_points_are_of_the_top_graph(made):
    with pytest.raises(ValueError, match="end points are Nodes of ResNet"):
        made.set_end_points(made.layer1.graph.outputs)


def test_tm_62_clear_end_points(made, net):
    made.set_end_points(made.graph.get_node_by_id(8))
    made.clear_end_points()
    same(made(images()), net(images()))


def test_tm_63_a_watched_node_that_is_not_reached_is_absent(made):
    end, watched = made.graph.get_node_by_id([8, 179])
    made.set_watch_points([end, watched])
    made.set_end_points([end])
    made(images())
    assert list(made.watch_node_value) == [end]


def test_tm_64_flatten(made, net):
    text = str(made.graph.exprs().as_list())
    flat = made.flatten()
    same(flat(images(batch=2, seed=9)), net(images(batch=2, seed=9)))
    assert all(getattr(expr, "graph", None) is None for expr in flat.graph.exprs())
    assert flat.graph.get_module_by_type(tm.TracedModule).as_list() == flat.graph.inputs[:1]
    assert str(made.graph.exprs().as_list()) == text and flat is not made


def test_tm_65_flattened_text(made):
    flat = made.flatten().graph
    assert [e.id for e in flat.exprs()] == list(range(123)) == [n.id for n in flat.nodes()]
    found = body(flat)
    assert found[7] == 'layer1__0_conv1 = getattr(self, "layer1.0.conv1") -> (Conv2D)'
    assert "layer1__0_out = activation.relu(layer1__0_add_out, )" in found
    assert "layer1_out = activation.relu(layer1__1_add_out, )" in found
    assert "layer2__0_downsample_out = layer2__0_downsample__1(layer2__0_downsample__0_out, )" in found


class Same(nn.Layer):
    def forward(self, x):
        return x


class Two(nn.Layer):
    def forward(self, x, k):
        return {"a": x + k, "b": [x, x * 2]}


def test_tm_66_flatten_with_pass_through_and_nested_results():
    def forward(self, x):
        y = self.two(self.same(x), 1)
        z = self.two(y["b"][0], 1)
        return z, y["b"], self.same(x)

    made = traced(layer(forward, two=Two(), same=Same()), tensor(3))
    flat = made.flatten()
    again = flat.flatten()
    for module in (flat, again):
        same(module(tensor(3, seed=5)), made(tensor(3, seed=5)))
    assert str(again.graph) == str(flat.graph) and len(flat.graph.body) == 4


def test_tm_67_flatten_keeps_the_constants_of_each_call():
    def forward(self, x):
        return self.two(self.two(x, 1)["a"], 2)["a"]

    flat = traced(layer(forward, two=Two()), tensor(3)).flatten()
    flat.graph.compile()
    assert [e.args[1] for e in flat.graph.get_method_by_type("__add__")] == [1, 2]
    same(flat(dy2st.zeros([2])), dy2st.full([2], 3.0))


def test_deepcopy_of_a_watched_module_watches_nothing(made):
    made.set_watch_points(made.graph.outputs)
    copied = copy.deepcopy(made)
    copied(images())
    assert copied.watch_node_value == {}
