"""Module paths and second names that models import; what a Layer can do beside the essential."""

from __future__ import annotations

import functools
import importlib

import numpy as np
import pytest

import dy2st
from dy2st import nn


def test_module_paths():
    from dy2st.jit.api import load, save, to_static
    from dy2st.jit.dy2static import convert_call, convert_ifelse
    from dy2st.nn.layer import Layer
    from dy2st.nn.utils import weight_norm
    from dy2st.optimizer.lr import LRScheduler
    from dy2st.regularizer import L2Decay

    assert Layer is nn.Layer is nn.Module and to_static is dy2st.jit.to_static and callable(convert_ifelse)
    assert all(map(callable, (load, save, convert_call, weight_norm, LRScheduler, L2Decay)))


PATHS = """
base: CPUPlace ParamAttr Tensor Variable get_flags in_dygraph_mode set_flags
base.dygraph: enabled grad guard no_grad to_variable
device: device_count get_all_device_type get_device is_compiled_with_cuda set_device synchronize
device.cuda: device_count empty_cache max_memory_allocated synchronize
utils: flatten map_structure pack_sequence_as try_import
framework: CPUPlace ParamAttr Parameter get_default_dtype get_flags grad in_dynamic_mode load no_grad save seed set_default_dtype
jit.api: StaticFunction TranslatedLayer ignore_module load not_to_static save to_static _register_save_pre_hook
jit.marker: dynamic_dims not_to_static unified
jit.translated_layer: TranslatedLayer
jit.dy2static: StaticFunction convert_assert convert_call convert_ifelse convert_logical_and convert_to_static convert_while_loop
jit.dy2static.convert_call_func: add_ignore_module convert_call
jit.dy2static.convert_operators: convert_assert convert_ifelse convert_logical_or convert_while_loop
jit.dy2static.logging_utils: get_code_level get_verbosity set_code_level set_verbosity
jit.dy2static.program_translator: ConcreteProgram ProgramTranslator StaticFunction convert_to_static
nn.layer.activation: GELU Hardswish LeakyReLU PReLU ReLU Sigmoid Silu Softmax Swish Tanh
nn.layer.common: CosineSimilarity Dropout Embedding Flatten Linear Pad2D Unfold Upsample
nn.layer.container: LayerDict LayerList ParameterList Sequential
nn.layer.conv: Conv1D Conv2D Conv2DTranspose Conv3D
nn.layer.layers: Layer
nn.layer.loss: BCELoss CTCLoss CrossEntropyLoss KLDivLoss L1Loss MSELoss NLLLoss SmoothL1Loss TripletMarginLoss
nn.layer.norm: BatchNorm BatchNorm1D BatchNorm2D GroupNorm InstanceNorm2D LayerNorm SyncBatchNorm
nn.layer.pooling: AdaptiveAvgPool2D AvgPool2D MaxPool2D
nn.layer.rnn: GRU LSTM RNN BiRNN GRUCell LSTMCell RNNCellBase SimpleRNN
nn.layer.transformer: MultiHeadAttention Transformer TransformerEncoder TransformerEncoderLayer
nn.layer.vision: ChannelShuffle PixelShuffle
nn.functional.common: dropout interpolate linear pad unfold
nn.functional.loss: cross_entropy ctc_loss kl_div mse_loss
nn.functional.vision: affine_grid grid_sample pixel_shuffle
"""


@pytest.mark.parametrize("line", PATHS.strip().splitlines())
def test_a_path_offers_names_as_a_first_import(line):
    path, names = line.split(": ")
    module = importlib.import_module(f"dy2st.{path}")
    home = functools.reduce(getattr, path.split("."), dy2st)
    assert home is module
    for name in names.split():
        assert callable(getattr(module, name)) or isinstance(getattr(module, name), type), name
        if path.startswith("nn.layer."):
            assert getattr(module, name) is getattr(nn, name)


