"""S-08: an argument changes a result, or is refused, or docs/api.md lists it as without effect, with the reason.

Four looks: which parameters no line reads, calls of layers and functions with each parameter set to another value, and calls that
give every argument, without one of them.
"""

from __future__ import annotations

import functools
import importlib.util

import numpy as np
import pytest
from support.api_notes import WITHOUT_EFFECT
from support.ignored import ignored
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn
from dy2st.nn import functional as F

from . import other_texts, other_values, whole

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
# What a result doesn't show: the start of a weight, statistics that move, a label that is left out. They have tests below.
SHOWN_BELOW = {"PReLU.init", "batch_norm.momentum", "cross_entropy.ignore_index", "softmax_with_cross_entropy.ignore_index"}
SHOWN_BELOW |= {"BatchNorm.moving_mean_name", "BatchNorm.moving_variance_name"}
# What a parameter starts with is seen in the layers; what has no effect as a whole is noted so.
SHOWN_BELOW |= {"ParamAttr.initializer", "backward.retain_graph", "decorate.dtype", "decorate.level"}
# What an optimizer is given is seen in its steps (tests/optimizer).
SHOWN_BELOW |= {f"Optimizer.{name}" for name in ("learning_rate", "weight_decay", "grad_clip")}
WHOLE: dict[str, list[whole.WholeCall]] = {}
for _call in whole.calls():
    WHOLE.setdefault(_call.function.rpartition(".")[2], []).append(_call)
HERE = importlib.util.find_spec("paddle") is not None
AGAINST_PADDLE = [call for calls in WHOLE.values() for call in calls if HERE and not call.note]
PATHS = sorted({path for path, _, _ in other_values.calls()})


@functools.cache
def listed():
    """Each argument without effect, with the last part of the name that accepts it."""
    return {f"{name.rpartition('.')[2]}.{parameter}" for parameter, names in ignored().items() for name in names}


def test_s_08_what_is_accepted_without_effect_is_listed_with_its_reason():
    assert set(ignored()) == set(WITHOUT_EFFECT)


@pytest.mark.long
@pytest.mark.parametrize("path", sampled(PATHS, 20))
def test_s_08_every_argument_of_layers_and_their_functions_has_an_effect(path):
    name = path.rpartition(".")[2]
    without = {f"{name}.{parameter}" for parameter, acts in other_values.effects(path).items() if not acts}
    assert without - listed() - SHOWN_BELOW == set()


@pytest.mark.long
def test_s_08_every_argument_of_the_sample_calls_has_an_effect():
    assert {key for key, acts in other_texts.effects().items() if not acts} - listed() == set()


X = paddle.to_tensor(np.arange(12, dtype="float32").reshape(2, 3, 2))


def test_s_08_trainable_statistics_are_those_of_the_batch_in_inference_too():
    plain, trainable = nn.BatchNorm(3), nn.BatchNorm(3, trainable_statistics=True)
    expected = plain(X)
    trainable.eval()
    np.testing.assert_array_equal(trainable(X).numpy(), expected.numpy())
    np.testing.assert_array_equal(trainable._mean.numpy(), plain._mean.numpy())
    plain.eval()
    assert not np.array_equal(plain(X).numpy(), expected.numpy())


def test_s_08_global_statistics_go_before_trainable_ones():
    both = nn.BatchNorm(3, use_global_stats=True, trainable_statistics=True)
    np.testing.assert_allclose(both(X).numpy(), X.numpy(), rtol=1e-4)


def test_s_08_batch_norm_takes_a_dtype_and_names_of_its_buffers():
    made = nn.BatchNorm(3, dtype="float64", moving_mean_name="m", moving_variance_name="v")
    assert {str(t.dtype) for t in made.state_dict().values()} == {"paddle.float64"}
    assert (made._mean.name, made._variance.name) == ("m", "v")


def test_s_08_prelu_starts_at_init():
    assert nn.PReLU(init=0.5).parameters()[0].tolist() == [0.5]


def test_s_08_batch_norm_moves_statistics_by_momentum():
    mean = paddle.zeros([3]), paddle.zeros([3])
    for found, momentum in zip(mean, (0.9, 0.5)):
        F.batch_norm(X, found, paddle.ones([3]), training=True, momentum=momentum)
    np.testing.assert_allclose(mean[1].numpy(), mean[0].numpy() * 5, rtol=1e-5)


@pytest.mark.parametrize("loss", [F.cross_entropy, F.softmax_with_cross_entropy])
def test_s_08_a_label_that_is_ignored_costs_nothing(loss):
    logits, labels = paddle.ones([2, 4]), paddle.to_tensor([[1], [-7]])
    assert float(loss(logits, labels, ignore_index=-7).sum()) == pytest.approx(np.log(4))


@pytest.mark.parametrize("make", [paddle.to_tensor, X.new_zeros, X.new_full])
def test_s_08_there_is_no_other_place_than_the_cpu(make):
    argument = "place" if make is paddle.to_tensor else "device"
    given = ([1], 2.0) if make == X.new_full else ([1],)
    assert make(*given, **{argument: "cpu"}).shape == [1]
    with pytest.raises(ValueError, match="the only device"):
        make(*given, **{argument: "gpu"})


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(WHOLE, 30))
def test_s_08_every_argument_of_a_call_that_gives_it_has_an_effect(name):
    acts: dict[str, bool] = {}
    for call in WHOLE[name]:
        expected = call.result(paddle)
        for keyword in call.keywords(paddle):
            acts[keyword] = acts.get(keyword) or not other_texts.same(call.without(keyword).result(paddle), expected)
    assert {f"{name}.{keyword}" for keyword, act in acts.items() if not act} - listed() - SHOWN_BELOW == set()


