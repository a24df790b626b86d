"""optimize: always equal to the layer, on any input; the given module stays as it was."""

import copy
import io

import numpy as np
import pytest
from traced_module.models import body, images, layer, resnet, same, tensor, traced, unsettle

import dy2st
import dy2st.nn.functional as F
from dy2st import jit, nn
from dy2st import traced_module as tm
from dy2st.static import InputSpec


def everything(module):
    return [f"{e:i}" for e in module.graph.exprs()], f"{module.graph:i}", [v.numpy().copy() for v in module.state_dict().values()]


def optimized(net, *inputs, passes="FuseConvBn", flat=False, tolerance=2e-4):
    """The optimised module, held against the layer on other inputs; the module that was given hasn't changed."""
    made = tm.trace_module(net, *inputs)
    made = made.flatten() if flat else made
    before = everything(made)
    found = tm.optimize(made, passes)
    others = [tensor(2 * x.shape[0], *x.shape[1:], seed=11) for x in inputs]
    same(found(*others), net(*others), tolerance)
    after = everything(made)
    assert before[:2] == after[:2]
    same(before[2], after[2])
    return found


def norms(module):
    graph = module.graph
    found = graph.get_module_by_type((nn.BatchNorm1D, nn.BatchNorm2D)).as_list()
    return len(found) + graph.get_function_by_type(F.batch_norm).as_count()


def multiplications(module):
    names = ("__mul__", "__rmul__", "__truediv__", "__neg__")
    return sum(module.graph.get_method_by_type(name).as_count() for name in names)


def net_of(forward, **parts):
    dy2st.seed(0)
    net = layer(forward, **parts)
    unsettle(net)
    net.eval()
    return net


def conv(inner=3, outer=4, kernel=3, **how):
    return nn.Conv2D(inner, outer, kernel, **how)


# --- FuseConvBn ----------------------------------------------------------------------------------------------------------


def test_tm_100_fuse_conv_bn_on_resnet():
    found = optimized(resnet(), images())
    assert norms(found) == 0 and found.graph.get_module_by_type(nn.Conv2D).as_count() == 20
    inner = body(getattr(found.layer1, "0").graph)
    assert inner[1:3] == ["conv1_out = conv1(x, )", "relu_out = activation.relu(conv1_out, )"]
    assert "conv2_out = conv2(relu_out, )" in inner
    assert not any("bn" in name for name in found.state_dict())


@pytest.mark.parametrize("passes", ["FuseConvBn", ["FuseConvBn"], ("FuseConvBn",), None])
def test_tm_101_a_name_a_list_or_the_default(passes):
    made = tm.trace_module(net_of(lambda self, x: self.bn(self.conv(x)), conv=conv(), bn=nn.BatchNorm2D(4)), images(size=8))
    assert norms(tm.optimize(made) if passes is None else tm.optimize(made, passes)) == 0


def test_tm_102_works_on_a_copy():
    made = tm.trace_module(resnet(), images())
    found = tm.optimize(made, [])
    for a, b in zip(made.parameters(), found.parameters()):
        assert not np.shares_memory(a.numpy(), b.numpy())


@pytest.mark.parametrize("how", [
    dict(bias_attr=False), dict(), dict(groups=2), dict(groups=4), dict(stride=2, dilation=2), dict(kernel=(1, 3)),
    dict(padding=1, padding_mode="reflect"), dict(data_format="NHWC"),
])  # fmt: skip
def test_tm_103_all_kinds_of_convolutions(how):
    layout = how.get("data_format", "NCHW")
    net = net_of(lambda self, x: self.bn(self.conv(x)), conv=conv(4, 8, **how), bn=nn.BatchNorm2D(8, data_format=layout))
    found = optimized(net, tensor(1, 4, 8, 9) if layout == "NCHW" else tensor(1, 8, 9, 4))
    assert norms(found) == 0
    again = tm.optimize(found)
    assert everything(again)[:2] == everything(found)[:2]


