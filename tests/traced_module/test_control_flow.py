"""Control flow that tensors decide: both paths are there, in what is traced, copied, flattened, edited, saved and loaded."""

import copy
import io

import pytest
from traced_module.branching import MODELS, decoder, inputs, loop, made, norms, sublayers
from traced_module.models import layer, same, tensor, unsettle

import dy2st
import dy2st.nn.functional as F
from dy2st import jit, nn
from dy2st import traced_module as tm
from dy2st.errors import ModelFileError
from dy2st.static import InputSpec
from dy2st.traced_module import files
from dy2st.traced_module.layers_written import ModuleWriter
from dy2st.traced_module.tree import leaves


def agree(module, net, tolerance=1e-6):
    """The same result as plain Python, on each path."""
    for x in inputs():
        same(module(x), net(x), tolerance)


def saved(module):
    file = io.BytesIO()
    tm.save(module, file)
    file.seek(0)
    return tm.load(file)


@pytest.mark.parametrize("forward", MODELS)
def test_every_path_is_there(forward):
    net = made(forward)
    unsettle(net)
    for example in list(inputs())[:2]:
        traced = tm.trace_module(net, example)
        agree(traced, net)
    assert traced.graph.get_expr_by_type(tm.If).as_count() + traced.graph.get_expr_by_type(tm.While).as_count() > 0
    for other in (copy.deepcopy(traced), saved(traced)):
        assert str(other.graph) == str(traced.graph)
        agree(other, net)
    flat = traced.flatten()
    assert all(e.graph is None for e in flat.graph.get_method_by_type("__call__"))
    agree(flat, net)
    agree(tm.optimize(flat, ["FuseConvBn", "FuseAddMul", "BackwardFoldScale"]), net, 1e-5)
    static = jit.to_static(saved(flat), input_spec=[InputSpec([None, 4], "float32", "x")])
    for x in inputs():
        same(list(map(dy2st.to_tensor, leaves(static(x)))), list(map(dy2st.to_tensor, leaves(net(x)))), 1e-6)


