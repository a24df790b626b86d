"""S-08: an argument changes a result, or is refused, or docs/api.md lists it as without effect, with the reason.

Three looks: which parameters no line reads, and calls of layers and functions with each parameter set to another value.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.api_notes import WITHOUT_EFFECT
from support.ignored import ignored
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn
from dy2st.nn import functional as F

from . import other_texts, other_values

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
LISTED = {f"{name.rpartition('.')[2]}.{parameter}" for parameter, names in ignored().items() for name in names}
# What a result doesn't show: the start of a weight, statistics that move, a label that is left out. They have tests below.
SHOWN_BELOW = {"PReLU.init", "batch_norm.momentum", "cross_entropy.ignore_index", "softmax_with_cross_entropy.ignore_index"}
PATHS = sorted({path for path, _, _ in other_values.calls()})


def test_s_08_what_is_accepted_without_effect_is_listed_with_its_reason():
    assert set(ignored()) == set(WITHOUT_EFFECT)


@pytest.mark.long
@pytest.mark.parametrize("path", sampled(PATHS, 40))
def test_s_08_every_argument_of_layers_and_their_functions_has_an_effect(path):
    name = path.rpartition(".")[2]
    without = {f"{name}.{parameter}" for parameter, acts in other_values.effects(path).items() if not acts}
    assert without - LISTED - SHOWN_BELOW == set()


@pytest.mark.long
def test_s_08_every_argument_of_the_sample_calls_has_an_effect():
    assert {key for key, acts in other_texts.effects().items() if not acts} - LISTED == set()


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


def test_s_08_named_modules_come_once():
    with pytest.raises(ValueError, match="each layer comes once"):
        list(nn.Sequential(nn.ReLU()).named_modules(remove_duplicate=False))


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