def test_structures_and_devices():
    from dy2st import device, utils

    tree = {"b": [1, (2,)], "a": 3}
    assert utils.flatten(tree) == [3, 1, 2] and utils.pack_sequence_as(tree, [30, 10, 20]) == {"b": [10, (20,)], "a": 30}
    assert utils.map_structure(lambda x, y: x + y, tree, tree) == {"b": [2, (4,)], "a": 6}
    for wrong in (lambda: utils.pack_sequence_as(tree, [1]), lambda: utils.map_structure(max, [1], [1, 2])):
        with pytest.raises(ValueError):
            wrong()
    assert utils.try_import("json").loads("1") == 1
    with pytest.raises(ImportError, match="pip install not_there"):
        utils.try_import("not_there.part")
    assert device.get_device() == "cpu" and device.cuda.device_count() == 0 and device.synchronize("cpu") is None
    with pytest.raises(ValueError):
        device.synchronize("gpu:0")


class Outer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.fc = nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.Linear(4, 4)
        self.fc.weight.stop_gradient = True

    def forward(self, x, scale=None):
        h = self.fc(self.norm(self.conv(x)).flatten(1))
        return h if scale is None else h * scale


def test_summary_counts_as_paddle_does(capsys):
    net = Outer()
    assert dy2st.summary(net, (3, 1, 3, 4)) == {"total_params": 48, "trainable_params": 28}  # 20 + 4 of 8 + 4 of 20
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows if row and row[0].endswith("-1")] == ["Conv2D-1", "BatchNorm2D-1", "Linear-1"]
    assert ["Linear-1", "[[3,", "4]]", "[3,", "4]", "20"] in rows
    assert net.training and net.norm.training and not net.fc._forward_post_hooks
    static = dy2st.jit.to_static(net)
    assert dy2st.summary(static, (3, 1, 3, 4))["total_params"] == 48 and "Conv2D-1" in capsys.readouterr().out
    assert hasattr(static.forward, "dygraph_function")
    assert dy2st.summary(net, input={"x": dy2st.ones([2, 1, 3, 4]), "scale": dy2st.ones([4])})["total_params"] == 48
    assert dy2st.summary(net, [(None, 1, 3, 4), (4,)], dtypes=["float32", "float32"])["trainable_params"] == 28
    with pytest.raises(ValueError, match="input_size"):
        dy2st.summary(net)


def test_s_08_summary_counts_no_buffers_of_the_users(capsys):
    net = nn.Sequential(nn.Linear(2, 2))
    net.register_buffer("seen", dy2st.ones([5]))
    assert dy2st.summary(net, (1, 2)) == {"total_params": 6, "trainable_params": 6}


def test_s_08_a_static_state_dict_goes_layer_by_layer_and_has_every_name():
    shared = dy2st.ones([1])
    net = nn.Sequential(nn.Linear(2, 2))
    for layer in (net, net[0]):
        layer.register_buffer("seen", shared, persistable=False)
    assert list(net.to_static_state_dict()) == ["seen", "0.weight", "0.bias", "0.seen"]
    assert list(net.state_dict()) == ["0.weight", "0.bias"]


def test_s_08_numbers_are_printed_with_an_exponent_where_that_is_asked_for():
    x = dy2st.to_tensor([12.5, -0.25])
    usual = str(x)
    try:
        dy2st.set_printoptions(precision=2, sci_mode=True)
        assert "[1.25e+01, -2.50e-01]" in str(x) and "[2.50e+00-1.00e+00j]" in str(dy2st.to_tensor([2.5 - 1j]))
        dy2st.set_printoptions(precision=8, sci_mode=False)
        assert "0.00001" in str(dy2st.to_tensor([1e-5]))
    finally:
        dy2st.set_printoptions(precision=8, sci_mode=False)
    assert str(x) == usual


def test_parameters_without_a_layer():
    made = dy2st.create_parameter([2, 3], "float64", name="mine", default_initializer=nn.initializer.Constant(2.0))
    assert isinstance(made, nn.Parameter) and made.name == "mine" and made.dtype == "float64" and not made.stop_gradient
    np.testing.assert_array_equal(made.numpy(), np.full((2, 3), 2.0))
    assert dy2st.create_parameter([2], "float32", is_bias=True).tolist() == [0.0, 0.0]


