"""The model of a prediction: which it is, whether rows may be given to it in any order, and how a batch of them runs."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...saving.files import INFO
from ..results import leaves
from ..usage import UsageError


@dataclass(frozen=True)
class Model:
    """A saved model, and what it says of rows.

    live: the loaded model, in evaluation mode. identity: a hash of its files. is_random: whether it draws numbers. size: of every
    batch; None: any. ending: of a file of its results.
    """

    live: Any
    identity: str
    is_random: bool
    size: int | None
    ending: str


def model_of(path: str, backend: str | None) -> tuple[Model, Sequence[Any]]:
    """The model at `path`, and the specs of its inputs. UsageError: rows can't be given to it in batches of any order."""
    from ...jit import load
    from ...jit.loading.translated_layer import TranslatedLayer
    from ...runtime.engines import engine_named

    live = load(path, backend=backend)
    if not isinstance(live, TranslatedLayer):
        raise UsageError(f"{path} was saved by script or trace; predict takes what save wrote of a layer or function")
    live.eval()
    is_random = _draws(live.program(), path)
    if is_random and not engine_named(backend).follows_seed:
        raise UsageError(f"{path} draws random numbers, which the engine {backend} can't draw anew: leave --backend out")
    specs = live.input_spec
    return Model(live, _identity(path), is_random, _fixed_size(path, specs), _ending(live.program())), specs


def results_of(model: Model, arrays: Sequence[np.ndarray], seed: str) -> dict[str, np.ndarray]:
    """The results for rows, by name. ValueError: one has not a row for each. seed: what random numbers follow from."""
    from ...runtime.tensors.grad_mode import no_grad

    if model.is_random:
        from ...runtime.tensors.random_state import seed as start_from

        start_from(zlib.crc32(seed.encode()))
    with no_grad():
        found = dict(leaves(model.live(*arrays)))
    count = len(arrays[0])
    for name, value in found.items():
        if not isinstance(value, np.ndarray):
            raise ValueError(f"the result {name} is {value!r}, no array with a row for each row that goes in")
        if value.ndim == 0 or len(value) != count:
            raise ValueError(f"the result {name} is {value.dtype.name}{list(value.shape)} for {count} rows")
    return found


def _identity(path: str) -> str:
    """The sha256 of its archive, or of the info file, which names that of the other two."""
    prefix = path if os.path.isfile(path) or os.path.isfile(f"{path}.{INFO}") else path.rpartition(".")[0]
    digest = hashlib.sha256(path.removeprefix(prefix).encode())
    with open(path if os.path.isfile(path) else f"{prefix}.{INFO}", "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _draws(program: Any, path: str) -> bool:
    """Whether the entry of a Program draws random numbers. UsageError: a call changes what the next one gives."""
    from ...ir.effects import EffectAnalysis
    from ...ops.registry import OPERATORS

    analysis = EffectAnalysis(program, OPERATORS)
    effects = analysis.functions[next(iter(program.functions))]
    roots = {root for group in effects.writes for root in analysis.aliases.roots.get(group, ())}
    kept = sorted(str(root[1]) for root in roots if root[0] in ("param", "state"))
    if kept:
        raise UsageError(f"{path} changes {kept[0]} at each call, so its results depend on the order of calls: use run")
    return effects.random


def _ending(program: Any) -> str:
    from ...ir.types import TensorType

    types = next(iter(program.functions.values())).result_types
    return ".npy" if len(types) == 1 and isinstance(types[0], TensorType) else ".npz"


def _fixed_size(path: str, specs: Sequence[Any]) -> int | None:
    """The only number of rows that the model takes; None: any."""
    if not specs:
        raise UsageError(f"{path} has no inputs: use run")
    for spec in specs:
        if not getattr(spec, "shape", None):
            raise UsageError(f"{path}: the input {spec.name} has no rows; predict takes models whose inputs all have them")
    sizes = {spec.shape[0] for spec in specs} - {-1}
    if len(sizes) > 1:
        raise UsageError(f"{path}: the inputs have different numbers of rows: use run")
    return sizes.pop() if sizes else None
