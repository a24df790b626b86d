"""What `jit.save` can be told, what a file holds of a model's methods and modes, and how `jit.load` finds it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st.errors import ConversionError, Dy2stWarning, ModelFileError
from dy2st.static import InputSpec

X = dy2st.to_tensor(np.arange(6, dtype=np.float32).reshape(2, 3) - 2.0)
IMAGE, LABEL = InputSpec([None, 3], "float32", "image"), InputSpec([None, 3], "float32", "label")


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.calls = 0

    def forward(self, image, label=None):
        self.calls += 1
        scores = self.linear(image)
        loss = None if label is None else ((scores - label) ** 2).mean()
        return scores, loss, {"shifted": scores + 1.0}

    def scaled(self, x):
        self.calls += 10
        return self.linear(x) * 2.0


def saved(path, *args, **kwargs):
    jit.save(args[0], str(path), *args[1:], **kwargs)
    return jit.load(str(path))


def same(found, expected):
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)


@pytest.fixture
def net():
    dy2st.seed(5)
    return Net()


# --- outputs and inputs ------------------------------------------------------------------------------------------------


def test_output_spec_chooses_tensors_by_position_and_inputs_are_pruned(net, tmp_path):
    static = jit.to_static(net, input_spec=[IMAGE, LABEL])
    positions = static.forward.outputs
    assert [list(p.shape) for p in positions] == [[-1, 3], [], [-1, 3]] and positions == [0, 1, 2]
    scores, loss, more = Net.forward(net, X, X)
    one = saved(tmp_path / "one", static, [IMAGE], output_spec=[positions[0]])
    assert [spec.name for spec in one.input_spec] == ["image"]
    same(one(X), scores)
    two = saved(tmp_path / "two", static, input_names_after_prune=["image"], output_spec=[2, 0])
    found = two(X)
    assert isinstance(found, tuple)
    same(found[0], more["shifted"])
    same(found[1], scores)
    both = saved(tmp_path / "both", static, output_spec=[1])
    same(both(X, X), loss)
    assert [spec.name for spec in both._input_spec("forward")] == ["image", "label"]
    assert [spec.shape for spec in both._output_spec()] == [()]
    same(static(X, X)[2]["shifted"], more["shifted"])  # the live one is as it was


REFUSED = {
    "an unknown option": (dict(model_filename="x"), None, ValueError, "no option model_filename; it has input_spec, output_spec"),
    "no list": (dict(output_spec=0), None, TypeError, "list of positions"),
    "no position": (dict(output_spec=["loss"]), None, ValueError, "positions of tensors"),
    "too large": (dict(output_spec=[3]), None, ValueError, "no output 3; the result holds 3"),
    "an input that is used": (dict(output_spec=[1]), [IMAGE], ValueError, "need the input 'label'"),
    "an input that isn't there": ({}, [InputSpec([None, 3], "float32", "picture")], ValueError, "conflict"),
    "one that has no name": ({}, [InputSpec([None, 3])], ValueError, "conflict|no name"),
    "a name that isn't there": (dict(input_names_after_prune=["picture"]), None, ValueError, "'picture'; .*image, label"),
    "another shape": ({}, [InputSpec([None, 4], "float32", "image"), LABEL], ValueError, "conflict"),
    "many files": (dict(separate_parameters=True), None, ValueError, "one .params.safetensors"),
}


@pytest.mark.parametrize("configs, spec, error, words", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_leaves_no_file(net, tmp_path, configs, spec, error, words):
    static = jit.to_static(net, input_spec=[IMAGE, LABEL])
    with pytest.raises(error, match=words):
        jit.save(static, str(tmp_path / "net"), spec, **configs)
    assert not list(tmp_path.iterdir())


def test_a_loaded_model_is_cut_down_as_well(net, tmp_path):
    whole = saved(tmp_path / "whole", jit.to_static(net, input_spec=[IMAGE, LABEL]))
    part = saved(tmp_path / "part", whole, [IMAGE], output_spec=[2])
    assert [spec.name for spec in part.input_spec] == ["image"]
    same(part(X), Net.forward(net, X)[2]["shifted"])
    same(whole(X, X)[1], Net.forward(net, X, X)[1])  # the loaded one is as it was
    with pytest.raises(ValueError, match="need the input 'label'"):
        jit.save(whole, str(tmp_path / "part"), [IMAGE])
    whole.register_forward_post_hook(lambda layer, inputs, outputs: outputs[0])
    with pytest.raises(ConversionError, match="make it a sublayer"):
        jit.save(whole, str(tmp_path / "part"))


def checked(scores, label):
    assert (label < 3).all()
    if label.max() > 2:
        raise ValueError("no such class")
    return nn.functional.one_hot(label, 3) * scores


LOSSES = {
    "cross_entropy": lambda scores, label: nn.functional.cross_entropy(scores, label),
    "nll_loss": lambda scores, label: nn.functional.nll_loss(scores, label.squeeze(-1)),
    "embedding": lambda scores, label: nn.functional.embedding(label, scores),
    "index": lambda scores, label: scores[label],
    "item": lambda scores, label: scores[int(label.sum())] * 2.0,
    "checked": checked,
}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_p_03_a_loss_that_may_fail_goes_with_its_label(loss, tmp_path):
    def forward(x, y):
        scores = x * 2.0
        value = loss(scores, y)
        return scores, value

    static = jit.to_static(forward, input_spec=[InputSpec([None, 3], name="x"), InputSpec([None, 1], "int64", "y")])
    jit.save(static, str(tmp_path / "net"), [InputSpec([None, 3], name="x")], output_spec=[0])
    same(jit.load(str(tmp_path / "net"))(X), X * 2.0)


def test_p_03_what_needs_the_label_is_told_with_its_line(tmp_path):
    def forward(x, y):
        print(nn.functional.cross_entropy(x, y))
        return x * 2.0

    static = jit.to_static(forward, input_spec=[InputSpec([None, 3], name="x"), InputSpec([None, 1], "int64", "y")])
    with pytest.raises(ValueError, match=r"need the input 'y' \(test_save_options.py:\d+\): keep"):
        jit.save(static, str(tmp_path / "net"), [InputSpec([None, 3], name="x")], output_spec=[0])


def test_specs_that_agree_count_once_with_a_warning(net, tmp_path):
    static = jit.to_static(net, input_spec=[IMAGE, LABEL])
    with pytest.warns(Dy2stWarning, match="to_static's .* counts"):
        loaded = saved(tmp_path / "net", static, [InputSpec([2, 3], "float32", "image"), LABEL])
    assert [spec.shape for spec in loaded.input_spec] == [(-1, 3), (-1, 3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        saved(tmp_path / "net", static, [IMAGE, LABEL], combine_params=True, clip_extra=False, skip_prune_program=True)


# --- hooks -------------------------------------------------------------------------------------------------------------


def test_hooks_of_the_layer_itself_are_part_of_the_saved_model(net, tmp_path):
    calls = []

    def doubled(layer, inputs):
        return (inputs[0] * 2.0, *inputs[1:])

    def first(layer, inputs, outputs):
        calls.append(1)
        return outputs[0] if outputs[0].sum() > 0 else -outputs[0]

    net.register_forward_pre_hook(doubled)
    net.register_forward_post_hook(first)
    expected = [net(x) for x in (X, X * 5.0)]
    loaded = saved(tmp_path / "net", net, [IMAGE])
    for x, wanted in zip((X, X * 5.0), expected):
        same(loaded(x), wanted)
    with pytest.raises(RuntimeError, match="hooks of its own"):
        jit.save(net, str(tmp_path / "net"), [IMAGE], output_spec=[0])


def test_hooks_before_save_see_what_it_is_given(net, tmp_path):
    seen = []
    hook = lambda *args: seen.append(args)
    handle = jit.api._register_save_pre_hook(hook)
    jit.api._register_save_pre_hook(hook)
    jit.save(net, str(tmp_path / "net"), [IMAGE], clip_extra=True)
    assert seen == [(net, [IMAGE], {"clip_extra": True})]
    handle.remove()
    handle.remove()
    jit.save(net, str(tmp_path / "net"), [IMAGE])
    jit.api._register_save_pre_hook(hook)
    jit.api._clear_save_pre_hooks()
    jit.save(net, str(tmp_path / "net"), [IMAGE])
    assert len(seen) == 1


# --- methods -----------------------------------------------------------------------------------------------------------


class Two(Net):
    @jit.to_static(input_spec=[IMAGE])
    def scaled(self, x):
        self.calls += 10
        return self.linear(x) * 2.0


def test_all_static_methods_are_saved_and_share_parameters_and_state(tmp_path):
    net = jit.to_static(Two(), input_spec=[IMAGE])
    expected = Net.scaled(net, X)
    net.calls = 0
    loaded = saved(tmp_path / "net", net)
    assert list(loaded.info.entries) == ["forward", "scaled"] and len(loaded.parameters()) == 2
    same(loaded.scaled(X), expected)
    loaded(X)
    assert list(loaded.current_program().state.values())[0].value == 11
    with dy2st.no_grad():
        loaded.linear_weight = None  # an attribute of its own is no parameter
        dict(loaded.named_parameters())["linear.weight"].set_value(np.zeros((3, 3), np.float32))
    assert not np.allclose(loaded.scaled(X).numpy(), expected.numpy())
    assert loaded.scaled(X).numpy().tolist() == (loaded(X)[0] * 2.0).numpy().tolist()
    alone = jit.load(str(tmp_path / "net.scaled"))
    same(alone(X), expected)
    again = saved(tmp_path / "again", loaded)
    assert again.scaled(X).numpy().tolist() == loaded.scaled(X).numpy().tolist()
    with pytest.raises(ValueError, match="no method 'backward'; the file holds forward, scaled"):
        loaded.program("backward")
    with pytest.raises(ValueError, match="scaled would be saved as well"):
        jit.save(net, str(tmp_path / "net"), [IMAGE])


def test_the_forward_can_be_left_out(tmp_path):
    net = Two()
    expected = Net.scaled(net, X)
    loaded = saved(tmp_path / "net", net, skip_forward=True)
    same(loaded.scaled(X), expected)
    same(jit.load(str(tmp_path / "net.scaled"))(X), expected)
    with pytest.raises(ValueError, match="no method 'forward'; the file holds scaled"):
        loaded(X)
    with pytest.raises(ValueError, match="nothing to save"):
        jit.save(Net(), str(tmp_path / "none"), skip_forward=True)


class Rated(Net):
    @jit.to_static(property=True)
    def rate(self):
        return 16000 + self.calls

    @jit.to_static(property=True)
    def words(self):
        return ("a", "b")


def test_properties_are_kept_as_values(tmp_path):
    net = Rated()
    assert net.rate() == 16000 and net.rate.is_property
    loaded = saved(tmp_path / "net", net, [IMAGE])
    net.calls = 5
    assert (loaded.rate(), loaded.words(), net.rate()) == (16000, ["a", "b"], 16005)
    assert saved(tmp_path / "again", loaded).rate() == 16000
    with pytest.raises(RuntimeError, match="rate is a property"):
        net.rate.concrete_program
    net.calls = dy2st.ones([1])
    with pytest.raises(ValueError, match="a number, a text or a list"):
        jit.save(net, str(tmp_path / "net"), [IMAGE])


def test_options_of_to_static_that_paddle_has():
    static = jit.to_static(build_strategy=dy2st.static.BuildStrategy(), full_graph=True, backend=None)(lambda x: x + 1.0)
    same(static(X), X + 1.0)
    for wrong in (dict(build_strategy=1), dict(backend=1), dict(graph=True)):
        with pytest.raises(TypeError):
            jit.to_static(lambda x: x, **wrong)


# --- where a model lies ------------------------------------------------------------------------------------------------


def test_load_takes_a_prefix_or_a_folder(net, tmp_path):
    folder = tmp_path / "out"
    saved(folder / "net", net, [IMAGE])
    expected = Net.forward(net, X)[0]
    same(jit.load(str(folder))(X)[0], expected)
    saved(folder / "other", net, [IMAGE])
    same(jit.load(str(folder), model_filename="net.model.json", params_filename="net.params.safetensors")(X)[0], expected)
    with pytest.warns(Dy2stWarning, match="don't count"):
        jit.load(str(folder / "net"), model_filename="other")
    for path, configs, error, words in (
        (folder, {}, ValueError, r"2 models \(net, other\)"),
        (folder, dict(model_filename="third"), ModelFileError, "no such model"),
        (folder, dict(model_filename=3), TypeError, "is a str"),
        (folder, dict(params_filename=""), ValueError, "empty"),
        (folder, dict(keep_name_table=True), ValueError, "no option keep_name_table"),
        (folder / "missing", {}, ValueError, "missing"),
        (folder / "net.scaled", {}, ValueError, "no method 'scaled', but forward"),
    ):
        with pytest.raises(error, match=words):
            jit.load(str(path), **configs)
    (folder / "net").mkdir()
    with pytest.raises(ValueError, match="which is meant"):
        jit.load(str(folder / "net"))


class Normed(nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1D(2)

    def forward(self, x):
        return self.norm(x)


def test_one_mode(tmp_path):
    net = Normed()
    net.eval()
    static = jit.to_static(net, input_spec=[InputSpec([None, 2])])
    x = dy2st.to_tensor([[1.0, 2.0], [3.0, -4.0]])
    jit.save(static, str(tmp_path / "both"))
    jit.save(static, str(tmp_path / "one"), one_mode=True)
    sizes = [(tmp_path / f"{name}.model.json").stat().st_size for name in ("one", "both")]
    assert sizes[0] < sizes[1]
    loaded = jit.load(str(tmp_path / "one"))
    np.testing.assert_array_equal(loaded(x).numpy(), net(x).numpy())
    loaded.train()
    with pytest.raises(Exception, match="the file holds one mode only; save the model without one_mode=True"):
        loaded(x)
