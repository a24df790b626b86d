"""Surgery: inputs, outputs, Nodes in place of others, inserted Exprs; all of it or nothing."""

import copy

import numpy as np
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
    return copy.deepcopy(tm.trace_module(net, images()))


def everything(module):
    return [f"{e:i}" for e in module.graph.exprs()], f"{module.graph:i}", list(module.state_dict())


def simple(x):
    return dy2st.tanh(F.relu(x * 2))


@pytest.fixture
def small():
    return traced(layer(lambda self, x: simple(x)), tensor(3))


def test_tm_70_add_input_node(made, net):
    graph = made.graph
    node = graph.add_input_node(shape=(1, 3, 32, 32), dtype="float32", name="new_data")
    made.argspec.args.append("new_data")
    assert str(node) == "new_data" and str(graph).startswith("ResNet.Graph (self, x, new_data) {")
    assert node.shape == [1, 3, 32, 32] and node.id == 183
    graph.add_output_node(node)
    x, y = images(), images(seed=1)
    for result in (made(x, y), made(x, new_data=y), made(new_data=y, x=x)):
        same(result, (net(x), y))
    with pytest.raises(TypeError, match="missing a required argument: 'new_data'"):
        made(x)
    with pytest.raises(TypeError):
        made(x, y, x)


def test_tm_70_an_input_that_has_no_parameter_is_given_by_place(small):
    node = small.graph.add_input_node((3,))
    small.graph.reset_outputs(node)
    same(small(tensor(3), tensor(3, seed=1)), tensor(3, seed=1))
    with pytest.raises(TypeError, match="missing"):
        small(tensor(3))


def test_tm_71_default_name_and_suffix(small):
    names = [small.graph.add_input_node((1,)).name, small.graph.add_input_node((1,)).name]
    assert names == ["args", "args_1"] and small.graph.add_input_node((1,), name="x").name == "x_1"


def test_tm_72_the_new_input_feeds_inserted_exprs(small):
    graph = small.graph
    node = graph.add_input_node((3,), name="bias")
    out = graph.outputs[0]
    with graph.insert_exprs():
        total = out + node
    graph.replace_node({out: total})
    same(small(tensor(3), tensor(3, seed=1)), simple(tensor(3)) + tensor(3, seed=1))


def test_tm_73_subgraphs_keep_their_inputs_and_outputs(made):
    before = everything(made)
    graph = made.layer1.graph
    for change in (
        lambda: graph.add_input_node((1,)),
        lambda: graph.add_output_node(graph.outputs[0]),
        lambda: graph.reset_outputs(graph.outputs[0]),
    ):
        with pytest.raises(ValueError, match="top graph"):
            change()
    assert everything(made) == before


def test_tm_74_add_output_node_makes_a_tuple(made, net):
    graph = made.graph
    graph.add_output_node(graph.get_node_by_id(180).as_unique())
    assert str(graph).splitlines()[-2] == "\treturn fc_out, flatten_out"
    out, flat = made(images())
    same(out, net(images()))
    assert flat.shape == [1, 32]
    graph.add_output_node(graph.get_node_by_id(8).as_unique())
    assert len(made(images())) == 3


def test_tm_75_reset_outputs_with_a_structure(made, net):
    graph = made.graph
    pool, flat = graph.get_node_by_id([136, 180])
    graph.reset_outputs(({"fc_inp": flat, "fc_out": graph.outputs[0]}, pool))
    assert str(graph).splitlines()[-2] == "\treturn flatten_out, fc_out, layer4_out"
    named, last = made(images())
    same(named["fc_out"], net(images()))
    assert named["fc_inp"].shape == [1, 32] and last.shape == [1, 32, 1, 1]
    graph.reset_outputs([flat])
    assert made(images())[0].shape == [1, 32]
    graph.reset_outputs(flat)
    assert made(images()).shape == [1, 32]


@pytest.mark.parametrize(
    "bad", [lambda g, m: (g.outputs[0], 3), lambda g, m: g.inputs[0], lambda g, m: [m.layer1.graph.outputs[0]]]
)
def test_tm_76_outputs_are_tensor_nodes_all_the_way_down(made, bad):
    before = everything(made)
    with pytest.raises(ValueError, match="an output is a tensor Node of ResNet"):
        made.graph.reset_outputs(bad(made.graph, made))
    with pytest.raises(ValueError):
        made.graph.add_output_node(made.graph.inputs[0])
    assert everything(made) == before


