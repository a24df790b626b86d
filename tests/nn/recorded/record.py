"""Writes down what real Paddle gives for all cases: `PYTHONPATH=. python -m tests.nn.recorded.record [family ...]`."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np

from .case import network, run

FAMILIES = (
    "activations", "attention", "convolutions", "losses", "normalisations", "poolings", "recurrent", "vision",
)  # fmt: skip
FOLDER = Path(__file__).parent


def cases(family: str) -> dict:
    return import_module(f"{__package__}.{family}").CASES


def recorded(family: str) -> dict[str, dict[str, np.ndarray]]:
    """What Paddle gave, by case."""
    with np.load(FOLDER / f"{family}.npz") as file:
        found: dict[str, dict[str, np.ndarray]] = {}
        for key in file.files:
            case, _, what = key.partition("|")
            found.setdefault(case, {})[what] = file[key]
    return found


def record(family: str) -> None:
    import paddle

    found = {}
    for name, case in cases(family).items():
        try:
            result = run(paddle, network(paddle, case), case)
        except Exception as error:
            raise RuntimeError(f"Paddle can't run {name}") from error
        found.update({f"{name}|{what}": values for what, values in result.items()})
    np.savez_compressed(FOLDER / f"{family}.npz", **found)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for family in sys.argv[1:] or FAMILIES:
        record(family)
