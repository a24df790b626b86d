"""Whole models as Paddle's users write them: trained as they are and converted, saved, loaded and fine-tuned in another process.

A file of `models` has, beside the model itself:

    build()             -> the network, or a tuple of several
    SPECS               -> the input specs of its forward; a tuple of them for several
    train(*nets, data)  -> the losses of some steps of training on `data`; sees nothing of the file
    batches(rng)        -> that data
    deployed(*nets), DEPLOYED_SPECS, calls(rng) -> the Layer for inference (without it: the network), its specs, and arguments for
                           calls that between them take every path
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import types
import warnings
from pathlib import Path

import numpy as np
import pytest
from support.sampling import sampled

import dy2st
from dy2st import jit

NAMES = sorted(path.stem for path in Path(__file__).with_name("models").glob("*.py"))
ROUNDING = {"rtol": 1e-4, "atol": 1e-4}  # what float32 may make of it in ten steps
TUNED = """
import numpy as np
import dy2st as paddle
from dy2st import nn
import dy2st.nn.functional as F

{train}

def answer(paths, data):
    nets = [paddle.jit.load(path) for path in paths]
    losses = train(*nets, data)
    return losses, [{{name: value.numpy() for name, value in net.state_dict().items()}} for net in nets]
"""


def several(value) -> tuple:
    return value if isinstance(value, tuple) else (value,)


def built(module, library=dy2st) -> tuple:
    library.seed(3)
    return several(module.build())


def data(module):
    return module.batches(np.random.default_rng(0))


def infer(layer, module, library=dy2st) -> list:
    return [plain(layer(*map(library.to_tensor, arrays))) for arrays in module.calls(np.random.default_rng(1))]


def plain(value):
    """A result with arrays in place of tensors."""
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(x) for key, x in value.items()}
    return value.numpy() if hasattr(value, "numpy") else value


def for_inference(module, nets):
    layer = module.deployed(*nets) if hasattr(module, "deployed") else nets[0]
    layer.eval()
    return layer


def states(nets) -> list[dict]:
    return [plain(dict(net.state_dict())) for net in nets]


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(NAMES, 8))
def test_model(name, tmp_path, fresh, other_process, same):
    module = importlib.import_module(f"programs.models.{name}")
    eager, nets = built(module), built(module)
    expected = module.train(*eager, data(module))
    for net, specs in zip(nets, module.SPECS if len(nets) > 1 else [module.SPECS]):
        jit.to_static(net, input_spec=specs)
    same(expected, module.train(*nets, data(module)), "losses", **ROUNDING)
    same(states(eager), states(nets), "trained", **ROUNDING)

    paths = [str(tmp_path / f"trained{number}") for number in range(len(nets))]
    for net, path in zip(nets, paths):
        jit.save(net, path)
    results = infer(for_inference(module, eager), module)
    static = jit.to_static(for_inference(module, nets), input_spec=getattr(module, "DEPLOYED_SPECS", module.SPECS))
    same(results, infer(static, module), "inferred", **ROUNDING)

    jit.save(static, str(tmp_path / "deployed"))
    same(results, fresh(tmp_path / "deployed", *module.calls(np.random.default_rng(1))), "loaded", **ROUNDING)

    losses, tuned = other_process.ask(TUNED.format(train=inspect.getsource(module.train)), paths, data(module))
    same(module.train(*eager, data(module)), losses, "losses of fine-tuning", **ROUNDING)
    again = built(module)
    for net, state in zip(again, tuned):
        assert net.set_state_dict(state)[1] == []
    same(states(eager), states(again), "fine-tuned", **ROUNDING)


def without_dropout(nets):
    """The two draw other numbers."""
    for net in nets:
        for layer in net.sublayers():
            if type(layer).__name__ == "Dropout":
                layer.p = 0.0


@pytest.mark.parametrize("name", NAMES if importlib.util.find_spec("paddle") else [])
def test_as_in_paddle(name, same):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import paddle

        ours = importlib.import_module(f"programs.models.{name}")
        theirs = types.ModuleType(name)
        exec(compile(inspect.getsource(ours).replace("dy2st", "paddle"), ours.__file__, "exec"), vars(theirs))
        pairs = built(ours), built(theirs, paddle)
        for net, other in zip(*pairs):
            assert other.set_state_dict(states([net])[0]) == ([], [])
        found = []
        for module, nets, library in zip((ours, theirs), pairs, (dy2st, paddle)):
            without_dropout(nets)
            losses = module.train(*nets, data(module))
            found.append((losses, infer(for_inference(module, nets), module, library)))
    same(*reversed(found), **ROUNDING)