def test_tm_77_every_relu_of_a_sublayer_is_removed(made):
    graph = made.layer1.graph
    for expr in graph.get_function_by_type(F.relu).as_list():
        expr.top_graph.replace_node({expr.outputs[0]: expr.inputs[0]})
        expr.top_graph.compile()
    assert graph.get_function_by_type(F.relu).as_list() == []
    made(images())


def test_tm_78_only_later_users_and_outputs_change(small):
    graph = small.graph
    x, (mul,) = graph.inputs[1], graph.get_method_by_type("__mul__").as_unique().outputs
    with graph.insert_exprs():
        added = x + 1
    graph.replace_node({x: added})
    assert body(graph)[0] == "add_out = x.__add__(1, )" and body(graph)[1] == "mul_out = add_out.__mul__(2, )"
    graph.replace_node({graph.outputs[0]: mul})
    assert graph.outputs == [mul]


def test_tm_79_both_nodes_in_one_graph_and_of_one_kind(made):
    before = everything(made)
    graph = made.graph
    for pair in ({graph.outputs[0]: made.layer1.graph.outputs[0]}, {graph.outputs[0]: graph.inputs[0]}):
        with pytest.raises(ValueError, match="replace_node"):
            graph.replace_node({graph.get_node_by_id(3).as_unique(): graph.inputs[1]} | pair)
    assert everything(made) == before


def test_tm_80_the_dict_is_not_modified(small):
    change = {small.graph.outputs[0]: small.graph.inputs[1]}
    given = dict(change)
    small.graph.replace_node(change)
    assert change == given


def test_tm_81_compile_drops_what_no_output_needs(small):
    graph = small.graph
    graph.reset_outputs(graph.get_method_by_type("__mul__").as_unique().outputs[0])
    graph.compile()
    assert body(graph) == ["mul_out = x.__mul__(2, )"]
    graph.reset_outputs(graph.inputs[1])
    graph.compile()
    assert body(graph) == []
    same(small(tensor(3)), tensor(3))


def insert_behind(graph, make):
    """Insert `make(output, input)` behind every relu, and use it in place of the relu."""
    for expr in graph.get_function_by_type(F.relu).as_list():
        inner, out = expr.top_graph, expr.outputs[0]
        with inner.insert_exprs():
            node = make(out, expr.inputs[0])
        inner.replace_node({out: node})
        inner.compile()
    return inner


def test_tm_82_neg_after_every_relu(made):
    found = insert_behind(made.layer1.graph, lambda out, x: dy2st.neg(out))
    lines = str(found).splitlines()
    k = next(k for k, line in enumerate(lines) if "neg_out =" in line)
    assert lines[k - 1].strip().startswith("%38: relu_out") and lines[k].strip() == "%185: neg_out = math.neg(relu_out, )"
    assert lines[-3].strip() == "%186: neg_out_1 = math.neg(relu_out_1, )" and lines[-2] == "\treturn neg_out_1"
    block = getattr(made.layer1, "1")
    x = tensor(1, 4, 8, 8)
    y = block.bn2(block.conv2(-F.relu(block.bn1(block.conv1(x))))) + x
    same(block(x), -F.relu(y))


def test_tm_83_relu_becomes_relu6(made):
    graph = made.layer1.graph
    insert_behind(graph, lambda out, x: F.relu6(x))
    assert graph.get_function_by_type(F.relu).as_count() == 0 and graph.get_function_by_type(F.relu6).as_count() == 4


class MyNeg(nn.Layer):
    def forward(self, x):
        return x * -1


def test_tm_84_a_custom_layer_is_inserted(made, net):
    setattr(made, "neg", MyNeg())
    graph = made.graph
    out = graph.outputs[0]
    with graph.insert_exprs():
        node = getattr(graph.inputs[0], "neg")(out)
        graph.replace_node({out: node})
        graph.compile()
    assert body(graph)[-2:] == ['neg = getattr(self, "neg") -> (Layer)', "neg_out = neg(fc_out, )"]
    assert type(made.neg) is tm.TracedModule and made.neg.graph.name == "ResNet_neg"
    assert body(made.neg.graph) == ["mul_out = x.__mul__(-1, )"]
    assert [node.id for node in made.neg.graph.nodes(False)] == [185, 186, 187]
    same(made(images()), -net(images()))


