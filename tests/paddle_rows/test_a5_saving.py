"""a.5: `jit.save`, `jit.load` and what they give. More about the options stands in `tests/saving/test_save_options.py`."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from limits.agree import UP, VECTOR, plain

import dy2st as paddle
import dy2st.nn as nn
from dy2st.errors import Dy2stWarning
from dy2st.static import InputSpec

save, load, to_static = paddle.jit.save, paddle.jit.load, paddle.jit.to_static
X = paddle.to_tensor(UP)
SPEC = InputSpec([3], "float32", "x")


def branching(x):
    return x + 1 if x.sum() > 0 else x - 1


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.linear.weight.stop_gradient = True

    def forward(self, x):
        y = self.linear(x)
        return y if x.sum() > 0 else y * 2

    def other(self, x):
        return self.linear(x) - 1


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "folder" / "net")


def files_of(path):
    from pathlib import Path

    return sorted(p.name for p in Path(path).parent.iterdir())


def test_a5_01_what_can_be_saved(path):
    net = Net()
    for target, spec in [
        (net, [SPEC]),
        (to_static(net.other, input_spec=[SPEC]), None),
        (branching, [VECTOR]),
        (net.other, [SPEC]),
    ]:
        save(target, path, input_spec=spec)
        plain_function = getattr(target, "dygraph_function", target)
        assert plain(load(path)(X)) == plain(plain_function(X))
    for bad in (3, "text", Net):
        with pytest.raises(TypeError, match="jit.save takes a Layer"):
            save(bad, path)
    with pytest.raises(ValueError, match="no file name"):
        save(net, path + "/", input_spec=[SPEC])


def test_a5_02_the_files(path):
    """Three files, whatever is in them: all methods and parameters lie in one Program, `load(path.method)` finds one of them."""
    net = to_static(Net(), input_spec=[SPEC])
    net.other = to_static(net.other, input_spec=[SPEC])
    save(net, path)
    assert files_of(path) == ["net.info.json", "net.model.json", "net.params.safetensors"]
    assert plain(load(path).other(X)) == plain(load(path + ".other")(X)) == plain(Net.other(net, X))


def test_a5_03_input_specs_of_save(path):
    net = Net()
    for spec in ([SPEC], [X], (SPEC,)):
        save(net, path, input_spec=spec)
        assert plain(load(path)(X)) == plain(net(X))
    save(lambda pair, k=3: pair[0] * k + pair[1]["a"], path, input_spec=[[VECTOR, {"a": VECTOR}], 5])
    assert plain(load(path)([X, {"a": X}], 5)) == plain(X * 5 + X)
    with pytest.raises(ValueError, match="conflict"):
        save(to_static(branching, input_spec=[SPEC]), path, input_spec=[InputSpec([7])])
    with pytest.warns(Dy2stWarning, match="to_static's"):
        save(to_static(branching, input_spec=[SPEC]), path, input_spec=[InputSpec([None])])
    two = to_static(Net(), input_spec=[SPEC])
    two.other = to_static(two.other, input_spec=[SPEC])
    with pytest.raises(ValueError, match="forward alone"):
        save(two, path, input_spec=[SPEC])


def test_a5_04_without_a_spec(path):
    static = to_static(branching)
    with pytest.raises(ValueError, match="no Program yet"):
        save(static, path)
    static(X)
    save(static, path)
    static(paddle.ones([5, 2]))
    with pytest.warns(Dy2stWarning, match="several kinds of arguments"):
        save(static, path)
    assert load(path).input_spec[0].shape == (-1, -1)


def two_inputs(x, y):
    return x * 2, x + y


A, B = InputSpec([3], "float32", "a"), InputSpec([3], "float32", "b")


def test_a5_05_inputs_that_are_not_needed_go(path):
    static = to_static(two_inputs, input_spec=[A, B])
    save(static, path, input_spec=[A], output_spec=[0])
    assert plain(load(path)(X)) == plain(X * 2)
    with pytest.raises(ValueError, match="need the input 'y'"):
        save(static, path, input_spec=[A], output_spec=[1])
    with pytest.raises(ValueError):
        save(static, path, input_spec=[InputSpec([3], "float32", "unknown")], output_spec=[0])


def test_a5_06_output_spec(path):
    static = to_static(two_inputs, input_spec=[A, B])
    save(static, path, output_spec=[1])
    assert plain(load(path)(X, X)) == plain(X + X)
    with pytest.raises(TypeError, match="list"):
        save(static, path, output_spec=1)
    net = Net()
    net.register_forward_post_hook(lambda layer, inputs, output: output)
    with pytest.raises(RuntimeError, match="hooks"):
        save(net, path, input_spec=[SPEC], output_spec=[0])


def test_a5_07_options(path):
    options = {"with_hook": False, "combine_params": True, "clip_extra": True, "skip_prune_program": False, "skip_forward": False,
               "separate_parameters": False, "output_spec": None, "input_names_after_prune": ["x"]}  # fmt: skip
    net = Net()
    save(net, path, input_spec=[SPEC], **options)
    assert plain(load(path)(X)) == plain(net(X))
    with pytest.raises(ValueError, match="unknown"):
        save(net, path, input_spec=[SPEC], unknown=1)
    with pytest.raises(ValueError, match="empty"):
        load(path, params_filename="")
    with pytest.raises(ValueError, match="unknown"):
        load(path, unknown=1)


class Methods(nn.Layer):
    limit = 3

    def __init__(self):
        super().__init__()
        self.w = self.create_parameter([3])
        self.count = 0

    @to_static(input_spec=[SPEC])
    def forward(self, x):
        self.count += 1
        return x * self.w + self.count

    @to_static(input_spec=[SPEC])
    def infer(self, x):
        return x * self.w - self.count if x.sum() > 0 else x

    @to_static(input_spec=[])
    def limits(self):
        return self.limit, [1.5, "text"], self.count

    @to_static(input_spec=[])
    def clear(self):
        self.count = 0

    @to_static(property=True)
    def words(self):
        return ["a", "b"]


def test_a5_08_methods_share_parameters_and_state(path):
    """The values of property methods stand in the info file: there is no further one."""
    net = Methods()
    save(net, path, combine_params=True)
    loaded = load(path)
    assert len(list(loaded.parameters())) == 1
    for x in (X, -X):
        assert plain(loaded(x)) == plain(net(x)) and plain(loaded.infer(x)) == plain(net.infer(x))
    assert plain(loaded.limits()) == plain(net.limits()) == (3, [1.5, "text"], 2)
    assert loaded.words() == ["a", "b"]
    loaded.clear()
    assert plain(loaded.limits())[2] == 0


def test_a5_09_without_forward(path):
    class Only(nn.Layer):
        def forward(self, x):
            return x

        @to_static(input_spec=[SPEC])
        def infer(self, x):
            return x * 2

    save(Only(), path, skip_forward=True)
    loaded = load(path)
    assert plain(loaded.infer(X)) == plain(X * 2)
    with pytest.raises(ValueError, match="forward"):
        loaded(X)


def test_a5_10_hooks_of_the_outermost_layer(path):
    net = Net()
    net.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 2,))
    net.linear.register_forward_post_hook(lambda layer, inputs, output: output + 1 if output.sum() > 0 else output)
    net.register_forward_post_hook(lambda layer, inputs, output: output * 10)
    save(net, path, input_spec=[SPEC])
    for x in (X, -X):
        assert plain(load(path)(x)) == plain(net(x))


class Shares(nn.Layer):
    """Weights whose products are exact: a loaded matrix lies in rows, and a product of another layout rounds otherwise."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3, weight_attr=nn.initializer.Constant(0.5))
        self.b = nn.Linear(3, 3)
        self.b.weight = self.a.weight
        self.unused = nn.Linear(9, 9)
        self.register_buffer("strided", paddle.to_tensor(np.arange(9, dtype=np.float32).reshape([3, 3])).t())

    def forward(self, x):
        return self.b(self.a(x)) @ self.strided


