"""Whole models with random weights: by torch, as a Program, loaded where no torch is, and in ONNX Runtime.

python tests/from_torch/models.py [parts of names...]

Each model is converted for batches of any size, and compared at two sizes unlike the example's.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.zoo import Case, cases

import dy2st
import dy2st.onnx
import dy2st.torch
from dy2st.static import InputSpec
from dy2st.torch.values import leaves

BATCHES = (2, 3)
ALONE = """
import sys; sys.modules["torch"] = None
import numpy, dy2st
def flat(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [x for part in value for x in flat(part)] if isinstance(value, list | tuple) else [] if value is None else [value]
net = dy2st.jit.load(sys.argv[1])
for number in range(int(sys.argv[2])):
    given = numpy.load(f"{sys.argv[1]}.in{number}.npz")
    found = net(**{name: dy2st.to_tensor(given[name]) for name in given.files})
    numpy.savez(f"{sys.argv[1]}.out{number}.npz", *[x.numpy() for x in flat(found)])
"""


class Outcome(NamedTuple):
    """How far a model came: "right", or the step that failed and why."""

    step: str
    words: str
    seconds: float


def outcome(case: Case) -> Outcome:
    """One model in all its forms."""
    start, step = time.perf_counter(), "build"
    try:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for step, check in steps(case, Path(folder)):
                check()
    except Exception as error:
        if "--trace" in sys.argv:
            traceback.print_exc()
        return Outcome(step, f"{type(error).__name__}: {str(error).splitlines()[0][:400]}", time.perf_counter() - start)
    return Outcome("right", "", time.perf_counter() - start)


def steps(case: Case, folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """The steps, each of which raises where the model isn't right in that form."""
    torch.manual_seed(0)
    module = case.build().eval()
    given = [case.inputs(batch) for batch in BATCHES]
    with torch.no_grad():
        expected = [arrays(module(**x)) for x in given]
    specs = {name: InputSpec([None, *x.shape[1:]], str(x.dtype)[6:], name) for name, x in given[0].items()}
    net = dy2st.torch.to_static(module, specs)
    yield "static", partial(_static, net, given, expected)
    yield "saved", partial(_alone, net, given, expected, folder / "net")
    yield "onnx", partial(_onnx, net, given, expected, folder / "net.onnx")


def arrays(result: Any) -> list[np.ndarray]:
    """The tensors in a result."""
    if hasattr(result, "to_tuple"):
        result = result.to_tuple()
    return [x.detach().numpy() for x in leaves(result) if isinstance(x, torch.Tensor)]


def _static(net: Any, given: list, expected: list) -> None:
    with torch.no_grad():
        for x, right in zip(given, expected):
            compare(arrays(net(**x)), right)


def _alone(net: Any, given: list, expected: list, path: Path) -> None:
    dy2st.jit.save(net, str(path))
    for number, x in enumerate(given):
        np.savez(f"{path}.in{number}.npz", **{name: a.numpy() for name, a in x.items()})
    ran = subprocess.run([sys.executable, "-c", ALONE, str(path), str(len(given))], capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip().splitlines()[-1])
    for number, right in enumerate(expected):
        with np.load(f"{path}.out{number}.npz") as found:
            compare([found[f"arr_{k}"] for k in range(len(found.files))], right)


def _onnx(net: Any, given: list, expected: list, path: Path) -> None:
    import onnxruntime

    dy2st.onnx.export(net, str(path))
    session = onnxruntime.InferenceSession(str(path))
    for x, right in zip(given, expected):
        found = session.run(None, {name: a.numpy() for name, a in x.items()})
        for one in right:  # an output object of transformers has each tensor as an item and as an attribute
            compare([min((y for y in found if y.shape == one.shape), key=lambda y: np.abs(y - one).max(initial=0))], [one])


def compare(found: list[np.ndarray], right: list[np.ndarray]) -> None:
    """AssertionError: results differ."""
    assert len(found) == len(right), f"{len(found)} tensors, not {len(right)}"
    for mine, theirs in zip(found, right):
        assert mine.shape == theirs.shape, f"{mine.shape}, not {theirs.shape}"
        scale = max(1.0, float(np.abs(theirs).max(initial=0)))
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4 * scale)


def main(parts: list[str]) -> None:
    """Print a line for each model, and the totals."""
    count = right = 0
    for case in cases(parts):
        found = outcome(case)
        count, right = count + 1, right + (found.step == "right")
        print(f"{case.name}: {found.step} {found.words} ({found.seconds:.1f} s)", flush=True)
    print(f"{right} of {count} right")


if __name__ == "__main__":
    main([part for part in sys.argv[1:] if not part.startswith("--")])