def test_tm_85_a_module_node_acts_as_the_layer(small):
    small.fc = nn.Linear(3, 2)
    small.scale = nn.Parameter(np.array([2.0, 3.0], "float32"))
    small.shift = dy2st.to_tensor([5.0, 5.0])
    graph = small.graph
    this, out = graph.inputs[0], graph.outputs[0]
    with graph.insert_exprs():
        node = this.fc(out) * this.scale + this.shift - this.fc.bias
    graph.replace_node({out: node})
    x = tensor(4, 3)
    same(small(x), small.fc(simple(x)) * small.scale + small.shift - small.fc.bias)
    assert "scale" in small.state_dict() and "fc.weight" in small.state_dict()


def test_tm_86_a_layer_on_a_sublayer_called_twice_from_the_top(made, net):
    made.layer1.neg = MyNeg()
    graph = made.graph
    out = graph.outputs[0]
    with graph.insert_exprs():
        node = graph.inputs[0].layer1.neg(graph.inputs[0].layer1.neg(out)) + 1
    graph.replace_node({out: node})
    same(made(images()), net(images()) + 1)
    assert len(made.layer1.neg._graphs) == 1
    same(made.flatten()(images()), net(images()) + 1)


def test_tm_87_where_exprs_go(small, made):
    graph = small.graph
    x, relu = graph.inputs[1], graph.get_function_by_type(F.relu).as_unique()
    with graph.insert_exprs(relu):
        a = x + 1
        b = a * 3
    with graph.insert_exprs():
        x - 1
    assert body(graph) == [
        "sub_out = x.__sub__(1, )", "mul_out = x.__mul__(2, )", "relu_out = activation.relu(mul_out, )",
        "add_out = x.__add__(1, )", "mul_out_1 = add_out.__mul__(3, )", "tanh_out = math.tanh(relu_out, )",
    ]  # fmt: skip
    assert b.shape == [3]
    with pytest.raises(ValueError, match="is no Expr of"), graph.insert_exprs(made.graph.body[0]):
        pass
    before = everything(small)
    with pytest.raises(tm.TraceError, match="computed later"), graph.insert_exprs(relu):
        graph.outputs[0] + 1
    assert everything(small) == before


def test_tm_88_a_tensor_node_acts_as_a_tensor(small):
    graph = small.graph
    out = graph.outputs[0]
    with graph.insert_exprs():
        y = 1 - (2 / (out + 3)) ** 2
        y = dy2st.concat([y.reshape([1, -1]), -out[None, :]], axis=0)
        assert y.shape == [2, 3] and y.shape[1] * 2 == 6
        y = y[:, 1:].transpose([1, 0]) @ y[:, :1]
        y = dy2st.ones([out.shape[0]]) * y.sum()
    graph.replace_node({out: y})
    x = tensor(4)

    def plain(o):
        z = 1 - (2 / (o + 3)) ** 2
        z = dy2st.concat([z.reshape([1, -1]), -o[None, :]], axis=0)
        return dy2st.ones([o.shape[0]]) * (z[:, 1:].transpose([1, 0]) @ z[:, :1]).sum()

    same(small(x), plain(simple(x)))


def test_tm_89_nodes_of_another_graph_are_refused(made):
    before = everything(made)
    with pytest.raises(tm.TraceError, match="is a Node of ResNet_layer1"), made.graph.insert_exprs():
        made.graph.outputs[0] + 1
        made.layer1.graph.outputs[0] + 1
    assert everything(made) == before


def test_tm_90_writes_are_read_by_later_uses(small):
    graph = small.graph
    x = graph.outputs[0]
    with graph.insert_exprs():
        x[0] = 1
        x[1] = 2
        y = x * 1
        z = y + 0
        z[2] = 9
        z = z + 0
    assert body(graph)[-5] == "setitem_out_1 = setitem_out.__setitem__(1, 2, )"
    assert body(graph)[-4] == "mul_out_1 = setitem_out_1.__mul__(1, )"
    graph.reset_outputs((x, y, z))
    kept, written, last = small(tensor(3))
    same(kept, simple(tensor(3)))
    assert written.numpy().tolist() == [1, 2, kept.numpy()[2]] and last.numpy().tolist() == [1, 2, 9]


