"""What the calls may name: tensors, a small net, and what is done with an object; made anew for each call."""

from __future__ import annotations

import contextlib
import io
import warnings
from functools import cache
from typing import Any

import numpy as np

RNG = np.random.default_rng(5)
ARRAYS = {
    "x": RNG.uniform(-2, 2, (2, 3)).astype("float32"),
    "p": RNG.uniform(0.1, 0.9, (2, 3)).astype("float32"),
    "v": RNG.uniform(-2, 2, 24).astype("float32"),
    "seq": RNG.uniform(-2, 2, (2, 4, 3)).astype("float32"),
    "img": RNG.uniform(-2, 2, (2, 4, 5, 6)).astype("float32"),
    "vol": RNG.uniform(-2, 2, (1, 2, 4, 5, 6)).astype("float32"),
    "q": RNG.uniform(-2, 2, (4, 4)).astype("float32"),
    "g": (RNG.uniform(-2, 2, (2, 3, 4)) + 1j * RNG.uniform(-2, 2, (2, 3, 4))).astype("complex64"),
    "n": RNG.integers(1, 7, (2, 3)),
    "t": np.array([2, 0]),
    "b": np.array([[True, False, True], [False, False, True]]),
}


def made(library: Any) -> dict[str, Any]:
    """The names of one evaluation."""
    known: dict[str, Any] = {name: library.to_tensor(array) for name, array in ARRAYS.items()}
    known |= {"paddle": library, "nn": library.nn, "F": library.nn.functional, "np": np, "const": const(library)}
    known |= {"net": net(library), "shown": shown, "grads": grads, "drawn": drawn, "said": said, "warned": warned}
    w = known["w"] = library.to_tensor(np.array([3.0, -2.0, 0.5], "float32"), stop_gradient=False)
    known |= {"later": (w * w).sum(), "other": {}, "stepped": stepped, "trained": trained, "LRScheduler": schedule(library)}
    known["stream"] = stream(library)
    return known


@cache
def known(library: Any) -> dict[str, Any]:
    """The same, for who only looks."""
    return made(library)


def const(library: Any) -> Any:
    """Settings of a parameter that starts at a constant."""

    def settings(value: float, **more: Any) -> Any:
        return library.ParamAttr(initializer=library.nn.initializer.Constant(value), **more)

    return settings


def net(library: Any) -> Any:
    """Two layers with known weights, in the second a buffer that is not saved."""
    found = library.nn.Sequential(library.nn.Linear(3, 2), library.nn.Sequential(library.nn.Linear(2, 1)))
    for k, parameter in enumerate(found.parameters()):
        parameter.set_value(np.full(parameter.shape, 0.1 * (k + 1), "float32"))
    found.register_buffer("seen", library.to_tensor([1.0]))
    found[1].register_buffer("passing", library.to_tensor([2.0]), persistable=False)
    return found


def own(layer: Any) -> list:
    """The parameters but statistics, which are parameters in Paddle and buffers here."""
    return [p for name, p in layer.named_parameters() if not name.endswith(("_mean", "_variance"))]


def settled(layer: Any) -> Any:
    """The layer, with numbers that count up in each parameter that no setting of a call started."""
    for parameter in own(layer):
        array = parameter.numpy()
        if np.ptp(array) > 0:
            parameter.set_value((np.arange(array.size).reshape(array.shape) % 7 / 7 - 0.4).astype(array.dtype))
    return layer


def shown(layer: Any, *inputs: Any) -> list:
    """What a layer holds, and gives in training and in inference, with the gradients."""
    held = [(key, list(value.shape), str(value.dtype)) for key, value in layer.state_dict().items()]
    rates = [(p.trainable, p.optimize_attr.get("learning_rate"), p.regularizer is None, p.need_clip) for p in own(layer)]
    starts = [p.numpy() for p in own(layer) if np.ptp(p.numpy()) == 0]
    settled(layer)
    found = [held, rates, starts, grads(lambda *given: layer(*given), *inputs)]
    layer.eval()
    return [*found, layer(*inputs), [value for value in layer.state_dict().values()]]


def grads(function: Any, *inputs: Any) -> list:
    """What a function gives, and the gradients of its floating-point inputs."""
    real = [x for x in inputs if hasattr(x, "stop_gradient") and "float" in str(x.dtype)]
    for x in real:
        x.stop_gradient = False
    found = function(*inputs)
    first = found[0] if isinstance(found, (list, tuple)) else found
    if not first.stop_gradient:
        (first * first).sum().backward()
    return [found, [None if x.grad is None else x.grad.numpy() for x in real]]


def drawn(initializer: Any, library: Any) -> Any:
    """A parameter that an initializer started."""
    return library.create_parameter([4, 6], "float32", default_initializer=initializer)


def schedule(library: Any) -> Any:
    """The base of the schedulers with a rate of its own."""

    class LRScheduler(library.optimizer.lr.LRScheduler):
        def get_lr(self) -> float:
            return self.base_lr / (self.last_epoch + 3)

    return LRScheduler


def stream(library: Any) -> Any:
    """Samples one after the other, three multiples of a number."""

    class Stream(library.io.IterableDataset):
        def __init__(self, factor: int):
            self.factor = factor

        def __iter__(self) -> Any:
            yield from (np.array([k * self.factor]) for k in range(3))

    return Stream


def said(function: Any) -> str:
    """What a call prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        function()
    return text.getvalue()


def warned(manager: Any) -> list[str]:
    """What a `with` of this manager warns of."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with manager:
            pass
    return [str(warning.message) for warning in found]


def stepped(w: Any, scale: float = 1.0) -> list:
    """The leaf, which has a gradient now."""
    (w * w * scale).sum().backward()
    return [w]


def trained(optimizer: Any, w: Any) -> Any:
    """What an optimizer makes of a leaf in four steps."""
    for k in range(4):
        (w**3 * (k % 2 + 0.5)).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    return w


def leaves(value: Any) -> list:
    """What a value shows: arrays, and Python values as text."""
    if hasattr(value, "state_dict") and hasattr(value, "parameters"):
        return leaves(list(value.state_dict().items()))
    if hasattr(value, "numpy") and hasattr(value, "stop_gradient"):
        return [value.numpy(), value.stop_gradient]
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple)) or hasattr(value, "__next__"):
        return ["(", *(leaf for part in value for leaf in leaves(part)), ")"]
    return [value if isinstance(value, np.ndarray) else str(value)]