def conv_layer(self, x):
    return self.conv(x)


def conv_function(self, x):
    return F.conv2d(x, self.w, self.b, stride=2)


def conv_function_without_bias(self, x):
    return F.conv2d(x, self.w)


def norm_layer(self, x):
    return self.bn(x)


def norm_function(self, x):
    return F.batch_norm(x, self.mean, self.var, self.scale, self.shift)


def norm_function_bare(self, x):
    return F.batch_norm(x, self.mean, self.var, epsilon=1e-3)


@pytest.mark.parametrize("norm", [norm_layer, norm_function, norm_function_bare])
@pytest.mark.parametrize("first", [conv_layer, conv_function, conv_function_without_bias])
def test_tm_104_layers_and_functions(first, norm):
    parts = dict(
        conv=conv(), bn=nn.BatchNorm2D(4), w=nn.Parameter(tensor(4, 3, 3, 3).numpy()), b=nn.Parameter(tensor(4).numpy()),
        mean=tensor(4, seed=1), var=dy2st.abs(tensor(4, seed=2)) + 0.5, scale=nn.Parameter(tensor(4, seed=3).numpy()),
        shift=nn.Parameter(tensor(4, seed=4).numpy()),
    )  # fmt: skip
    found = optimized(net_of(lambda self, x: norm(self, first(self, x)), **parts), images(size=8))
    calls = [e for e in found.graph.body if not isinstance(e, tm.GetAttr)]
    assert norms(found) == 0 and len(calls) == 1


def shared_conv(self, x1, x2):
    return self.bn_0(self.conv_0(x1)) + self.bn_0(self.conv_0(x2))


def test_tm_105_and_106_a_conv_called_twice_is_copied_for_the_first_call():
    found = optimized(net_of(shared_conv, conv_0=conv(), bn_0=nn.BatchNorm2D(4)), images(size=8), images(size=8, seed=1))
    assert norms(found) == 0
    fetched = [e.args[0].expr.name for e in found.graph.get_method_by_type("__call__")]
    assert fetched == ["conv_0_1", "conv_0"]


@pytest.mark.parametrize("bare_first", [True, False])
def test_tm_107_two_norms_and_a_bare_use(bare_first):
    def forward(self, x):
        y = self.conv(x)
        if bare_first:
            z = F.relu(y) + 1
            return z + self.a(y) * self.b(y)
        return self.a(y) * self.b(y) + F.relu(y)

    found = optimized(net_of(forward, conv=conv(), a=nn.BatchNorm2D(4), b=nn.BatchNorm2D(4)), images(size=8))
    assert norms(found) == 0 and found.graph.get_module_by_type(nn.Conv2D).as_count() == 3


@pytest.mark.parametrize("result", [lambda y, z: (y, z), lambda y, z: z + y, lambda y, z: [z, z, y]])
def test_tm_108_the_convolution_is_used_or_returned_elsewhere(result):
    def forward(self, x):
        y = self.conv(x)
        return result(y, self.bn(y))

    optimized(net_of(forward, conv=conv(), bn=nn.BatchNorm2D(4)), images(size=8))


def test_tm_109_only_two_dimensions():
    net = net_of(lambda self, x: self.bn(self.conv(x)), conv=nn.Conv1D(3, 4, 3), bn=nn.BatchNorm1D(4))
    assert norms(optimized(net, tensor(1, 3, 9))) == 1
    net = net_of(lambda self, x: self.bn(self.conv(x)), conv=nn.Conv2DTranspose(3, 4, 3), bn=nn.BatchNorm2D(4))
    optimized(net, images(size=5))


class MyConv(nn.Conv2D):
    pass


class MyNorm(nn.BatchNorm2D):
    def forward(self, x):
        return super().forward(x) * 1.5


def test_tm_110_subclasses_are_fused_once_flattened():
    net = net_of(lambda self, x: self.bn(self.conv(x)), conv=MyConv(3, 4, 3), bn=MyNorm(4))
    optimized(net, images(size=6))
    assert norms(optimized(net, images(size=6), flat=True)) == 0