def numbers(leaves):
    """The arrays of a result, its texts apart."""
    arrays = [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]
    return arrays, [leaf for leaf in leaves if not isinstance(leaf, np.ndarray)]


@pytest.mark.long
@pytest.mark.parametrize("call", AGAINST_PADDLE, ids=lambda call: call.text)
def test_s_08_a_call_that_gives_every_argument_is_as_in_paddle(call):
    arrays, texts = numbers(call.result(paddle))
    theirs, expected = numbers(call.result(importlib.import_module("paddle")))
    if expected[:1] != ["error"]:
        assert texts == expected
        for array, other in zip(arrays, theirs, strict=True):
            np.testing.assert_allclose(array, other, rtol=1e-4, atol=1e-4)


def test_s_08_members_come_under_every_name():
    shared = nn.Linear(2, 2)
    net = nn.Sequential(shared, nn.Sequential(shared))
    assert [n for n, _ in net.named_parameters(remove_duplicate=False)] == ["0.weight", "0.bias", "1.0.weight", "1.0.bias"]
    assert [n for n, _ in net.named_modules(remove_duplicate=False)] == ["", "0", "1", "1.0"]
    assert [n for n, _ in net.named_sublayers(layers_set={net[1]})] == ["0"]
    assert [n for n, _ in nn.Sequential(net).named_sublayers(layers_set={net})] == ["0.0", "0.1"]
    net[1].add_sublayer("up", net)
    assert [n for n, _ in net.named_sublayers(remove_duplicate=False)] == ["0", "1", "1.0"]


def test_s_08_a_static_state_dict_keeps_to_its_layer_and_prefix():
    net = nn.Sequential(nn.BatchNorm(2))
    net.register_buffer("own", X, persistable=False)
    assert list(net.to_static_state_dict(include_sublayers=False, structured_name_prefix="a.")) == ["a.own"]


def test_s_08_a_softmax_in_place_takes_a_dtype():
    x = paddle.to_tensor([0.0, 0.0])
    assert F.softmax_(x, dtype="float64") is x and str(x.dtype) == "paddle.float64"
    n = paddle.to_tensor([0, 1])
    assert F.elu_(-n).tolist() == F.elu(-n).tolist()  # which is no longer an integer


def test_s_08_a_window_that_ends_outside_has_the_norm_of_its_elements():
    x = paddle.to_tensor([[[3.0, 4.0, 5.0]]])
    assert F.lp_pool1d(x, 2.0, 2, ceil_mode=True).tolist() == [[[5.0, 5.0]]]
    last = F.lp_pool1d(x.transpose([0, 2, 1]), 2.0, 2, ceil_mode=True, data_format="NLC")
    assert last.tolist() == [[[5.0], [5.0]]]


def test_s_08_temporal_shift_of_a_share_that_is_no_whole_number():
    x = paddle.to_tensor(np.arange(1.0, 17.0, dtype="float32").reshape(4, 4, 1, 1))
    found = F.temporal_shift(x, 2, 0.4).numpy().reshape(2, 2, 4)
    steps = x.numpy().reshape(2, 2, 4)
    expected = steps.copy()
    expected[:, 1, 0], expected[:, 0, 0] = steps[:, 0, 0], 0
    expected[:, 0, 1:3], expected[:, 1, 1:3] = steps[:, 1, 1:3], 0
    np.testing.assert_array_equal(found, expected)
    assert np.isfinite(F.temporal_shift(paddle.full([2, 4, 1, 1], np.inf), 2).numpy()[0, 0]).all()


def reached(x, index, axis):
    """The places of x that an index reaches without broadcasting, each with the place in the index."""
    for at in np.ndindex(*index.shape):
        yield at, (*at[:axis], index[at], *at[axis + 1 :])


@pytest.mark.parametrize("seed", range(20))
def test_s_08_indices_that_are_not_broadcast_reach_the_first_elements(seed):
    rng = np.random.default_rng(seed)
    shape, axis = rng.integers(1, 5, 3), int(rng.integers(3))
    lengths = [int(rng.integers(1, n + 1)) for n in shape]
    x, source = rng.standard_normal(shape), rng.standard_normal(lengths)
    index = rng.integers(0, shape[axis], lengths)
    taken, put, added = np.zeros(lengths), x.copy(), x.copy()
    for at, place in reached(x, index, axis):
        taken[at], put[place] = x[place], source[at]
        added[place] += source[at]
    given = [paddle.to_tensor(a) for a in (x, index, source)]
    functions = (
        lambda x, i, s: paddle.take_along_axis(x, i, axis, broadcast=False),
        lambda x, i, s: paddle.put_along_axis(x, i, s, axis, broadcast=False),
        lambda x, i, s: paddle.scatter_add(x, axis, i, s),
    )
    for function, expected in zip(functions, (taken, put, added)):
        np.testing.assert_allclose(function(*given).numpy(), expected)
        np.testing.assert_allclose(paddle.jit.to_static(function)(*given).numpy(), expected)
    if any(n < m for at, (n, m) in enumerate(zip(lengths, shape)) if at != axis):
        with pytest.raises(ValueError, match="reach beyond"):
            paddle.take_along_axis(given[2], given[0].astype("int64") * 0, axis, broadcast=False)
