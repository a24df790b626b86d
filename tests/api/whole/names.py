"""What the calls may name: tensors, a small net, and what is done with an object; made anew for each call."""

from __future__ import annotations

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
    known |= {"net": net(library), "shown": shown, "grads": grads, "drawn": drawn}
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
