"""Mistakes of the first hour: one message names what was given, what is expected and what to write, also while staging.

No message is NumPy's or Python's own about a line of this package; a static function's traceback leads through the user's.
"""

from __future__ import annotations

import re
import traceback

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError
from dy2st.nn import functional as F
from dy2st.static import InputSpec

X, LABEL = paddle.ones([2, 3]), paddle.to_tensor([0, 1])
IMAGE, IMAGE_OF_4 = paddle.ones([1, 3, 5, 5]), paddle.ones([1, 4, 5, 5])
linear, conv, embedding = nn.Linear(3, 4), nn.Conv2D(3, 4, 3), nn.Embedding(3, 4)
batch_norm, group_norm, lstm = nn.BatchNorm2D(3), nn.GroupNorm(2, 6), nn.LSTM(3, 4)
optimizer = paddle.optimizer.SGD(0.1, parameters=linear.parameters())


def backward_twice(x):
    loss = (x * linear.weight.sum()).sum()
    loss.backward()
    loss.backward()


ONE_LIST = "the numbers are one list, not given one by one"
TOLD = {
    "zeros": (lambda x: paddle.zeros(2, 3), f"zeros: write zeros([2, 3]): {ONE_LIST}"),
    "zeros of three": (lambda x: paddle.zeros(2, 3, 4), "write zeros([2, 3, 4])"),
    "zeros of four": (lambda x: paddle.zeros(2, 3, 4, 5), "write zeros([2, 3, 4, 5]), with the numbers as one list"),
    "ones": (lambda x: paddle.ones(2, 3), "write ones([2, 3])"),
    "empty": (lambda x: paddle.empty(2, 3), "write empty([2, 3])"),
    "rand": (lambda x: paddle.rand(2, 3), "write rand([2, 3])"),
    "randn": (lambda x: paddle.randn(2, 3), "write randn([2, 3])"),
    "zeros of a length": (lambda x: paddle.zeros(x.shape[0], x.shape[1]), "write zeros([2, 3])"),
    "view": (lambda x: x.view(-1, 2), "write view([-1, 2])"),
    "reshape": (lambda x: x.reshape(-1, 2), "write reshape([-1, 2])"),
    "expand": (lambda x: x.expand(4, 2, 3), "write expand([4, 2, 3])"),
    "as_strided": (lambda x: x.as_strided(2, 3, 1, 1), "write as_strided([2, 3, 1, 1])"),
    "concat": (lambda x: paddle.concat(x, x), "concat: write concat([a, b]): the tensors are one list"),
    "stack": (lambda x: paddle.stack(x, x), "stack: write stack([a, b])"),
    "a ragged list": (lambda x: paddle.to_tensor([[1, 2], [3]]), "form a rectangle: one of them holds 2 and another 1 items"),
    "a list and a number": (lambda x: paddle.to_tensor([[1, 2], 3]), "form a rectangle: a list stands beside a number"),
    "a text": (lambda x: x * "s", "multiply takes a Tensor or a number, not str 's'"),
    "Adam": (
        lambda x: paddle.optimizer.Adam(0.1, linear.parameters()),
        "beta1 must be a number, not list; give the parameters by name, Adam(learning_rate=0.1, parameters=net.parameters())",
    ),
    "Momentum": (lambda x: paddle.optimizer.Momentum(0.1, linear.parameters()), "Momentum: momentum must be a number, not list"),
    "Adagrad": (lambda x: paddle.optimizer.Adagrad(0.1, linear), "Adagrad: epsilon must be a number, not Linear"),
    "RMSProp": (lambda x: paddle.optimizer.RMSProp(0.1, linear.parameters()), "RMSProp: rho must be a number, not list"),
    "SGD": (
        lambda x: paddle.optimizer.SGD(linear.parameters(), lr=0.1),
        "write learning_rate for lr, as in Paddle, and what stands in its place by its own name",
    ),
    "a list of weights": (
        lambda x: F.cross_entropy(x, LABEL, weight=[1.0, 2.0, 1.0]),
        "cross_entropy: weight must be a Tensor, not list [1.0, 2.0, 1.0]; write to_tensor(weight)",
    ),
    "few weights": (
        lambda x: F.cross_entropy(x, LABEL, weight=paddle.ones([2])),
        "cross_entropy: float32[2,3] has 3 classes, but weight is float32[2], for 2 of them",
    ),
    "many labels": (
        lambda x: F.cross_entropy(x, paddle.to_tensor([0, 1, 1])),
        "cross_entropy: with the input float32[2,3] the label is an integer [2] or [2, 1], not int64[3]",
    ),
    "a label": (lambda x: F.cross_entropy(x, [0, 1]), "cross_entropy: label must be a Tensor, not list [0, 1]; write to_tensor"),
    "a file of Paddle": (lambda x: paddle.jit.load("m.pdmodel"), "m.pdmodel; one that ends so is a file of Paddle's"),
    "the path of a state": (
        lambda x: linear.set_state_dict("net.pdparams"),
        "takes a dict of names and Tensors, not str 'net.pdparams'; write set_state_dict(paddle.load('net.pdparams'))",
    ),
    "a layer as a state": (lambda x: linear.set_state_dict(embedding), "takes a dict of names and Tensors, not Embed"),
    "batch_norm": (
        lambda x: batch_norm(IMAGE_OF_4),
        "batch_norm: float32[1,4,5,5] has 4 channels, but running_mean is float32[3], for 3 of them",
    ),
    "group_norm": (lambda x: group_norm(IMAGE_OF_4), "group_norm: float32[1,4,5,5] has 4 channels, but weight is float32[6]"),
    "linear": (
        lambda x: linear(paddle.ones([2, 5])),
        "linear: the last axis of float32[2,5] has length 5, the weight float32[3,4] takes 3",
    ),
    "lstm": (lambda x: lstm(paddle.ones([2, 5, 4])), "LSTMCell: the last axis of float32[5,2,4] has length 4, the weight"),
    "conv": (lambda x: conv(IMAGE_OF_4), "conv2d: the input float32[1,4,5,5] has 4 channels, the weight float32[4,3,3,3]"),
    "a row": (lambda x: embedding(paddle.to_tensor([3])), "embedding: id 3 is outside the 3 rows 0 to 2 of the weight"),
    "a float row": (lambda x: embedding(x), "embedding takes integer ids, not float32"),
    "cuda": (lambda x: x.cuda(), "there is no GPU to move one to: leave the call out"),
    "backward": (backward_twice, "already used by"),
    "arange": (lambda x: paddle.arange("a"), "arange: end must be a number or a 0-d Tensor, not str 'a'"),
    "randperm": (lambda x: paddle.randperm("a"), "randperm: n must be an int, not str 'a'"),
    "eye": (lambda x: paddle.eye(2.0), "eye: num_rows must be an int, not float 2.0"),
    "chunk": (lambda x: x.chunk(2, 1), "chunk: length 3 of axis 1 doesn't divide into 2 parts"),
    "an axis": (lambda x: x.sum(axis=1.0), "sum: axis must be an int or a list of ints, not float 1.0"),
    "axes": (lambda x: x.max(axis=[0.0]), "max: axis must be an int or a list of ints, not list [0.0]"),
    "a dtype": (lambda x: paddle.cast(x, x), "is not a dtype; the dtypes are bool"),
    "topk": (lambda x: x.topk([1]), "topk: k must be an int or a Tensor, not list [1]"),
    "kthvalue": (lambda x: paddle.kthvalue(x, "1"), "kthvalue: k must be an int, not str '1'"),
    "allclose": (lambda x: paddle.allclose(x, x, "a"), "allclose: rtol must be a number, not str 'a'"),
    "nan_to_num": (lambda x: paddle.nan_to_num(x, [1.0]), "nan_to_num: nan must be a number, not list [1.0]"),
    "tril": (lambda x: x.tril("a"), "tril: diagonal must be an int or a list of ints, not str 'a'"),
    "fft": (lambda x: paddle.fft.fft(x, norm=[1]), "fft: norm must be a str, not list [1]"),
    "all": (lambda x: x.all(keepdim=np.ones(3)), "all: keepdim must be a bool, not ndarray"),
    "bce": (lambda x: F.binary_cross_entropy(x, x, [1.0]), "weight must be a Tensor, not list [1.0]; write to_tensor"),
    "layer_norm": (lambda x: F.layer_norm(x, 3, [1.0, 1.0, 1.0]), "layer_norm: weight must be a Tensor or None, not list"),
    "gelu": (lambda x: F.gelu(x, np.ones(3)), "gelu: approximate must be a bool, not ndarray"),
    "pairwise": (lambda x: F.pairwise_distance(x, x, p=[2]), "pairwise_distance: p must be a number, not list [2]"),
    "a layer": (lambda x: nn.LayerList(nn.ReLU()), "LayerList takes a list, not one ReLU; write LayerList([part])"),
    "zero_grad": (lambda x: optimizer.zero_grad(), "'SGD' object has no attribute 'zero_grad'; write clear_grad(), as in Paddle"),
    "a text for lengths": (lambda x: paddle.zeros("a"), "zeros: shape must be an int or a list of ints, not str 'a'"),
    "float labels": (lambda x: F.cross_entropy(x, x), "labels are integers, not float32; soft_label=True takes probabilities"),
    "no label": (lambda x: nn.MSELoss()(x), "MSELoss.forward() missing 1 required positional argument: 'label'"),
    "a metric": (lambda x: paddle.metric.Accuracy().update("a"), "Accuracy.update: correct must be a Tensor or an array of num"),
    "one number": (lambda x: paddle.metric.Accuracy().update(1.5), "Accuracy.update: correct is [..., k], what compute gave"),
    "a precision": (lambda x: paddle.metric.Precision().update("a", "b"), "Precision.update: preds must be a Tensor or an array"),
    "few labels": (lambda x: paddle.metric.Recall().update([1, 0], [1]), "Recall.update: there are 2 predictions, but 1 labels"),
    "an area": (lambda x: paddle.metric.Auc().update([0.5], [1]), "Auc.update: preds is [N, 2], the probabilities of 0 and of 1"),
    "a beta": (lambda x: paddle.optimizer.Adam(0.1, "a", parameters=linear.parameters()), "beta1 must be a number, not str 'a'"),
}
def users_lines(error):
    return [frame.name for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__]