def test_tm_91_the_variable_is_still_the_old_node(small):
    graph = small.graph
    x = graph.outputs[0]
    before = body(graph)
    with graph.insert_exprs():
        x[0] = 1
        x[1] = 2
        graph.replace_node({x: x})
    graph.compile()
    assert body(graph) == before
    same(small(tensor(3)), simple(tensor(3)))


def test_a_view_of_an_old_tensor_is_not_written(small):
    before = everything(small)
    with pytest.raises(tm.TraceError, match="clone"), small.graph.insert_exprs():
        view = small.graph.outputs[0][1:]
        view[0] = 1
    assert everything(small) == before


@tm.wrap
def my_relu6(x):
    return dy2st.minimum(dy2st.maximum(x, dy2st.zeros([])), dy2st.full([], 6.0))


def test_tm_92_a_wrapped_function_is_one_call(made):
    graph = made.layer1.graph
    insert_behind(graph, lambda out, x: my_relu6(x))
    calls = graph.get_function_by_type(my_relu6).as_list()
    assert len(calls) == 4 and str(calls[0]).endswith(f"my_relu6_out = {my_relu6.__module__}.my_relu6(bn1_out, )")
    made(images())


def test_tm_93_a_wrapped_function_in_forward_is_not_traced_into():
    made = traced(layer(lambda self, x: my_relu6(x) * 2), tensor(3))
    assert len(made.graph.body) == 2
    same(my_relu6(tensor(3)), F.relu6(tensor(3)))


@tm.wrap
def splits(x, parts=2, *, flag=True):
    return {"all": dy2st.split(x, parts)}


@tm.wrap
def counts(x):
    return x, 3


def test_tm_94_wrapped_functions_return_tensors():
    made = traced(layer(lambda self, x: splits(x)["all"][1]), tensor(4))
    assert made.graph.body[0].args[1:] == (2,) and made.graph.body[0].kwargs == {"flag": True}
    with pytest.raises(tm.TraceError, match="counts returned 3"):
        tm.trace_module(layer(lambda self, x: counts(x)[0]), tensor(4))
    assert counts(tensor(4))[1] == 3


def test_tm_95_an_exception_in_the_block_leaves_everything_as_it_was(made, net):
    setattr(made, "neg", MyNeg())
    before, part = everything(made), made.neg
    graph = made.graph
    with pytest.raises(ZeroDivisionError), graph.insert_exprs():
        node = graph.inputs[0].neg(graph.outputs[0])
        graph.replace_node({graph.outputs[0]: node})
        1 / 0  # noqa: B018
    assert everything(made) == before and made.neg is part
    same(made(images()), net(images()))
    with graph.insert_exprs():
        graph.outputs[0] + 1
    assert body(traced(MyNeg(), tensor(2)).graph) == ["mul_out = x.__mul__(-1, )"]


def test_tm_96_outside_the_block_nodes_are_no_tensors(small):
    out, this = small.graph.outputs[0], small.graph.inputs[0]
    for use in (lambda: out + 1, lambda: out[0], lambda: F.relu(out), lambda: this(out), lambda: out.reshape([1])):
        with pytest.raises((TypeError, AttributeError)):
            use()


def test_tm_97_nodes_are_renamed(small):
    graph = small.graph
    out = graph.outputs[0]
    out.name = "answer"
    assert body(graph)[-1].startswith("answer = ") and str(graph).splitlines()[-2] == "\treturn answer"
    assert graph.get_node_by_name("*_answer").as_unique() is out
    for bad in ("x", "no name"):
        with pytest.raises(ValueError):
            out.name = bad
    assert out.name == "answer"


def test_tm_98_surgery_on_a_copy_leaves_the_original(made, net):
    before = everything(made)
    copied = copy.deepcopy(made)
    insert_behind(copied.graph, lambda out, x: F.relu6(x) + 1)
    assert everything(made) == before
    same(made(images()), net(images()))
    assert not np.array_equal(copied(images()).numpy(), made(images()).numpy())