def test_flags_are_kept():
    dy2st.set_flags({"FLAGS_cudnn_deterministic": True, "FLAGS_of_mine": 3})
    assert dy2st.get_flags("FLAGS_of_mine") == {"FLAGS_of_mine": 3}
    assert dy2st.get_flags(["FLAGS_of_mine", "FLAGS_cudnn_deterministic"])["FLAGS_cudnn_deterministic"] is True
    with pytest.raises(ValueError, match="FLAGS_"):
        dy2st.set_flags({"cudnn": 1})
    with pytest.raises(ValueError, match="nobody has set"):
        dy2st.get_flags("FLAGS_unknown")


def test_the_switch_of_staging_as_an_object():
    from dy2st.jit.dy2static.program_translator import ProgramTranslator, convert_to_static

    def f(x):
        return x if x > 0 else -x

    switch = ProgramTranslator.get_instance()
    assert switch is ProgramTranslator() and switch.enable_to_static
    switch.enable(False)
    assert not ProgramTranslator().enable_to_static
    switch.enable(True)
    assert "_jst.ifexp" in switch.get_code(f) and convert_to_static(f)(-3) == 3


def test_parts_of_a_layer_keep_their_dtype_where_they_are_excluded():
    net = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3))
    net.float16(excluded_layers=[nn.LayerNorm])
    assert net[0].weight.dtype == "float16" and net[1].weight.dtype == "float32"
    assert net.float().half()[1].bias.dtype == "float16"
    with pytest.raises(TypeError, match="excluded_layers"):
        net.float(excluded_layers=["LayerNorm"])


def test_parts_by_their_dotted_names():
    net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.BatchNorm1D(3)))
    assert net.get_sublayer("1.0") is net[1][0] and net.get_parameter("0.weight") is net[0].weight
    assert net.get_buffer("1.0._mean") is net[1][0]._mean and net.get_submodule("") is net
    with pytest.raises(AttributeError):
        net.get_parameter("0.kernel")
    assert [n for n, _ in net.named_modules()] == ["", "0", "1", "1.0"] and len(list(net.modules())) == 4


def test_a_part_is_put_in_the_place_of_another():
    net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.BatchNorm1D(3)))
    made = nn.LayerNorm(3)
    net.set_sublayer("1.0", made)
    assert net[1][0] is made and net.set_submodule("1.added", nn.ReLU()) is None and len(net[1]) == 2
    for target, layer, error in (("", made, ValueError), ("1.0", 3, ValueError), ("1.5", made, AttributeError)):
        with pytest.raises(error):
            net.set_sublayer(target, layer, strict=True)
    with pytest.raises(AttributeError, match="no layer 'weight'"):
        net.set_sublayer("0.weight", made)


def test_gradients_on_and_off():
    net = nn.Linear(2, 1)
    net.requires_grad_(False)
    assert net(dy2st.ones([1, 2])).stop_gradient
    net.requires_grad_().train(False)
    net(dy2st.ones([1, 2])).sum().backward()
    assert not net.training and net.weight.grad is not None
    net.clear_gradients()
    assert net.weight.grad.tolist() == [[0], [0]]
    net.zero_grad()
    assert net.weight.grad is None
    assert net.double().weight.dtype == "float64" and net.half().bias.dtype == "float16"


def test_a_dict_of_parameters():
    net = nn.ParameterDict({"a": nn.Parameter(np.ones(2, "float32"))})
    net["b"] = nn.Parameter(np.zeros(1, "float32"))
    assert [n for n, _ in net.named_parameters()] == ["a", "b"] == list(net) and net["a"].tolist() == [1, 1]
    del net["a"]
    assert "a" not in net and len(net) == 1
    with pytest.raises(TypeError, match="holds Parameters"):
        net["c"] = dy2st.ones([1])


def test_dropout1d_drops_channels():
    dy2st.seed(0)
    found = nn.functional.dropout1d(dy2st.ones([4, 5, 6])).numpy()
    assert set(found.reshape(-1)) == {0.0, 2.0} and (found == found[:, :, :1]).all()