@pytest.mark.parametrize("name", TOLD)
def test_a_mistake_is_told_in_words(name):
    mistake, words = TOLD[name]
    with pytest.raises(Exception, match=re.escape(words)):
        mistake(X)


@pytest.mark.parametrize("name", TOLD)
def test_a_mistake_in_a_static_function_is_told_in_the_same_words_at_its_line(name):
    mistake, words = TOLD[name]
    with pytest.raises(Exception, match=re.escape(words)) as caught:
        paddle.jit.to_static(mistake)(X)
    assert mistake.__name__ in users_lines(caught.value) or f"{__file__}:" in str(caught.value)


IN2D = nn.InstanceNorm2D(3)
OF_LAYERS = {"linear": linear, "conv": conv, "batch_norm": batch_norm, "lstm": lstm, "instance_norm": IN2D, "relu": nn.ReLU()}


@pytest.mark.parametrize("name", OF_LAYERS)
@pytest.mark.parametrize("given", [np.ones((1, 3, 3), "float32"), [1.0], "a", None], ids=["array", "list", "text", "None"])
def test_a_layer_says_what_it_takes(name, given):
    with pytest.raises(TypeError, match=f"must be a Tensor, not {type(given).__name__}"):
        OF_LAYERS[name](given)


def test_what_a_function_of_the_users_raises_stays_what_it_is():
    def distance(x, y):
        return x["a"][0]

    with pytest.raises(TypeError, match="a tensor is indexed by"):
        F.triplet_margin_with_distance_loss(X, X, X, distance_function=distance, margin=1.0)


def test_layers_take_another_dtype_eagerly_and_while_staging():
    x = X.astype("float64")
    assert np.array_equal(linear(x).numpy(), paddle.jit.to_static(lambda x: linear(x))(x).numpy())


def test_training_by_train_false():
    assert not nn.Sequential(linear).train(False).training


def test_a_batch_of_a_spec():
    assert InputSpec([2]).batch(np.int64(3)).shape == (3, 2)
    assert InputSpec([2]).batch(int(paddle.to_tensor(3))).shape == (3, 2)
    with pytest.raises(ConversionError, match=r"batch_size is known only when the Program runs"):
        paddle.jit.to_static(lambda x, n: x.reshape(InputSpec([2]).batch(int(n)).shape))(X, paddle.to_tensor(3))


def test_a_comparison_in_c_names_the_expression():
    def largest(x):
        import heapq

        return heapq.nlargest(1, [x[0], x[1]])

    with pytest.raises(Exception, match=r"bool\(x\) needs a value.*in `return heapq.nlargest\(1, \[x\[0\], x\[1\]\]\)`"):
        paddle.jit.to_static(largest)(paddle.to_tensor([1.0, 2.0]))