@pytest.mark.parametrize("use", [dict(use_global_stats=False), dict(training=True)])
def test_tm_111_statistics_of_the_batch_are_not_fused(use):
    training = use.pop("training", False)
    net = net_of(lambda self, x: self.bn(self.conv(x)), conv=conv(), bn=nn.BatchNorm2D(4, **use))
    net.bn.training = training
    made = tm.trace_module(net, images(2, 8))
    found = tm.optimize(made)
    assert norms(found) == 1
    same(found(images(2, 8)), copy.deepcopy(net)(images(2, 8)))


class ConvBn(nn.Layer):
    def __init__(self, part=None, outer=3):
        super().__init__()
        self.conv = part or conv(3, outer, padding=1)
        self.bn = nn.BatchNorm2D(outer)

    def forward(self, x, k=1):
        return self.bn(self.conv(x)) * k


def two_roads():
    block, part = ConvBn(), conv(3, 3, padding=1)
    return {
        "graph used twice": (lambda self, x: self.a(self.a(x)), dict(a=block)),
        "two graphs": (lambda self, x: self.a(self.a(x, 2), 3), dict(a=block)),
        "two names": (lambda self, x: self.b(self.a(x)), dict(a=block, b=block)),
        "two blocks": (lambda self, x: self.b(self.a(x)), dict(a=ConvBn(part), b=ConvBn(part))),
    }


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("case", list(two_roads()))
def test_tm_112_two_roads_to_one_convolution(case, flat):
    forward, parts = two_roads()[case]
    assert norms(optimized(net_of(forward, **parts), images(size=6), flat=flat)) == 0


def test_tm_113_what_is_left_alone():
    bn = nn.BatchNorm2D(4)
    net = net_of(lambda self, x: self.bn(F.relu(self.conv(x))), conv=conv(), bn=bn)
    assert norms(optimized(net, images(size=6))) == 1
    net = net_of(lambda self, x: self.conv(self.bn(x)), conv=conv(4), bn=nn.BatchNorm2D(4))
    assert norms(optimized(net, images(size=6, channels=4))) == 1
    w = nn.Parameter(tensor(4, 3, 3, 3).numpy())
    net = net_of(lambda self, x: self.bn(F.conv2d(x, self.w * x.mean())), w=w, bn=bn)
    assert norms(optimized(net, images(size=6))) == 1


def test_a_norm_over_memory_that_is_written_is_left_alone():
    def forward(self, x):
        y = self.conv(x)
        z = self.bn(y)
        y.add_(z)
        return y + z

    assert norms(optimized(net_of(forward, conv=conv(), bn=nn.BatchNorm2D(4)), images(size=6))) == 1


# --- FuseAddMul ----------------------------------------------------------------------------------------------------------


def my_module(self, x):
    x = x * self.scale[0]
    x = 3 * x
    x = 3 + x
    return x - self.scale[1]


@pytest.mark.parametrize("name", ["FuseAddMul", "FuseaddMul"])
def test_tm_114_fuse_add_mul_on_the_example(name):
    found = optimized(net_of(my_module, scale=dy2st.to_tensor([1.0, 2.0])), tensor(3), passes=name)
    assert body(found.graph) == ["rmul_out = x.__rmul__(3, )", "sub_out = rmul_out.__add__(1, )"]


def test_tm_115_unknown_passes_and_modules():
    made = tm.trace_module(net_of(my_module, scale=dy2st.to_tensor([1.0, 2.0])), tensor(3))
    with pytest.raises(ValueError, match="FuseConvBn, FuseAddMul, BackwardFoldScale"):
        tm.optimize(made, ["FuseConvBnn"])
    with pytest.raises(TypeError, match="trace it first"):
        tm.optimize(resnet(), "FuseConvBn")


