"""Saving, loading, copying; and other ways out: to_static, jit.save."""

import copy
import io
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from traced_module.models import body, images, layer, resnet, same, tensor, traced

import dy2st
import dy2st.nn.functional as F
from dy2st import jit, nn
from dy2st import traced_module as tm
from dy2st.errors import ModelFileError
from dy2st.static import InputSpec
from dy2st.traced_module import files
from dy2st.traced_module.layers_written import ModuleWriter

pytestmark = pytest.mark.by_turns


def everything(module):
    return [f"{e:i}" for e in module.graph.exprs()], f"{module.graph:i}", list(module.state_dict())


def round_trip(module):
    buffer = io.BytesIO()
    dy2st.save(module, buffer)
    buffer.seek(0)
    return dy2st.load(buffer)


@pytest.fixture(scope="module")
def net():
    return resnet()


@pytest.fixture
def made(net):
    return copy.deepcopy(tm.trace_module(net, images()))


def in_another_process(source, *args):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(source), *map(str, args)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_tm_140_loaded_without_the_source(made, net, tmp_path):
    path = tmp_path / "net.dy2st"
    dy2st.save(made, path)
    np.save(tmp_path / "x.npy", images(2).numpy())
    text = in_another_process(
        """
        import sys, numpy as np, dy2st
        net = dy2st.load(sys.argv[1] + "/net.dy2st")
        x = dy2st.to_tensor(np.load(sys.argv[1] + "/x.npy"))
        np.save(sys.argv[1] + "/y.npy", np.stack([net(x).numpy(), net.flatten()(x).numpy()]))
        print(net.graph)
        """,
        tmp_path,
    )
    assert text == f"{made.graph}\n"
    for y in np.load(tmp_path / "y.npy"):
        same(y, net(images(2)).numpy())


WRAPPED = """
import dy2st
from dy2st import nn, traced_module as tm

@tm.wrap
def plus_three(x):
    return x + 3

class Net(nn.Layer):
    def forward(self, x):
        return plus_three(x * 2)
"""


def test_tm_141_a_wrapped_function_whose_source_is_missing(tmp_path):
    (tmp_path / "mine.py").write_text(WRAPPED)
    save = "import sys; sys.path.insert(0, sys.argv[1]); import mine, dy2st; from dy2st import traced_module as tm\n"
    in_another_process(save + "dy2st.save(tm.trace_module(mine.Net(), dy2st.ones([2])), sys.argv[1] + '/net')", tmp_path)
    loaded = dy2st.load(tmp_path / "net")
    assert body(loaded.graph)[-1] == "plus_three_out = mine.plus_three(mul_out, )"
    assert round_trip(loaded).graph.exprs().as_count() == 4
    with pytest.raises(RuntimeError, match=r"mine\.plus_three isn't here"):
        loaded(dy2st.ones([2]))
    run = save + "print(dy2st.load(sys.argv[1] + '/net')(dy2st.ones([1])).tolist())"
    assert in_another_process(run, tmp_path) == "[5.0]\n"


def with_constants(self, xs, k, *, mode="fast"):
    y = dy2st.cast(xs["a"][:, 1:, None], "float64").astype(xs["a"].dtype)
    return {"y": (y * k, None), "z": [xs["b"] + dy2st.to_tensor(np.array([1.5, 2.5], "float32"))]}


def test_tm_142_a_round_trip_keeps_everything(made, net):
    loaded = round_trip(made)
    assert everything(loaded) == everything(made) and loaded.argspec == made.argspec
    same(loaded(images(2)), net(images(2)))
    same(list(loaded.state_dict().values()), list(net.state_dict().values()))
    assert loaded.graph.get_module_by_type(nn.Conv2D).as_list()[0].owner is loaded.conv1
    assert loaded.conv1 is not made.conv1 and not loaded.training
    xs = {"a": tensor(2, 3), "b": tensor(2)}
    other = traced(layer(with_constants), xs, 2.5)
    same(round_trip(other)(xs, 2.5), other(xs, 2.5))
    with pytest.raises(TypeError):
        round_trip(other)(xs, 2.5, mode="slow")


