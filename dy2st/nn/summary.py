"""`paddle.summary`: what a model consists of, layer by layer, as a forward gets to them. `paddle.create_parameter`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .. import pytree
from ..api.autograd import no_grad
from ..api.creation import zeros
from ..runtime.tensors.spec import is_tensor
from ..runtime.tensors.tensor import Tensor
from .initializer import Initializer
from .layer import Layer
from .layers.norm import _BatchNorm
from .parameter import Parameter

_WIDTHS = (24, 28, 28, 14)
_HEAD = ("Layer (type)", "Input Shape", "Output Shape", "Param #")


def create_parameter(
    shape: Any, dtype: Any, name: str | None = None, attr: Any = None, is_bias: bool = False,
    default_initializer: Initializer | None = None,
) -> Parameter:  # fmt: skip
    """A new Parameter that belongs to no layer. As `Layer.create_parameter`: shape, attr, is_bias, default_initializer, errors.

    dtype: of the parameter. name: in place of a generated one.
    """
    made = Layer("create_parameter", dtype).create_parameter(shape, attr, dtype, is_bias, default_initializer)
    if name is not None:
        made.name = name
    return made


def summary(net: Layer, input_size: Any = None, dtypes: Any = None, input: Any = None) -> dict[str, int]:
    """Print a row for each layer inside `net` in the order in which a forward is done with them, and the numbers of parameters.

    input_size: the shape of the input, or a list of shapes; None and -1 are 1. dtypes: of the inputs, float32 where None. input:
    the input itself, a Tensor or a list or dict of them, in place of both. Returns {"total_params", "trainable_params"}, which
    count the running statistics of normalisations, too, as Paddle does. TypeError: net is no Layer. ValueError: neither
    input_size nor input.
    """
    if not isinstance(net, Layer):
        raise TypeError(f"summary takes a Layer, not {type(net).__name__}")
    inputs = _inputs(input_size, dtypes) if input is None else input
    rows = _rows(net, inputs)
    total, trainable = _count(net)
    line = "-" * sum(_WIDTHS)
    print(line, _row(*_HEAD), "=" * sum(_WIDTHS), *(_row(*row) for row in rows), "=" * sum(_WIDTHS), sep="\n")
    print(f"Total params: {total:,}", f"Trainable params: {trainable:,}", sep="\n")
    print(f"Non-trainable params: {total - trainable:,}", line, sep="\n")
    return {"total_params": total, "trainable_params": trainable}


def _row(*cells: Any) -> str:
    return "".join(f" {cell!s:<{width - 1}}" for cell, width in zip(cells, _WIDTHS)).rstrip()


def _inputs(input_size: Any, dtypes: Any) -> list[Tensor]:
    if input_size is None:
        raise ValueError("summary needs input_size, the shape of the input, or input, the input itself")
    shapes = [input_size] if all(d is None or isinstance(d, int) for d in input_size) else list(input_size)
    kinds = dtypes if isinstance(dtypes, list | tuple) else [dtypes] * len(shapes)
    lengths = [[1 if d in (None, -1) else d for d in shape] for shape in shapes]
    return [zeros(shape, dtype or "float32") for shape, dtype in zip(lengths, kinds)]


def _rows(net: Layer, inputs: Any) -> list[tuple]:
    """(name, shapes of the inputs, shapes of the results, parameters) of each layer, once, in the order of completion."""
    rows: dict[int, tuple] = {}
    numbers: Counter[str] = Counter()

    def note(layer: Layer, inputs: Any, outputs: Any) -> None:
        if id(layer) in rows:
            return
        kind = type(layer).__name__
        numbers[kind] += 1
        own = sum(int(t.size) for t in _own(layer))
        rows[id(layer)] = (f"{kind}-{numbers[kind]}", list(_shapes(inputs)), _shape_or_list(outputs), f"{own:,}")

    with _plain(net), no_grad():
        handles = [layer.register_forward_post_hook(note) for layer in net.sublayers()]
        try:
            _called(net, inputs)
        finally:
            for handle in handles:
                handle.remove()
    return list(rows.values())


@contextmanager
def _plain(net: Layer) -> Iterator[None]:
    """The layers in evaluation mode, and those whose forward is static with the plain one, for a while."""
    layers = net.sublayers(include_self=True)
    before = [(layer.training, vars(layer).get("forward")) for layer in layers]
    try:
        net.eval()
        for layer in layers:
            if hasattr(layer.forward, "dygraph_function"):
                vars(layer)["forward"] = layer.forward.dygraph_function
        yield
    finally:
        for layer, (training, forward) in zip(layers, before):
            layer.training = training
            vars(layer).pop("forward", None)
            if forward is not None:
                vars(layer)["forward"] = forward


def _called(net: Layer, inputs: Any) -> Any:
    return net(**inputs) if isinstance(inputs, dict) else net(*(inputs if isinstance(inputs, list | tuple) else [inputs]))


def _shapes(values: Any) -> Iterator[list]:
    """The shapes of the tensors in a structure."""
    return (list(value.shape) for value in pytree.walk(values, is_tensor))


def _shape_or_list(outputs: Any) -> list:
    shapes = list(_shapes(outputs))
    return shapes[0] if len(shapes) == 1 else shapes


def _own(layer: Layer) -> list[Tensor]:
    """What Paddle counts as a layer's parameters: running statistics are such there."""
    statistics = [layer._mean, layer._variance] if isinstance(layer, _BatchNorm) else []
    return [t for t in (*layer._parameters.values(), *statistics) if t is not None]


def _count(net: Layer) -> tuple[int, int]:
    tensors = {id(t): t for layer in net.sublayers(include_self=True) for t in _own(layer)}.values()
    return sum(int(t.size) for t in tensors), sum(int(t.size) for t in tensors if isinstance(t, Parameter) and t.trainable)