@pytest.mark.parametrize("forward, left", [
    (lambda self, x: x + 1 + 2 + 3.5, 1),
    (lambda self, x: x * 2 * 3 * 0.5, 1),
    (lambda self, x: (x + 1) * 2 + 3, 3),
    (lambda self, x: ((x * 2 * 3) + 1 + 1) * 5 * 2, 3),
])  # fmt: skip
def test_tm_116_chains_become_one_and_kinds_are_not_mixed(forward, left):
    assert len(optimized(net_of(forward), tensor(3), passes="FuseAddMul").graph.body) == left


@pytest.mark.parametrize("forward, left", [
    (lambda self, x: F.relu(x * 4 * 0.25), 1),
    (lambda self, x: F.relu(x + 3 - 3), 1),
    (lambda self, x: x * 4 * 0.25 + 1 + 2, 1),
    (lambda self, x: x + 1 + 2 - 3, 0),
])  # fmt: skip
def test_tm_117_what_does_nothing_disappears(forward, left):
    assert len(optimized(net_of(forward), tensor(3), passes="FuseAddMul").graph.body) == left


SMALL = dy2st.to_tensor([2.0])


@pytest.mark.parametrize("forward", [
    lambda self, x: 5 - x - 2, lambda self, x: 1 / (x * x + 1) / 4 / 2, lambda self, x: -(-(x * 2)),
    lambda self, x: dy2st.add(dy2st.multiply(x, SMALL), SMALL) + 1, lambda self, x: dy2st.subtract(SMALL, x) - SMALL,
    lambda self, x: 2 * (3 * x) / 7 * -1, lambda self, x: dy2st.divide(dy2st.neg(x), SMALL) * 2,
    lambda self, x: (x * 2).astype("int32") * 2 * 3, lambda self, x: (x > 0) * 2 * 3,
])  # fmt: skip
def test_tm_118_values_are_kept(forward):
    optimized(net_of(forward), tensor(3), passes=["FuseAddMul"], tolerance=1e-5)


def shared_intermediate(self, x):
    y = x * 2
    return y * 3, y


@pytest.mark.parametrize("forward, left", [
    (shared_intermediate, 2),
    (lambda self, x: (x * 2) * x * 3, 3),
    (lambda self, x: x.sum() * 2 * SMALL, 4),
    (lambda self, x: x * dy2st.to_tensor([[2.0]]) * 3, 3),
    (lambda self, x: x.reshape([3, -1]) * dy2st.to_tensor([[1.0], [2.0], [3.0]]) * 2, 4),
])  # fmt: skip
def test_tm_119_what_is_not_merged(forward, left):
    assert len(optimized(net_of(forward), tensor(3), passes="FuseAddMul").graph.body) == left


def test_tm_120_graphs_of_sublayers_are_optimised():
    net = net_of(lambda self, x: self.part(x) * 2 * 2, part=layer(lambda self, x: x + 1 + 1))
    found = optimized(net, tensor(3), passes="FuseAddMul")
    assert body(found.part.graph) == ["add_out_1 = x.__add__(2, )"] and len(found.graph.body) == 3


def test_a_trained_parameter_is_no_constant():
    net = net_of(lambda self, x: x * self.w * 2, w=nn.Parameter(np.array(3.0, "float32")))
    found = optimized(net, tensor(3), passes=["FuseAddMul", "BackwardFoldScale"])
    assert "w" in found.state_dict() and len(found.graph.body) == 3


# --- BackwardFoldScale -----------------------------------------------------------------------------------------------------


def two_branches(self, x):
    x = F.relu(self.conv(x))
    x1 = x * self.scale[0]
    x2 = dy2st.reshape(x, [-1]) * self.scale[1]
    return x1.reshape([-1]) * 2 + x2


def folded(forward, left=0, passes="BackwardFoldScale", size=6, **parts):
    parts.setdefault("conv", conv())
    found = optimized(net_of(forward, **parts), images(size=size), passes=passes)
    assert multiplications(found) == left
    return found


