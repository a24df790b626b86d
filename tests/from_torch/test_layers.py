"""The layers of torch.nn as PyTorch users call them: outputs, buffers and gradients against torch's, for torch's own samples."""

from __future__ import annotations

import copy
import warnings

import pytest

torch = pytest.importorskip("torch")
modules = pytest.importorskip("torch.testing._internal.common_modules")

import dy2st.torch  # noqa: E402
from dy2st.torch.values import leaves, mapped  # noqa: E402

LAYERS = {info.name: info for info in modules.module_db if "Lazy" not in info.name}
COUNT = 3  # samples of each layer
DOUBLE = ("nn.FractionalMaxPool2d", "nn.FractionalMaxPool3d")  # whose samples draw float64
FIXED = ("nn.SoftMarginLoss",)  # whose second argument has no gradient


def samples(name: str, training: bool, count: int | None) -> list:
    """Torch's samples of a layer, in torch's order."""
    torch.manual_seed(0)
    info = LAYERS[name]
    dtype = torch.float64 if name in DOUBLE else torch.float32
    return info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=False, training=training)[:count]


def made(name: str, sample, training: bool):
    """The layer of a sample, with dropout that drops nothing: torch's numbers aren't ours."""
    torch.manual_seed(1)
    layer = LAYERS[name].module_cls(*sample.constructor_input.args, **sample.constructor_input.kwargs)
    for part in layer.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.0
        elif isinstance(part, torch.nn.MultiheadAttention | torch.nn.RNNBase):
            part.dropout = 0.0
    return layer.train(training)


def called(layer, function, args: tuple, kwargs: dict, fixed: bool) -> tuple[list, list, list]:
    """The tensors of the result, the gradients of their sum for inputs and parameters, and the buffers after the call."""
    given = mapped(_leaf, (args, kwargs))
    if fixed:
        given[0][1].requires_grad_(False)
    torch.manual_seed(2)
    found = [x for x in leaves(function(*given[0], **given[1])) if isinstance(x, torch.Tensor)]
    wanted = [x for x in [*leaves(given), *layer.parameters()] if isinstance(x, torch.Tensor) and x.requires_grad]
    outputs = [x for x in found if x.requires_grad]
    grads = torch.autograd.grad([x.sum() for x in outputs], wanted, allow_unused=True) if outputs and wanted else []
    return found, [torch.zeros_like(x) if g is None else g for x, g in zip(wanted, grads)], list(layer.buffers())


def _leaf(x):
    if not isinstance(x, torch.Tensor):
        return x
    return x.detach().clone().requires_grad_(x.is_floating_point())


def difference(name: str, sample, training: bool) -> str:
    """How a layer differs from torch's; "" where it doesn't."""
    layer = made(name, sample, training)
    other = copy.deepcopy(layer)
    args, kwargs = sample.forward_input.args, sample.forward_input.kwargs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        right = called(layer, layer, args, kwargs, name in FIXED)
        mine = called(other, dy2st.torch.to_static(other), args, kwargs, name in FIXED)
    for what, found, expected in zip(("outputs", "gradients", "buffers"), mine, right):
        try:
            torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5, equal_nan=True)
        except AssertionError as error:
            return f"{what} of {sample.desc or args}: {error}"
    return ""


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_computes_what_it_computes_in_torch(name, training):
    for sample in samples(name, training, COUNT):
        assert difference(name, sample, training) == ""
