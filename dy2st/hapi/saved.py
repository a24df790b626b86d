"""The files of a Model: parameters and the optimizer's state, to go on training; or the network alone, to run it elsewhere."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from .. import state_files
from ..jit.loading.translated_layer import TranslatedLayer
from ..jit.saving.save import save as save_network
from ..jit.static.static_function import StaticFunction
from ..nn.layer import Layer
from ..optimizer import Optimizer

PARAMETERS, STATE = ".pdparams", ".pdopt"


def save_training(path: str, network: Layer, optimizer: Optimizer | None) -> None:
    """Write what a training goes on with."""
    state_files.save(network.state_dict(), path + PARAMETERS)
    if optimizer is not None:
        state_files.save(optimizer.state_dict(), path + STATE)


def save_inference(path: str, network: Layer, inputs: Sequence | None) -> None:
    """Write the network, in the mode of evaluation. ValueError: nobody has said what its inputs are."""
    if inputs is None and not isinstance(network, TranslatedLayer) and not isinstance(network.forward, StaticFunction):
        raise ValueError(
            "save(training=False) needs to know the inputs: say them, as in "
            "Model(net, inputs=[InputSpec([None, 2], 'float32', 'x')])"
        )
    network.eval()
    save_network(network, path, input_spec=None if inputs is None else list(inputs))


def load_training(path: str, network: Layer, optimizer: Optimizer | None, skip_mismatch: bool) -> None:
    """Take over what `save_training` wrote. ValueError: the network has something else than the file."""
    stem, ending = os.path.splitext(path)
    path = stem if ending in (PARAMETERS, STATE) else path
    given = state_files.load(path + PARAMETERS)
    own = network.state_dict()
    unfit = list(_unfit(own, given))
    if unfit and not skip_mismatch:
        raise ValueError(f"load: {'; '.join(unfit)}; skip_mismatch=True leaves these parameters as they are")
    for told in unfit:
        warnings.warn(f"load: {told}; it stays as it is, and so does the optimizer", stacklevel=3)
    network.set_state_dict({name: value for name, value in given.items() if name in own and value.shape == own[name].shape})
    if optimizer is not None and not unfit and os.path.exists(path + STATE):
        optimizer.set_state_dict(state_files.load(path + STATE))


def _unfit(own: dict[str, Any], given: dict[str, Any]) -> Iterator[str]:
    """What is wrong with each parameter that the file doesn't fit."""
    for name, value in own.items():
        if name not in given:
            yield f"{name} isn't in the file"
        elif given[name].shape != value.shape:
            yield f"{name} has shape {value.shape}, in the file {given[name].shape}"