def test_tm_143_surgery_and_flatten_after_loading(made, net):
    loaded = round_trip(made)
    graph = loaded.graph
    out = graph.outputs[0]
    with graph.insert_exprs():
        node = dy2st.tanh(out)
    assert node.id == 183
    graph.replace_node({out: node})
    again = round_trip(loaded)
    for module in (loaded, again, again.flatten(), round_trip(again.flatten())):
        same(module(images()), dy2st.tanh(net(images())))


class Adds(nn.Layer):
    def forward(self, x, b):
        return x + b


def test_tm_144_several_graphs_of_a_sublayer_survive():
    made = traced(layer(lambda self, x: self.mod(self.mod(x, 1), 2), mod=Adds()), dy2st.zeros([1]))
    for module in (round_trip(made), copy.deepcopy(made)):
        assert len(module.mod._graphs) == 2
        same(module(dy2st.zeros([2])), dy2st.full([2], 3.0))


def test_tm_145_what_is_shared_stays_shared():
    part, w = nn.Linear(2, 2), nn.Parameter(np.ones(2, "float32"))
    made = traced(layer(lambda self, x: self.a(self.b(x)) * self.w * self.v, a=part, b=part, w=w, v=w), tensor(3, 2))
    for module in (round_trip(made), copy.deepcopy(made)):
        assert module.a is module.b and module.w is module.v
        same(module(tensor(3, 2)), made(tensor(3, 2)))


def test_tm_146_watch_and_end_points_are_not_saved(made, net):
    made.set_watch_points(made.graph.outputs)
    made.set_end_points(made.graph.get_node_by_id(8))
    loaded = round_trip(made)
    same(loaded(images()), net(images()))
    assert loaded.watch_node_value == {}


def test_tm_147_deepcopy_has_everything_of_its_own(made):
    copied = copy.deepcopy(made)
    assert everything(copied) == everything(made) and copied.graph is not made.graph
    assert not set(copied.graph.nodes()) & set(made.graph.nodes())
    assert copied.graph.get_node_by_id(2).as_unique().owner is copied.conv1 is not made.conv1
    before = made(images()).numpy().copy()
    copied.fc.weight.set_value(np.zeros([32, 10], "float32"))
    same(made(images()).numpy(), before)


def test_tm_148_a_chain_of_1500_exprs():
    def forward(self, x):
        for _ in range(1500):
            x = x + 1
        return x

    made = tm.trace_module(layer(forward), dy2st.zeros([1]))
    for module in (copy.deepcopy(made), round_trip(made), made.flatten(), pickle.loads(pickle.dumps(made))):
        assert module.graph.exprs().as_count() == 1502
        same(module(dy2st.zeros([1])), dy2st.full([1], 1500.0))
        module.graph.compile()


def test_tm_149_pickle(made, net):
    loaded = pickle.loads(pickle.dumps(made))
    assert everything(loaded) == everything(made)
    same(loaded(images()), net(images()))


def test_tm_150_jit_save_and_load(made, net, tmp_path):
    static = jit.to_static(made, input_spec=[InputSpec([None, 3, 32, 32], "float32", "x")])
    jit.save(static, str(tmp_path / "net"))
    same(jit.load(str(tmp_path / "net"))(images(3)), net(images(3)), tolerance=1e-5)


