"""Tracing: what is recorded, and what the traced module computes."""

import collections
import copy
import inspect

import numpy as np
import pytest
from traced_module.models import ResNet, body, images, layer, resnet, same, tensor, traced

import dy2st
import dy2st.nn.functional as F
from dy2st import jit, nn
from dy2st import traced_module as tm
from dy2st.nn.functional import relu as imported_relu
from dy2st.ops import unary
from dy2st.static import InputSpec


def statements(net, *args, **kwargs):
    return body(traced(net, *args, **kwargs).graph)


@pytest.mark.parametrize("size", [32, 224])
def test_tm_01_a_traced_resnet_is_a_layer_and_computes_the_same_on_other_inputs(size):
    net = resnet(pool=size // 32)
    made = tm.trace_module(net, images(size=size))
    assert isinstance(made, nn.Layer) and isinstance(made, tm.TracedModule)
    same(made(images(batch=2, size=size, seed=5)), net(images(batch=2, size=size, seed=5)))


def test_tm_02_custom_sublayers_are_traced_and_builtin_ones_stay():
    net = resnet()
    before = {name: type(part) for name, part in net.named_sublayers()}
    made = tm.trace_module(net, images())
    assert type(made.layer1) is tm.TracedModule and type(getattr(made.layer1, "0")) is tm.TracedModule
    assert made.conv1 is net.conv1 and type(getattr(made.layer1, "0").bn1) is nn.BatchNorm2D
    assert {name: type(part) for name, part in net.named_sublayers()} == before


def test_tm_03_the_graph_prints_one_statement_a_line():
    text = str(tm.trace_module(resnet(), images()).graph).splitlines()
    assert text[0] == "ResNet.Graph (self, x) {" and text[-2:] == ["\treturn fc_out", "}"]
    assert [line.strip() for line in text[1:-2]] == [
        '%2: conv1 = getattr(self, "conv1") -> (Conv2D)',
        "%3: conv1_out = conv1(x, )",
        '%4: bn1 = getattr(self, "bn1") -> (BatchNorm2D)',
        "%5: bn1_out = bn1(conv1_out, )",
        "%6: relu_out = activation.relu(bn1_out, )",
        '%7: maxpool = getattr(self, "maxpool") -> (MaxPool2D)',
        "%8: maxpool_out = maxpool(relu_out, )",
        '%9: layer1 = getattr(self, "layer1") -> (Layer)',
        "%10: layer1_out = layer1(maxpool_out, )",
        '%47: layer2 = getattr(self, "layer2") -> (Layer)',
        "%48: layer2_out = layer2(layer1_out, )",
        '%91: layer3 = getattr(self, "layer3") -> (Layer)',
        "%92: layer3_out = layer3(layer2_out, )",
        '%135: layer4 = getattr(self, "layer4") -> (Layer)',
        "%136: layer4_out = layer4(layer3_out, )",
        "%179: avg_pool2d_out = pooling.avg_pool2d(layer4_out, 1, None, 0, False, True, None, NCHW, )",
        "%180: flatten_out = manipulation.flatten(avg_pool2d_out, 1, -1, )",
        '%181: fc = getattr(self, "fc") -> (Linear)',
        "%182: fc_out = fc(flatten_out, )",
    ]


def test_tm_04_a_layer_call_is_a_getattr_and_a_call():
    def forward(self, x):
        return self.block0(x)

    graph = traced(layer(forward, block0=nn.Linear(2, 3)), tensor(1, 2)).graph
    fetch, call = graph.exprs(False).as_list()[2:]
    assert isinstance(fetch, tm.GetAttr) and fetch.name == "block0" and fetch.inputs == [graph.inputs[0]]
    assert isinstance(call, tm.CallMethod) and call.method == "__call__" and call.inputs[0] is fetch.outputs[0]


def test_tm_05_ids_are_shown_on_request_only():
    graph = tm.trace_module(resnet(), images()).graph
    plain = str(graph)
    assert "%3: %3_conv1_out = %2_conv1(%1_x, )" in f"{graph:i}"
    assert f"{graph.outputs[0]:i}" == "%182_fc_out"
    assert str(graph) == plain and "%3_conv1_out" not in plain


def test_tm_06_graphs_of_sublayers_are_named_after_their_path():
    made = tm.trace_module(resnet(), images())
    assert made.layer1.graph.name == "ResNet_layer1" and getattr(made.layer1, "1").graph.name == "ResNet_layer1_1"
    assert '_0 = getattr(self, "0") -> (Layer)' in body(made.layer1.graph)


def test_tm_07_one_call_is_one_expr():
    made = tm.trace_module(resnet(), images())
    graph = made.graph
    assert graph.exprs(False).as_count() == 21 and graph.exprs().as_count() == 183
    assert graph.nodes().as_count() == 183 and made.flatten().graph.exprs().as_count() == 123


def test_tm_08_ids_are_dense_and_rise_in_execution_order():
    graph = tm.trace_module(resnet(), images()).graph
    assert [expr.id for expr in graph.exprs()] == list(range(183)) == [node.id for node in graph.nodes()]
    assert str(graph.inputs) == "[self, x]"
    call = graph.get_expr_by_id(10).as_unique()
    assert call.graph.inputs[0].expr.id == 11


def test_tm_09_names_are_unique_and_users_and_producers_agree():
    graph = tm.trace_module(resnet(), images()).graph
    for inner in {id(e.top_graph): e.top_graph for e in graph.exprs()}.values():
        nodes = [node for expr in inner.exprs(False) for node in expr.outputs]
        assert len({node.name for node in nodes}) == len(nodes)
        for node in nodes:
            assert node in node.expr.outputs and all(node in user.inputs for user in node.users)
    assert body(getattr(graph.module.layer1, "0").graph)[-1] == "relu_out_1 = activation.relu(add_out, )"


@tm.wrap
def batch_norm(
    inp, running_mean=None, running_var=None, weight=None, bias=None, *, training=False, momentum=0.9, eps=1e-5,
    inplace=True, compute_mode="default", param_dim="dim_1c11",
):  # fmt: skip
    mean = inp.mean([0, 2, 3], keepdim=True)
    return (inp - mean) * weight.reshape([1, -1, 1, 1]) + bias.reshape([1, -1, 1, 1])


def my_bn(self, x):
    return batch_norm(x, weight=self.weight, bias=self.bias, training=True)


def test_tm_10_arguments_before_the_star_are_positional_and_defaults_are_recorded():
    net = layer(my_bn, weight=nn.Parameter(np.ones(3, "float32")), bias=nn.Parameter(np.zeros(3, "float32")))
    graph = traced(net, images()).graph
    assert body(graph)[0] == 'weight = getattr(self, "weight") -> (Tensor)'
    expr = graph.exprs().as_list()[-1]
    x, weight, bias = expr.inputs
    assert expr.args == (x, None, None, weight, bias)
    settings = dict(compute_mode="default", eps=1e-5, inplace=True, momentum=0.9, param_dim="dim_1c11", training=True)
    assert expr.kwargs == settings
    assert expr.named_args == dict(inp=x, running_mean=None, running_var=None, weight=weight, bias=bias) | settings
    assert str(expr).endswith(
        "batch_norm(x, None, None, weight, bias, compute_mode=default, eps=1e-05, inplace=True, momentum=0.9, "
        "param_dim=dim_1c11, training=True)"
    )


def test_tm_11_keywords_of_builtin_functions_become_positional():
    def forward(self, x):
        x = F.avg_pool2d(x, kernel_size=2)
        return F.batch_norm(x, self.mean, self.var, bias=self.b, weight=self.w)

    parts = {name: dy2st.ones([3]) for name in ("mean", "var", "w", "b")}
    graph = traced(layer(forward, **parts), images()).graph
    pool, norm = graph.exprs().as_list()[2], graph.exprs().as_list()[-1]
    assert pool.named_args["kernel_size"] == 2 and pool.args[1] == 2 and not pool.kwargs
    names = [argument.name for argument in norm.args[:5]]
    assert names == ["avg_pool2d_out", "mean", "var", "w", "b"]


class Adds(nn.Layer):
    def forward(self, x, b=2):
        return x + b


def test_tm_12_defaults_of_a_custom_layer_are_recorded():
    def forward(self, x):
        return self.block0(x)

    made = traced(layer(forward, block0=Adds()), tensor(2))
    call = made.graph.exprs(False).as_list()[-1]
    assert str(call).endswith("block0_out = block0(x, 2, )")
    named = call.named_args
    assert named["x"] is made.graph.inputs[1] and named["b"] == 2


def test_tm_13_constants_never_change():
    made = traced(Adds(), tensor(2), 3)
    expr = made.graph.exprs().as_list()[-1]
    assert expr.const_val == [(1, 3)]
    same(made(tensor(2), 3), tensor(2) + 3)
    with pytest.raises(TypeError, match="was not traced with such arguments"):
        made(tensor(2), 4)
    with pytest.raises(TypeError):
        made(tensor(2))


def test_tm_14_branches_and_loops_are_as_they_were_taken():
    def forward(self, x):
        if float(x.sum()) > 0:
            for _ in range(3):
                x = x * 2
            return x
        return x - 1

    with pytest.warns(tm.TraceWarning, match=r"float\(x\) follows the inputs"):
        made = traced(layer(forward), dy2st.ones([2]))
    same(made(-dy2st.ones([2])), -8 * dy2st.ones([2]))


def twice(self, x):
    return self.mod(self.mod(x, 1), 2)


def test_tm_15_one_graph_for_each_set_of_constants():
    made = traced(layer(twice, mod=Adds()), dy2st.zeros([1]))
    assert str(made.graph).splitlines()[2].split(": ")[1] == "mod_out = mod(x, 1, )"
    with pytest.raises(RuntimeError, match="2 kinds of calls"):
        made.mod.graph  # noqa: B018
    first, second = made.graph.get_method_by_type("__call__", False)
    assert (first.graph.name, second.graph.name) == ("Twice_mod", "Twice_mod_1")
    assert body(first.graph) == ["add_out = x.__add__(1, )"] and body(second.graph) == ["add_out = x.__add__(2, )"]
    same(made(dy2st.ones([3])), dy2st.full([3], 4.0))
    same(made.mod(dy2st.ones([3]), 2), dy2st.full([3], 3.0))


def test_tm_16_equal_constants_share_a_graph():
    def forward(self, x):
        return self.mod(self.mod(x, 5), 5)

    made = traced(layer(forward, mod=Adds()), dy2st.zeros([1]))
    first, second = made.graph.get_method_by_type("__call__", False)
    assert first.graph is second.graph is made.mod.graph
    assert made.graph.get_method_by_type("__add__").as_count() == 1


def test_tm_17_functions_called_through_their_module():
    def forward(self, x):
        return dy2st.tanh(F.relu(x))

    assert statements(layer(forward), tensor(3)) == ["relu_out = activation.relu(x, )", "tanh_out = math.tanh(relu_out, )"]


def test_tm_18_functions_imported_by_name_are_recorded():
    def forward(self, x):
        return imported_relu(x)

    made = traced(layer(forward), tensor(3))
    same(made(tensor(3, seed=4)), F.relu(tensor(3, seed=4)))
    assert made.graph.get_function_by_type(F.relu).as_count() == 1


GLOBAL = dy2st.to_tensor([1.0, 2.0, 3.0])


def test_tm_19_a_global_tensor_is_a_constant():
    def forward(self, x):
        return x + GLOBAL

    assert statements(layer(forward), tensor(3)) == [
        "const_tensor = Constant() -> (Tensor)", "add_out = x.__add__(const_tensor, )",
    ]  # fmt: skip


def test_tm_20_containers_in_and_out_and_keyword_only_arguments():
    def forward(self, xs, named, *, scale):
        a, b = xs
        return {"sum": a + b, "rest": [named["c"] * scale, (a, None, {"d": b})]}

    args = ([tensor(2), tensor(2, seed=1)], {"c": tensor(2, seed=2)})
    made = traced(layer(forward), *args, scale=3.0)
    other = ([tensor(5), tensor(5, seed=1)], {"c": tensor(5, seed=2)})
    same(made(*other, scale=3.0)["rest"][0], other[1]["c"] * 3.0)
    result = made(*other, scale=3.0)
    assert result["rest"][1][1] is None and list(result) == ["sum", "rest"]


def test_tm_21_any_way_of_giving_the_arguments():
    def forward(self, x, y):
        return x - y

    x, y = tensor(2), tensor(2, seed=1)
    for made in (traced(layer(forward), x, y), traced(layer(forward), x, y=y), traced(layer(forward), y=y, x=x)):
        assert made.argspec.args == ["self", "x", "y"]
        for result in (made(x, y), made(x, y=y), made(x=x, y=y), made(y=y, x=x)):
            same(result, x - y)
        with pytest.raises(TypeError, match="missing a required argument: 'y'"):
            made(x)


def test_tm_22_an_untraced_structure_is_refused_with_the_traced_forms():
    def forward(self, xs, flag):
        return xs[0] + len(xs) if flag else xs[0]

    made = traced(layer(forward), [tensor(2), tensor(2)], True)
    with pytest.raises(TypeError, match=r"\(\[Tensor, Tensor\], True\)"):
        made([tensor(2)], True)


def test_tm_23_varargs_and_keywords():
    def forward(self, *xs, **named):
        return xs[0] * named["b"] + xs[1] * named["a"]

    x, y, a, b = (tensor(2, seed=k) for k in range(4))
    made = traced(layer(forward), x, y, a=a, b=b)
    same(made(y, x, b=a, a=b), y * a + x * b)
    with pytest.raises(TypeError):
        made(x, a=a, b=b)


class Base(nn.Layer):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(np.full(2, 3.0, "float32"))

    @property
    def doubled(self):
        return self.w * 2

    @staticmethod
    def shifted(x):
        return x + 1

    def helped(self, x):
        return F.relu(x) * self.doubled

    def forward(self, x):
        return self.helped(self.shifted(x))


class Derived(Base):
    def forward(self, x):
        return super().forward(x) - 1


def test_tm_24_helpers_properties_and_super():
    net = Derived()
    made = traced(net, tensor(2))
    net.w.set_value(np.array([7.0, 8.0], "float32"))
    same(made(tensor(2, seed=3)), net(tensor(2, seed=3)))


def test_tm_25_layer_lists():
    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return self.parts[1](x)

    made = traced(layer(forward, parts=nn.LayerList([nn.Linear(3, 3), Adds(), nn.Linear(3, 3)])), tensor(2, 3))
    assert type(made.parts) is nn.LayerList and type(made.parts[1]) is tm.TracedModule
    assert body(made.graph)[0] == 'parts__0 = getattr(self, "parts.0") -> (Linear)'


def test_tm_26_a_shared_sublayer_stays_one():
    def forward(self, x):
        return self.a(x) + self.b(x)

    part = Adds()
    made = traced(layer(forward, a=part, b=part), tensor(2))
    copied = copy.deepcopy(made)
    assert made.a is made.b and copied.a is copied.b and copied.a is not made.a
    same(copied(tensor(3)), made(tensor(3)))


def test_tm_27_methods_slices_and_writes():
    def forward(self, x):
        y = x.transpose([1, 0]).clone()
        y[0] = 5
        view = y[1]
        view[:] = 7
        y[1:, 0:1] = x[0:1, 1:].reshape([-1, 1])[:1]
        return y, y.sum(axis=0)

    x = tensor(2, 3)
    kept = x.numpy().copy()
    made = traced(layer(forward), x)
    same(made(x), made(x))
    made.graph.compile()
    same(made(x), layer(forward)(x))
    assert (x.numpy() == kept).all()


def test_tm_28_traced_at_batch_one_right_at_three():
    net = resnet()
    same(tm.trace_module(net, images())(images(batch=3)), net(images(batch=3)))


def test_tm_29_lengths_follow_the_batch():
    def forward(self, x):
        n = x.shape[0]
        y = x.reshape([n, -1])
        return dy2st.ones([2 * n + 1]) * (1.0 / n), y, y * x.size, dy2st.arange(n)

    made = traced(layer(forward), tensor(1, 2, 3))
    same(made(tensor(4, 2, 3)), layer(forward)(tensor(4, 2, 3)))
    same(tm.trace_module(layer(forward), tensor(3, 2, 3)).flatten()(tensor(4, 2, 3)), layer(forward)(tensor(4, 2, 3)))


class Batch(nn.Layer):
    def forward(self, x, n):
        return x.reshape([n, -1]), n * 2


def test_tm_29_lengths_pass_through_sublayers():
    def forward(self, x):
        y, m = self.part(x, x.shape[0])
        return y, dy2st.zeros([m])

    made = traced(layer(forward, part=Batch()), tensor(2, 3, 2))
    for module in (made, made.flatten(), copy.deepcopy(made)):
        same(module(tensor(5, 3, 2)), layer(forward, part=Batch())(tensor(5, 3, 2)))


def test_tm_30_nothing_is_patched_and_nothing_changed():
    functions = F.relu, dy2st.Tensor.__add__, nn.Layer.__call__, dy2st.Tensor.shape
    net = ResNet()
    net.train()
    state = {name: value.numpy().copy() for name, value in net.state_dict().items()}
    x = images(batch=2)
    before = x.numpy().copy()
    tm.trace_module(net, x)
    assert functions == (F.relu, dy2st.Tensor.__add__, nn.Layer.__call__, dy2st.Tensor.shape)
    assert (x.numpy() == before).all() and type(x) is dy2st.Tensor
    assert all((value.numpy() == state[name]).all() for name, value in net.state_dict().items())


def test_tm_31_an_exception_comes_out_and_leaves_a_clean_state():
    def forward(self, x):
        raise KeyError("mine", self.fc(x) + 1)

    with pytest.raises(KeyError, match="mine"):
        tm.trace_module(layer(forward, fc=nn.Linear(2, 2)), tensor(1, 2))
    assert statements(Adds(), tensor(2)) == ["add_out = x.__add__(2, )"]


@pytest.mark.parametrize("thing", [F.relu, lambda x: x, 3])
def test_tm_32_only_layers_can_be_traced(thing):
    with pytest.raises(TypeError, match="takes a Layer"):
        tm.trace_module(thing, tensor(2))


def test_tm_33_parameter_names_equal_the_models():
    net, other = resnet(), ResNet()
    made = tm.trace_module(net, images())
    for module in (copy.deepcopy(made), copy.deepcopy(made).flatten()):
        assert list(module.state_dict()) == list(net.state_dict())
        assert module.set_state_dict(other.state_dict()) == ([], [])
        other.eval()
        same(module(images()), other(images()))


def test_tm_34_gradients_equal_the_models():
    net = resnet()
    made = tm.trace_module(net, images())
    net(images()).sum().backward()
    expected = [p.grad.numpy().copy() for p in net.parameters()]
    net.clear_gradients()
    made(images()).sum().backward()
    for parameter, gradient in zip(made.parameters(), expected):
        np.testing.assert_array_equal(parameter.grad.numpy(), gradient)


def test_tm_35_train_and_eval_reach_the_builtin_layers():
    net = layer(lambda self, x: self.drop(x), drop=nn.Dropout(0.5))
    made = traced(net, dy2st.ones([100]))
    made.train()
    assert (made(dy2st.ones([100])).numpy() == 0).any()
    made.eval()
    same(made(dy2st.ones([100])), dy2st.ones([100]))


def test_tm_36_traced_again_and_inside_another_layer():
    net = resnet()
    once = tm.trace_module(net, images())
    again = tm.trace_module(once, images())
    assert str(again.graph) == str(once.graph) and again.graph.exprs().as_count() == 183
    bigger = layer(lambda self, x: F.relu(self.inner(x)), inner=once)
    made = traced(bigger, images())
    same(made(images(batch=2)), F.relu(net(images(batch=2))))


def test_tm_37_one_tensor_for_two_inputs_stays_two_inputs():
    def forward(self, x, y):
        return x - 2 * y, self.part(x, y), self.part(x, x)

    net = layer(forward, part=layer(lambda self, a, b: a - 3 * b))
    x, y = tensor(2), tensor(2, seed=1)
    same(tm.trace_module(net, x, x)(x, y), net(x, y))


def test_an_operand_that_is_returned_keeps_its_name():
    def forward(self, x):
        return x + self.skip(x), x * 2

    made = traced(layer(forward, skip=nn.Identity()), tensor(2))
    assert body(made.graph)[-2:] == ["add_out = x.__add__(skip_out, )", "mul_out = x.__mul__(2, )"]


class Keeps(nn.Layer):
    def forward(self, x):
        self.kept = [x * 2]
        return x


def test_a_tensor_that_took_another_road_is_refused():
    def forward(self, x):
        return self.part(x) + self.part.kept[0]

    with pytest.raises(tm.TraceError, match=r"test_tracing.py:\d+: .*pass it as an argument"):
        tm.trace_module(layer(forward, part=Keeps()), tensor(2))


def test_a_buffer_that_is_assigned_is_refused_and_written_in_place_is_recorded():
    def assigns(self, x):
        self.h = self.h + x
        return self.h

    def writes(self, x):
        self.h[:] = self.h + x
        return self.h * 1

    net = layer(assigns, h=dy2st.zeros([2]))
    with pytest.raises(tm.TraceError, match="in place"):
        tm.trace_module(net, tensor(2))
    same(net.h, dy2st.zeros([2]))
    net = layer(writes, h=dy2st.zeros([2]))
    made = tm.trace_module(net, tensor(2))
    same(net.h, dy2st.zeros([2]))
    made.graph.compile()
    same([made(tensor(2)), made(tensor(2))], [tensor(2), tensor(2) * 2])


def test_a_layer_that_is_no_part_of_the_model_is_recorded_in_place():
    def forward(self, x):
        return nn.ReLU()(x)

    assert statements(layer(forward), tensor(2)) == ["relu_out = activation.relu(x, )"]


def test_rows_of_a_tensor():
    def forward(self, x):
        return [row * 2 for row in x]

    made = traced(layer(forward), tensor(2, 3))
    same(made(tensor(2, 3, seed=9)), [row * 2 for row in tensor(2, 3, seed=9)])


def test_namedtuples_go_in_and_out():
    pair = collections.namedtuple("pair", "a b")

    def forward(self, p):
        return pair(p.a + 1, p.b * 2)

    made = traced(layer(forward), pair(tensor(2), tensor(2)))
    assert made(pair(tensor(3), tensor(3))).b.shape == [3]


def test_public_functions_keep_their_signatures():
    assert list(inspect.signature(dy2st.concat).parameters)[:2] == ["x", "axis"] and F.relu.__name__ == "relu"


@pytest.mark.parametrize("use", [
    lambda x: x * x.sum().item(), lambda x: x * float(x.max()), lambda x: x / len(x),
    lambda x: x + np.sqrt(x.shape[0]), lambda x: [x[k] for k in range(x.shape[0])], lambda x: x * x.numpy(),
    lambda x: x * int(x.shape[0]), lambda x: x * np.abs(x.sum()), lambda x: x * dy2st.to_tensor(x.tolist()),
])  # fmt: skip
def test_a_python_value_that_will_not_follow_the_inputs_is_warned_of(use):
    with pytest.warns(tm.TraceWarning, match="the graph keeps it as it is now") as found:
        tm.trace_module(layer(lambda self, x: use(x)), tensor(2, 3))
    assert all(w.filename == __file__ for w in found)


def test_what_tracing_does_not_see_is_refused():
    with pytest.raises(tm.TraceError, match="a call that tracing doesn't see"):
        tm.trace_module(layer(lambda self, x: x + unary.exp(x)), tensor(2))
    with pytest.raises(tm.TraceError, match="a call that tracing doesn't see"):
        tm.trace_module(layer(lambda self, x: unary.exp(x)), tensor(2))


def test_properties_of_tensors():
    net = layer(lambda self, x: x.T @ self.w.T + x.mT[0, 0], w=nn.Parameter(tensor(2, 3).numpy()))
    made = tm.trace_module(net, tensor(3, 4))
    net.w.set_value(tensor(2, 3, seed=8).numpy())
    same(made(tensor(3, 6)), net(tensor(3, 6)))


def test_static_functions_and_loaded_models_inside(tmp_path):
    doubled = jit.to_static(lambda x: x * 2)
    jit.save(jit.to_static(nn.Linear(3, 2), input_spec=[InputSpec([None, 3], "float32", "x")]), str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    net = layer(lambda self, x: self.loaded(doubled(x)) + 1, loaded=loaded)
    made = traced(net, tensor(2, 3))
    same(made(tensor(4, 3, seed=1)), net(tensor(4, 3, seed=1)))
    assert [s.split(" = ")[0] for s in body(made.graph)] == ["mul_out", "loaded", "loaded_out", "add_out"]


def test_a_layer_whose_forward_is_static():
    net = jit.to_static(Adds())
    made = traced(net, tensor(2))
    assert body(made.graph) == ["add_out = x.__add__(2, )"]


@pytest.mark.parametrize(
    "make, shape",
    [
        (lambda: nn.Linear(2, 3), [1, 2]),
        (lambda: nn.BatchNorm2D(2), [1, 2, 3, 3]),
        (lambda: nn.Sequential(nn.Conv2D(1, 2, 3), nn.ReLU()), [1, 1, 5, 5]),
        (lambda: nn.LSTM(2, 3), [1, 4, 2]),
        (lambda: nn.TransformerEncoderLayer(4, 2, 8), [1, 3, 4]),
    ],
)
def test_a_layer_of_the_library_is_traced_by_itself(make, shape, tmp_path):
    layer, x = make(), dy2st.randn(shape)
    layer.eval()
    made = tm.trace_module(layer, x)
    tm.save(made, tmp_path / "layer")
    again = tm.load(tmp_path / "layer")
    expected = layer(x)
    expected = expected[0] if isinstance(expected, tuple) else expected
    for module in (made, again):
        found = module(x)
        np.testing.assert_allclose((found[0] if isinstance(found, tuple) else found).numpy(), expected.numpy(), rtol=1e-6)
    assert sorted(made.state_dict()) == sorted(layer.state_dict())