def test_tm_121_the_example():
    found = folded(two_branches, scale=dy2st.to_tensor([1.0, 2.0]))
    assert [s.split(" = ")[1].split("(")[0] for s in body(found.graph)] == [
        "getattr", "conv", "activation.relu", "manipulation.reshape", "relu_out.reshape", "reshape_out_1.__add__",
    ]  # fmt: skip


@pytest.mark.parametrize("a, b, left", [(2, 3, 2), (2, 2, 0)])
def test_tm_122_branches_with_different_scales_do_not_fold(a, b, left):
    def forward(self, x):
        y = F.relu(self.conv(x))
        return y * a, y.flatten() * b

    folded(forward, left)


def two_convolutions(self, x):
    return F.relu((self.conv(x) + self.other(x)) * 2)


def three_in_a_tree(self, x):
    return ((F.relu(self.conv(x)) + 1) * 3 - (self.other(x) + self.conv(x + 2).clone()) * 4) * 2


def one_layer_twice(self, x):
    return (self.conv(x) + self.conv(x + 1)) * 2


def one_side_is_no_convolution(self, x):
    return (self.conv(x) + dy2st.tanh(self.other(x))) * 2


def one_side_has_another_reader(self, x):
    y = self.other(x)
    return (self.conv(x) + y) * 2 + y


def added_to_itself(self, x):
    y = self.conv(x)
    return (y + y) * 2


SUMS = [(two_convolutions, 0), (three_in_a_tree, 0), (one_layer_twice, 0), (one_side_is_no_convolution, 1),
        (one_side_has_another_reader, 1), (added_to_itself, 1)]  # fmt: skip


@pytest.mark.parametrize(("forward", "left"), SUMS, ids=lambda x: getattr(x, "__name__", str(x)))
def test_e_18_a_factor_of_a_sum_goes_into_all_its_convolutions(forward, left):
    folded(forward, left, other=conv())


def returned(self, x):
    y = self.conv(x)
    return y, y * 2


def other_user(self, x):
    y = self.conv(x)
    return y * 2 + dy2st.tanh(y)


def bare_branch(self, x):
    y = F.relu(self.conv(x))
    return y * 2 + y.reshape(y.shape)


def add_data(self, x):
    return (self.conv(x) + x[:, :1, 1:-1, 1:-1]) * 2


def concat_data(self, x):
    return dy2st.concat([self.conv(x), x[:, :, 1:-1, 1:-1]], axis=1) * 2


def negative_relu(self, x):
    return F.relu(self.conv(x)) * -2


def negative_max(self, x):
    return F.max_pool2d(self.conv(x), 2) * -2


def nonlinear(self, x):
    return dy2st.tanh(self.conv(x)) * 2


def per_channel(self, x):
    return self.conv(x) * dy2st.to_tensor(np.arange(4, dtype="float32").reshape(1, 4, 1, 1))


def squared(self, x):
    y = self.conv(x)
    return (y * y) * 2


def zero(self, x):
    return F.relu(self.conv(x)) * 0


def divided(self, x):
    return 2 / (self.conv(x) * 0 + 3)


def written(self, x):
    y = self.conv(x)
    z = y * 2
    y.add_(dy2st.ones([1]))
    return z + y


@pytest.mark.parametrize("forward, left", [
    (returned, 1), (other_user, 1), (bare_branch, 1), (add_data, 1), (concat_data, 1), (negative_relu, 1), (negative_max, 1),
    (nonlinear, 1), (per_channel, 1), (squared, 2), (zero, 1), (divided, 1), (written, 1),
])  # fmt: skip
def test_tm_123_where_folding_would_be_wrong(forward, left):
    folded(forward, left)