@tm.wrap
def branches(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


def test_tm_150_a_wrapped_function_keeps_its_control_flow(tmp_path):
    made = traced(layer(lambda self, x: branches(x) + 1), tensor(3))
    jit.save(jit.to_static(made, input_spec=[InputSpec([3], "float32")]), str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    for x in (dy2st.ones([3]), -dy2st.ones([3])):
        same(loaded(x), branches(x) + 1)


def test_tm_151_the_program_of_a_fused_module_has_no_batch_norm(made):
    spec = [InputSpec([None, 3, 32, 32], "float32", "x")]
    names = {}
    for key, module in (("before", made), ("after", tm.optimize(made))):
        names[key] = str(jit.to_static(module, input_spec=spec).forward.concrete_program.program)
    assert "batch_norm" in names["before"] and "batch_norm" not in names["after"]


@tm.register_as_builtin
class Whole(nn.Layer):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(np.full(2, 4.0, "float32"))
        self.gain = 3

    def forward(self, x):
        return F.relu(x * self.w) * self.gain


def test_tm_152_registered_layers_are_kept_whole():
    made = traced(layer(lambda self, x: self.part(x), part=Whole()), tensor(2))
    assert body(made.graph) == ['part = getattr(self, "part") -> (Whole)', "part_out = part(x, )"]
    for module in (round_trip(made), made.flatten(), copy.deepcopy(made)):
        assert type(module.part) is Whole
        same(module(tensor(2)), made(tensor(2)))


def test_state_dicts_are_saved_too(net, tmp_path):
    dy2st.save(net.state_dict(), tmp_path / "state.dy2st")
    loaded = dy2st.load(tmp_path / "state.dy2st")
    assert list(loaded) == list(net.state_dict())
    same(loaded, net.state_dict())


def test_a_damaged_file_says_so(made):
    buffer = io.BytesIO()
    tm.save(made, buffer)
    data = buffer.getvalue()
    for broken in (data[:-100], data.replace(b'"traced_module"', b'"traced_modulo"'), data.replace(b"conv1_out", b"conv2_out")):
        with pytest.raises(ModelFileError):
            tm.load(io.BytesIO(broken))


@pytest.mark.parametrize(
    "old, new",
    [
        ('"method": "__mul__"', '"method": "numpy"'),
        ('"method": "__mul__"', '"method": "__class__"'),
        ('"func": "dy2st.nn.functional.activation.relu"', '"func": 3'),
        ('{"node": 1}', '{"node": 77}'),
        ('"kind": "method"', '"kind": "exec"'),
        ('"class": "ReLU"', '"class": "Layer.__subclasses__"'),
        ('"name": "act"', '"name": "__class__"'),
        ('"sublayers": {"act": 1}', '"sublayers": {"act": 9}'),
        ('"traced_module": 2', '"traced_module": 99'),
    ],
)
@pytest.mark.usefixtures("wrong_files")
def test_a_hostile_file_is_refused(old, new, monkeypatch):
    def forward(self, x):
        return F.relu(self.act(x) * 2)

    made = traced(layer(forward, act=nn.ReLU()), tensor(2))
    dumps = files.json.dumps
    monkeypatch.setattr(files.json, "dumps", lambda tree, **how: dumps(tree, **how).replace(old, new))
    assert old in dumps(ModuleWriter(made).tree())
    buffer = io.BytesIO()
    tm.save(made, buffer)
    monkeypatch.undo()
    with pytest.raises(ModelFileError):
        tm.load(io.BytesIO(buffer.getvalue()))


def test_an_edited_and_optimised_resnet_in_another_process(made, net, tmp_path):
    graph = made.graph
    out = graph.outputs[0]
    with graph.insert_exprs():
        scores = F.softmax(out)
    graph.replace_node({out: scores})
    fast = tm.optimize(made.flatten())
    np.save(tmp_path / "x.npy", images(3).numpy())
    jit.save(jit.to_static(fast, input_spec=[InputSpec([None, 3, 32, 32], "float32", "x")]), str(tmp_path / "net"))
    in_another_process(
        """
        import sys, numpy as np, dy2st
        y = dy2st.jit.load(sys.argv[1] + "/net")(dy2st.to_tensor(np.load(sys.argv[1] + "/x.npy")))
        np.save(sys.argv[1] + "/y.npy", y.numpy())
        """,
        tmp_path,
    )
    same(np.load(tmp_path / "y.npy"), F.softmax(net(images(3))).numpy(), 1e-4)