SPEC = [InputSpec([None, 4], "float32", "x")]


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The decoder, saved."""
    path = str(tmp_path_factory.mktemp("decoder") / "net")
    jit.save(jit.to_static(decoder(), input_spec=SPEC), path)
    return path


@pytest.fixture(params=["traced", "flat", "saved", "loaded"])
def module(request, exported):
    """The decoder as a TracedModule, by each of the ways to one."""
    if request.param == "loaded":
        return tm.from_translated(jit.load(exported))
    traced = tm.trace_module(decoder(), next(inputs()))
    return {"traced": lambda: traced, "flat": traced.flatten, "saved": lambda: saved(traced)}[request.param]()


def replace_all(graph, function, make):
    """`make(input)` in place of every call of a function, wherever it is."""
    for expr in graph.get_function_by_type(function).as_list():
        inner, old = expr.top_graph, expr.outputs[0]
        with inner.insert_exprs(expr):
            new = make(expr.inputs[0])
        inner.replace_node({old: new})
    graph.compile()


def test_every_relu_is_replaced_on_every_path(module, tmp_path):
    agree(module, decoder())
    assert module.graph.get_function_by_type(F.relu).as_count() == 4  # before the loop that Python unrolls, and in its turns
    replace_all(module.graph, F.relu, lambda x: F.relu6(x - 1))
    assert module.graph.get_function_by_type(F.relu).as_count() == 0
    truth = decoder(lambda x: F.relu6(x - 1))
    agree(module, truth)
    agree(copy.deepcopy(module), truth)
    agree(saved(module), truth)
    jit.save(jit.to_static(module, input_spec=SPEC), str(tmp_path / "net"))
    again = jit.load(str(tmp_path / "net"))
    agree(again, truth)
    agree(tm.from_translated(again), truth)


def test_steps_are_inserted_into_and_deleted_from_a_branch_and_a_loop():
    def forward(self, x):
        while x.sum() < 10:
            x = F.relu(x) + 1
        return x

    def edited(self, x):
        while x.sum() < 10:
            x = x * 2 + 1 + x.abs()
        return x

    module = tm.trace_module(layer(forward), tensor(3))
    loop = module.graph.get_expr_by_type(tm.While).as_unique()
    _, body = loop.blocks
    relu, add = body.body
    body.replace_node({relu.outputs[0]: body.inputs[0]})
    with body.insert_exprs():
        doubled = body.inputs[0] * 2
        more = add.outputs[0] + body.inputs[0].abs()
    add.replace_inputs({body.inputs[0]: doubled})
    body.results = [more]
    module.graph.compile()
    assert body.body[0].outputs == [doubled] and len(body.body) == 4
    for x in (tensor(3), -tensor(3), tensor(3) + 9):
        same(module(x), layer(edited)(x), 1e-6)


def test_walking_goes_into_control_flow(module):
    graph = module.graph
    outer, everything = graph.exprs(recursive=False).as_list(), graph.exprs().as_list()
    inner = [expr for block in outer[-1].top_graph.get_expr_by_type(tm.If, False).as_list()[0].blocks for expr in block.exprs()]
    assert inner and set(inner) <= set(everything) and not set(inner) & set(outer)
    assert sorted(expr.id for expr in everything) == list(range(len(everything)))
    assert [node.id for node in graph.nodes()] == sorted(node.id for node in graph.nodes())
    names = [node.name for node in graph.nodes()]
    assert len(set(names)) == len(names)
    for expr in everything:
        for node in expr.inputs:
            assert expr in node.users or node.top_graph is not expr.top_graph
        for block in expr.blocks:
            assert all(e.top_graph.around is expr.top_graph for e in block.body)
    relu = graph.get_function_by_type(F.relu).as_list()[0]
    assert graph.get_node_by_name(f"*_{relu.outputs[0].name}").as_unique() is relu.outputs[0]
    assert graph.get_node_by_id(relu.outputs[0].id).as_unique() is relu.outputs[0]
    assert relu.outputs[0].top_graph is not graph and relu.top_graph.module is module


def test_watching_and_ending_in_control_flow():
    module = tm.trace_module(decoder(), next(inputs()))
    relu = module.graph.get_function_by_type(F.relu).as_list()[0]
    module.set_watch_points([relu.outputs[0]])
    up, down = dy2st.ones([2, 4]), -dy2st.ones([2, 4])
    module(up)
    same(module.watch_node_value[relu.outputs[0]], F.relu(decoder().first(up)))
    module(down)
    assert relu.outputs[0] not in module.watch_node_value
    branch = module.graph.get_expr_by_type(tm.If, recursive=False).as_list()[0]
    module.set_end_points(branch.outputs)
    same(module(down)[0], decoder().first(down) * 2)


def test_an_edit_that_fails_changes_nothing():
    module = tm.trace_module(decoder(), next(inputs()))
    before = str(module.graph)
    first, second = module.graph.get_expr_by_type(tm.If, recursive=False).as_list()[0].blocks
    with pytest.raises(tm.TraceError, match="is a Node of"), second.insert_exprs():
        _ = second.body[-1].outputs[0] * 2
        _ = first.body[-1].outputs[0] * 2
    with pytest.raises(ValueError, match="must both be Nodes"):
        second.replace_node({second.body[-1].outputs[0]: first.body[-1].outputs[0]})
    with pytest.raises(ValueError, match="for the top graph"):
        first.add_output_node(first.body[-1].outputs[0])
    with pytest.raises(TypeError, match="is a part of"):
        first.eval()
    assert str(module.graph) == before
    agree(module, decoder())


def test_gradients_flow_through_the_path_taken():
    net, module = decoder(), tm.trace_module(decoder(), next(inputs()))
    for x in inputs():
        net(x).sum().backward()
        module(x).sum().backward()
    for (name, a), (other, b) in zip(net.named_parameters(), module.named_parameters()):
        assert name == other
        same(a.grad, b.grad, 1e-5)


def test_an_assertion_is_checked_whatever_is_removed():
    def forward(self, x):
        y = x * 2
        assert y.sum() > 0, "too small"
        if x.sum() > 100:
            raise KeyError("large")
        return x + 1

    module = tm.trace_module(layer(forward), dy2st.ones([2]))
    module.graph.compile()
    for each in (module, saved(module), jit.to_static(module, input_spec=[InputSpec([None], "float32")])):
        same(each(dy2st.ones([3])), dy2st.ones([3]) + 1)
        with pytest.raises(AssertionError, match="too small"):
            each(-dy2st.ones([2]))
        with pytest.raises(KeyError, match="large"):
            each(dy2st.ones([2]) * 99)


def test_what_is_fused_stays_on_its_path():
    net = made(norms)
    unsettle(net)
    optimized = tm.optimize(tm.trace_module(net, next(inputs())), "FuseConvBn")
    assert optimized.graph.get_module_by_type(nn.BatchNorm2D).as_count() == 0
    agree(optimized, net, 1e-5)

    def across(self, x):
        y = self.conv(x)
        if x.sum() > 0:
            y = self.bn(y)
        return y

    net = layer(across, conv=nn.Conv2D(1, 2, 1), bn=nn.BatchNorm2D(2))
    unsettle(net)
    optimized = tm.optimize(tm.trace_module(net, dy2st.ones([1, 1, 2, 2])), "FuseConvBn")
    for x in (dy2st.ones([2, 1, 2, 2]), -dy2st.ones([1, 1, 2, 2])):
        same(optimized(x), net(x), 1e-5)


def test_calls_of_a_sublayer_keep_their_constants():
    module = tm.trace_module(made(sublayers), next(inputs()))
    assert len(module.gate._graphs) == 3  # scale is 1, 2 and 3
    names = {e.graph.name for e in module.graph.get_method_by_type("__call__") if e.graph is not None}
    assert names == {graph.name for graph in module.gate._graphs}


def kept(self, x):
    if x.sum() > 0:
        self.count = self.count + 1
    return x * self.count


def caught(self, x):
    try:
        assert x.sum() > 0
    except AssertionError:
        return x
    return x * 2


def recursive(self, x):
    def halve(x):
        return halve(x / 2) if x.sum() > 1 else x

    return halve(x)


@pytest.mark.parametrize(("forward", "what"), [(kept, "state"), (caught, "`try`"), (recursive, "calls itself")])
def test_what_a_graph_can_not_hold_is_refused_by_name(forward, what):
    with pytest.raises(tm.TraceError, match=what) as found:
        tm.trace_module(layer(forward, count=0), dy2st.ones([2]))
    assert __file__ in str(found.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"kind": "while"', '"kind": "if"'),
        ('"kind": "if"', '"kind": "while"'),
        ('"kind": "if"', '"kind": "try"'),
        ('"blocks": [', '"blocks": [], "more": ['),
        ('"func": "py.truth"', '"func": "py.eval"'),
    ],
)
def test_a_hostile_file_is_refused(old, new, monkeypatch, wrong_files):
    module = tm.trace_module(made(loop), next(inputs()))
    dumps = files.json.dumps
    assert old in dumps(ModuleWriter(module).tree())
    monkeypatch.setattr(files.json, "dumps", lambda tree, **how: dumps(tree, **how).replace(old, new))
    file = io.BytesIO(files.module_bytes(module))
    monkeypatch.undo()
    with pytest.raises(ModelFileError):
        tm.load(file)


def test_from_translated_takes_loaded_models_only(exported):
    with pytest.raises(TypeError, match="jit.load"):
        tm.from_translated(decoder())
    with pytest.raises(ValueError, match="there is no method 'other'"):
        tm.from_translated(jit.load(exported), "other")


class Around(nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) * 2


def test_a_traced_or_loaded_model_is_traced_again_with_its_paths(module):
    again, around = tm.trace_module(module, next(inputs())), tm.trace_module(Around(module), next(inputs()))
    agree(again, decoder())
    agree(around, Around(decoder()))
    assert again.graph.get_expr_by_type(tm.If).as_count() == module.graph.get_expr_by_type(tm.If).as_count()


def test_any_form_of_arguments_and_results():
    def forward(self, a, *more, flag=True, **named):
        if a.sum() > 0 and flag:
            y = a + more[0]["u"]
        else:
            y = a - more[1][0]
        return {"y": y, "z": (named["k"], [y, 3])}

    net, a = layer(forward), tensor(2, 3).abs()
    module = tm.trace_module(net, a, {"u": a * 2}, [a * 3], k=a * 4)
    for sign in (1, -1):
        given, named = (sign * a, {"u": a * 2}, [a * 3]), {"k": a * 4}
        same(module(*given, **named), net(*given, **named))


def test_statistics_are_kept_on_the_path_taken_and_not_by_tracing():
    net, plain = made(norms), made(norms)
    net.train()
    plain.train()
    module = tm.trace_module(net, next(inputs()))
    same(net.bn._mean, plain.bn._mean)
    agree(module, plain, 1e-5)
    same(net.bn._variance, plain.bn._variance, 1e-6)


def test_the_librarys_layers_stay_whole():
    def forward(self, x):
        if x.mean() > 0:
            x = self.attention(x, x, x)
        return self.norm(x)

    net = layer(forward, attention=nn.MultiHeadAttention(4, 2), norm=nn.LayerNorm(4))
    module = tm.trace_module(net, tensor(2, 3, 4))
    assert module.graph.get_method_by_type("__call__").as_count() == 2
    assert module.graph.get_expr_by_type(tm.Operator).as_count() == 1  # of the condition
    for seed in range(3):
        same(module(tensor(3, 3, 4, seed=seed)), net(tensor(3, 3, 4, seed=seed)), 1e-6)


def test_the_length_of_a_batch_and_a_buffer_decide_at_run_time():
    def forward(self, x):
        if x.shape[0] > 2:
            x = x * 2
        return x + 1 if self.flag else x

    net = layer(forward)
    net.register_buffer("flag", dy2st.to_tensor(True))
    module = tm.trace_module(net, tensor(2, 2))
    for flag in (True, False):
        net.flag.set_value(dy2st.to_tensor(flag))
        for length in (1, 3):
            same(module(tensor(length, 2)), net(tensor(length, 2)))


def test_where_gradients_were_turned_off_they_stay_so():
    def forward(self, x):
        y = self.fc(x)
        with dy2st.no_grad():
            scale = self.fc(y).abs()
        return y * scale

    net = layer(forward, fc=nn.Linear(3, 3))
    gradients = []
    for each in (net, tm.trace_module(net, tensor(2, 3))):
        x = tensor(2, 3)
        x.stop_gradient = False
        each(x).sum().backward()
        gradients.append(x.grad)
    same(*gradients, 1e-6)


def test_the_rows_of_a_batch_are_looped_over_however_many_there_are():
    def summed(self, x):
        total = x.sum(0) * 0
        for k, row in enumerate(x):
            total = total + row * k
        return total

    def pair(self, x):
        a, b = x
        return a - b

    module = tm.trace_module(layer(summed), tensor(2, 3))
    assert module.graph.get_expr_by_type(tm.While).as_count() == 1
    for length in (0, 1, 4):
        same(module(tensor(length, 3)), layer(summed)(tensor(length, 3)), 1e-6)
    module = tm.trace_module(layer(pair), tensor(2, 3))
    same(module(tensor(2, 3)), layer(pair)(tensor(2, 3)))
    with pytest.raises(ValueError, match="too many values"):
        module(tensor(3, 3))