@pytest.mark.parametrize("forward", [
    lambda self, x: F.relu(self.conv(x)) * 3, lambda self, x: F.leaky_relu(self.conv(x), 0.1) / 4,
    lambda self, x: -F.avg_pool2d(self.conv(x), 2), lambda self, x: F.max_pool2d(self.conv(x), 2) * 0.5,
    lambda self, x: self.conv(x).transpose([0, 2, 3, 1])[:, 1:, :2] * -2, lambda self, x: self.act(self.conv(x)) * 3,
    lambda self, x: F.adaptive_avg_pool2d(F.relu(self.conv(x)), 1).flatten(1) * 2 * 3,
])  # fmt: skip
def test_tm_124_scales_pass_back_through(forward):
    folded(forward, act=nn.ReLU())


def test_tm_125_an_added_constant_is_scaled_too():
    found = folded(lambda self, x: (F.relu(self.conv(x)) + 3) * 3)
    assert body(found.graph)[-1] == "add_out = relu_out.__add__(9, )"


def test_tm_126_several_convolutions():
    folded(lambda self, x: F.relu(self.b(F.relu(self.conv(x)) * 2)) * 3 + self.c(x) * 5, b=conv(4, 4, 1), c=conv(3, 4))
    folded(lambda self, x: self.b(self.conv(x) * -2) * 0.5, b=conv(4, 2, 1, bias_attr=False))


def shared_by_two_names():
    part = conv(3, 3, padding=1)
    return dict(conv=part, other=part)


@pytest.mark.parametrize("forward", [
    lambda self, x: self.conv(x) * 2 + self.conv(x + 1), lambda self, x: self.other(self.conv(x) * 2),
    lambda self, x: self.other(self.conv(x)) * 3, lambda self, x: self.conv(self.conv(x) * 2) * 3 + x,
])  # fmt: skip
def test_tm_127_a_shared_convolution_is_copied_first(forward):
    folded(forward, **shared_by_two_names())


@pytest.mark.parametrize("kind", [list, tuple])
def test_tm_128_fuse_conv_bn_comes_with_it(kind):
    passes = kind(["BackwardFoldScale"])
    found = folded(lambda self, x: self.bn(self.conv(x)) * 2, passes=passes, bn=nn.BatchNorm2D(4))
    assert norms(found) == 0 and passes == kind(["BackwardFoldScale"])


def branching(self, x):
    y = F.relu(self.bn(self.conv(x))) * 2
    a, b = self.left(y), self.right(y)
    return (a * 3 + b * 3 + 1) * 2 * 2


@pytest.mark.parametrize("flat", [False, True])
def test_tm_129_all_passes_on_a_branching_network(flat):
    net = net_of(branching, conv=conv(3, 3, padding=1), bn=nn.BatchNorm2D(3), left=ConvBn(), right=ConvBn())
    found = optimized(net, images(size=6), passes=["FuseConvBn", "FuseAddMul", "BackwardFoldScale"], flat=flat)
    assert norms(found) == 0


def test_tm_130_an_optimised_module_is_saved_edited_copied_and_trained(tmp_path):
    net = resnet()
    found = tm.optimize(tm.trace_module(net, images()), ["BackwardFoldScale", "FuseAddMul"])
    buffer = io.BytesIO()
    tm.save(found, buffer)
    buffer.seek(0)
    loaded = tm.load(buffer)
    graph = loaded.graph
    out = graph.outputs[0]
    with graph.insert_exprs():
        more = dy2st.tanh(out)
    graph.replace_node({out: more})
    x = images(2)
    same(copy.deepcopy(loaded)(x), dy2st.tanh(net(x)), 1e-4)
    optimizer = dy2st.optimizer.SGD(1e-5, parameters=found.parameters())
    losses = []
    for _ in range(3):
        loss = (found(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    assert losses[-1] < losses[0]
    jit.save(jit.to_static(loaded, input_spec=[InputSpec([None, 3, 32, 32], "float32")]), str(tmp_path / "net"))
    same(jit.load(str(tmp_path / "net"))(x), dy2st.tanh(net(x)), 1e-4)
    traced(found, x)