class Empty(nn.Layer):
    def forward(self, x):
        return x


def test_a5_11_shared_unused_and_strided_tensors_and_none(path):
    """What no method uses isn't in the file: it holds what the Program needs."""
    net = Shares()
    save(net, path, input_spec=[SPEC])
    loaded = load(path)
    assert plain(loaded(X)) == plain(net(X))
    tied = [value for name, value in loaded.state_dict().items() if "weight" in name]
    assert len(tied) == 2 and tied[0] is tied[1]
    save(Empty(), path, input_spec=[SPEC])
    assert plain(load(path)(X)) == plain(X) and list(load(path).parameters()) == []


def test_a5_12_dicts_come_back_as_dicts(path):
    """Keys in their order, and no warning: Paddle flattens them in the order of the keys."""
    save(lambda x: {"z": x, "a": {"k": x + 1}}, path, input_spec=[SPEC])
    found = load(path)(X)
    assert list(found) == ["z", "a"] and plain(found["a"]) == {"k": plain(X + 1)}


def test_a5_13_what_is_known_of_each_variable(path):
    net = Net()
    save(net, path, input_spec=[SPEC])
    found = {p["name"]: p for p in json.loads(open(path + ".model.json").read())["parameters"]}
    assert found["linear.weight"] == {"kind": "parameter", "name": "linear.weight", "trainable": False, "type": "float32[3,2]"}
    loaded = load(path)
    assert loaded.linear.weight.stop_gradient and not loaded.linear.bias.stop_gradient


