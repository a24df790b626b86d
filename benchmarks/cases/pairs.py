"""One model in dy2st and in torch with the same weights, and all ways to call it."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import dy2st
from cases.common import FOLDER, fresh_module, saved, torch
from dy2st.static import InputSpec
from harness import EAGER, EXPORTED, HAND, LOADED, ONNXRUNTIME, PADDLE, REORDERED, SCRIPT, SCRIPTED, STATIC, TORCH, Aim, Case


def same_weights(net: Any, torch_net: Any) -> None:
    """Give the layer the parameters and buffers of the torch module, in their order; matrices of Linear layers are transposed."""
    turned = {id(m.weight) for m in torch_net.modules() if isinstance(m, torch.nn.Linear)}
    state = dict(torch_net.named_parameters()) | dict(torch_net.named_buffers())
    values = {name: value.detach().numpy().T if id(value) in turned else value.detach().numpy() for name, value in state.items()}
    names = {name.replace("running_mean", "_mean").replace("running_var", "_variance"): v for name, v in values.items()}
    for name, tensor in [*net.named_parameters(), *net.named_buffers()]:
        tensor.set_value(np.ascontiguousarray(names[name]))


def versus(
    title: str,
    target: Callable,
    inputs: Sequence[Any],
    torch_target: Callable | None,
    aim: float,
    by_hand: Callable | None = None,
    typed: Callable | None = None,
    exported: bool = False,
    note: str = "",
    reordered: bool = False,
) -> Case:
    """A case of a Layer or function `target`, and of the torch module or function that does the same.

    inputs: arrays and numbers. aim: the ratio to torch.jit.script. by_hand: in NumPy. typed: what dy2st's `script` takes.
    exported: whether torch's exporter to ONNX takes it. reordered: whether static code with `reorder_weights` takes part.
    """
    tensors = [dy2st.to_tensor(x) if isinstance(x, np.ndarray) else x for x in inputs]
    static = dy2st.jit.to_static(copy.deepcopy(target))  # which changes the layer that it is given
    with dy2st.no_grad():
        static(*tensors)
        path = saved(static)
        again = dy2st.jit.load(path)
    calls = {EAGER: (target, tensors), STATIC: (static, tensors), LOADED: (again, tensors)}
    if typed is not None:
        calls[SCRIPTED] = (dy2st.jit.script(copy.deepcopy(typed)), tensors)
    if reordered:
        strategy = dy2st.static.BuildStrategy(reorder_weights=True)
        calls[REORDERED] = (dy2st.jit.to_static(copy.deepcopy(target), build_strategy=strategy), tensors)
    variants = {name: dy2st.no_grad()(lambda f=f, xs=xs: f(*xs)) for name, (f, xs) in calls.items()}
    if by_hand is not None:
        variants = {HAND: lambda: by_hand(*inputs), **variants}
    aims, first = [], {STATIC: lambda: dy2st.jit.to_static(copy.deepcopy(target))(*tensors)}
    if typed is not None:
        first[SCRIPTED] = lambda: dy2st.jit.script(copy.deepcopy(typed))(*tensors)
    first[LOADED] = lambda: dy2st.jit.load(path)(*tensors)
    if torch is not None and torch_target is not None:
        torch_inputs = [torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in inputs]
        script = torch.jit.script(torch_target)
        variants[TORCH] = torch.no_grad()(lambda: torch_target(*torch_inputs))
        first[SCRIPT] = lambda: torch.jit.script(torch_target)(*torch_inputs)
        variants[SCRIPT] = torch.no_grad()(lambda: script(*torch_inputs))
        aims = [Aim(name, SCRIPT, aim) for name in (STATIC, LOADED, *([SCRIPTED] if typed is not None else ()))]
        if exported and importlib.util.find_spec("onnxruntime") and importlib.util.find_spec("onnxscript"):
            variants[ONNXRUNTIME] = _in_onnxruntime(torch_target, torch_inputs)
    if importlib.util.find_spec("onnxruntime"):
        variants[EXPORTED] = _exported(_of_any_batch(target, tensors) if exported else static, tensors)
        reference, factor = (ONNXRUNTIME, 1.1) if ONNXRUNTIME in variants else (SCRIPT, 1.0)
        aims += [Aim(EXPORTED, reference, factor)] if reference in variants else []
    if importlib.util.find_spec("paddle"):
        variants[PADDLE] = _in_paddle(target, inputs)
    return Case(title, variants, aims, note, first={name: dy2st.no_grad()(made) for name, made in first.items()})


def _in_paddle(target: Any, inputs: Sequence[Any]) -> Callable:
    """The same source with Paddle's names, as a static function of Paddle. A Layer is made anew, with the same weights."""
    import paddle

    paddle.set_device("cpu")
    made = with_paddle(type(target) if isinstance(target, dy2st.nn.Layer) else target, paddle)
    if isinstance(target, dy2st.nn.Layer):
        made = made()
        made.eval()
        values = dict([*target.named_parameters(), *target.named_buffers()])
        for name, tensor in [*made.named_parameters(), *made.named_buffers()]:
            tensor.set_value(values[name].numpy())
    static, tensors = paddle.jit.to_static(made), [paddle.to_tensor(x) for x in inputs]
    return paddle.no_grad()(lambda: static(*tensors))


def with_paddle(target: Any, paddle: Any) -> Any:
    """A class or function of a case, defined anew in a module where the names of dy2st are Paddle's."""
    home = sys.modules[target.__module__]
    head = "import math\n\nimport paddle as dy2st\nimport paddle.nn.functional as F\nfrom paddle import nn\n\n"
    classes = [v for v in vars(home).values() if isinstance(v, type) and v.__module__ == home.__name__]
    known = [cls for cls in classes if issubclass(cls, dy2st.nn.Layer)]
    parts = [inspect.getsource(v) for v in dict.fromkeys([*known, target])]
    constants = "".join(f"{name} = {value!r}\n" for name, value in vars(home).items() if type(value) is int)
    return getattr(fresh_module(head + constants + "\n\n" + "\n\n".join(parts)), target.__name__)


def _of_any_batch(target: Any, tensors: Sequence[Any]) -> Any:
    """The static function of tensors like these with an open batch; torch's export is of these shapes alone."""
    specs = [InputSpec([None, *x.shape[1:]], x.dtype) for x in tensors]
    return dy2st.jit.to_static(copy.deepcopy(target), input_spec=specs)


def _exported(static: Any, tensors: Sequence[Any]) -> Callable:
    """The model that `dy2st.onnx.export` writes, in a session of ONNX Runtime."""
    import dy2st.onnx

    session = _session(dy2st.onnx.export(static, FOLDER / f"exported_{id(static)}"))
    feeds = {node.name: x.numpy() for node, x in zip(session.get_inputs(), tensors)}
    names = [node.name for node in session.get_outputs()]
    return lambda: session.run(names, feeds)[0]


def _session(path: str) -> Any:
    """A session on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _in_onnxruntime(module: Any, inputs: Sequence[Any]) -> Callable:
    """The model that torch's exporter writes."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    path = str(FOLDER / f"exported_{id(module)}.onnx")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module, tuple(inputs), path, dynamo=True, verbose=False)
    session = _session(path)
    feeds = {node.name: x.numpy() for node, x in zip(session.get_inputs(), inputs)}
    return lambda: session.run(None, feeds)[0]