def test_a5_14_hooks_before_saving(path):
    from dy2st.jit import api

    seen = []
    helper = api._register_save_pre_hook(lambda layer, input_spec, configs: seen.append((type(layer), input_spec, dict(configs))))
    try:
        save(Net(), path, input_spec=[SPEC], clip_extra=True)
        helper.remove()
        save(Net(), path, input_spec=[SPEC])
    finally:
        api._clear_save_pre_hooks()
    assert seen == [(Net, [SPEC], {"clip_extra": True})]


class Moded(nn.Layer):
    def __init__(self):
        super().__init__()
        self.w = self.create_parameter([3])
        self.norm = nn.BatchNorm1D(3)

    def forward(self, x):
        return self.norm(x * self.w)


@pytest.mark.parametrize("mode", ["train", "eval"])
@pytest.mark.parametrize("trained", [False, True])
def test_a5_15_saving_leaves_the_model_as_it_is(path, mode, trained):
    net = to_static(Moded(), input_spec=[InputSpec([None, 3])])
    rows = paddle.to_tensor(np.arange(6, dtype=np.float32).reshape([2, 3]))
    if trained:
        optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        net(rows).sum().backward()
        optimizer.step()
    getattr(net, mode)()
    before = plain(dict(net.state_dict()))
    save(net, path)
    assert net.training == net.norm.training == (mode == "train") and plain(dict(net.state_dict())) == before
    assert plain(load(path)(rows)) == plain(net(rows))


def test_a5_16_loading(path, tmp_path):
    save(Net(), path, input_spec=[SPEC])
    one, two = load(path), load(str(tmp_path / "folder"))
    one.linear.bias.set_value(np.float32([100, 100]))
    assert plain(one(X)) != plain(two(X))
    assert [p.stop_gradient for p in two.parameters()] == [True, False]
    with pytest.raises(ValueError, match="there is no model"):
        load(str(tmp_path / "nothing"))
    (tmp_path / "folder" / "net").mkdir()
    with pytest.raises(ValueError, match="folder"):
        load(path)


def test_a5_17_a_loaded_layer(path):
    """It starts in the mode that it was saved in, so that it gives what the model gave: Paddle's starts in evaluation."""
    save(to_static(Net(), input_spec=[SPEC]), path)
    loaded = load(path)
    assert isinstance(loaded, paddle.jit.TranslatedLayer) and isinstance(loaded, nn.Layer) and loaded.training
    assert plain(loaded(UP)) == plain(loaded(X))
    with pytest.raises(TypeError, match="tensor or an array"):
        loaded([1.0, 2.0, 3.0])
    assert loaded._input_spec() == [SPEC] and "float32" in str(loaded._output_spec())
    assert "matmul" in str(loaded.program()) or "linear" in str(loaded.program("forward"))
    with pytest.raises(ValueError, match="no method"):
        loaded.program("unknown")
    assert loaded.eval() is loaded and not loaded.linear.training


def test_a5_17_fine_tuning_and_saving_again(path):
    net = Net()
    net.linear.weight.stop_gradient = False
    save(net, path, input_spec=[SPEC])
    loaded = load(path)
    for model in (net, loaded):
        optimizer = paddle.optimizer.Adam(0.1, parameters=model.parameters())
        for _ in range(3):
            ((model(X) - 1) ** 2).sum().backward()
            optimizer.step()
            optimizer.clear_grad()
    np.testing.assert_allclose(loaded(X).numpy(), net(X).numpy(), rtol=1e-5)
    save(loaded, path)
    again = load(path)
    assert plain(again(X)) == plain(loaded(X)) and set(again.state_dict()) == set(net.state_dict())


def test_a5_18_state_dicts_of_eager_static_and_loaded_models(path):
    eager, static = Net(), to_static(Net(), input_spec=[SPEC])
    save(static, path)
    loaded = load(path)
    assert set(eager.state_dict()) == set(static.state_dict()) == set(loaded.state_dict())
    for source, target in ((eager, static), (static, loaded), (loaded, eager)):
        source.linear.weight.set_value(np.random.default_rng(1).random((3, 2), np.float32))
        assert target.set_state_dict(source.state_dict()) == ([], [])
        assert plain(target(X)) == plain(source(X))


def test_a5_18_through_a_file_object():
    file = io.BytesIO()
    save(to_static(Net(), input_spec=[SPEC]), file)
    file.seek(0)
    assert load(file)(X).shape == [2]
