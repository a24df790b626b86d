"""A whole model in all its forms: as a Program, loaded where no torch is, and in ONNX Runtime, each against torch."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

import dy2st
import dy2st.onnx
import dy2st.torch
from dy2st.static import InputSpec
from dy2st.torch.values import leaves, mapped

from .zoo import Case

FORMS = ("static", "saved", "onnx")
SIZES = (2, 3)
DRAWS = 30
ALONE = """
import sys; sys.modules["torch"] = None
import pickle, numpy, dy2st
def flat(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [x for part in value for x in flat(part)] if isinstance(value, list | tuple) else [] if value is None else [value]
def tensors(value):
    return [tensors(x) for x in value] if isinstance(value, list) else dy2st.to_tensor(value)
net = dy2st.jit.load(sys.argv[1], backend=sys.argv[4])
with open(sys.argv[2], "rb") as file:
    given = pickle.load(file)
found = [[x.numpy() for x in flat(net(**{name: tensors(value) for name, value in x.items()}))] for x in given]
with open(sys.argv[3], "wb") as file:
    pickle.dump(found, file)
"""


def checks(case: Case, folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each form's name, and what raises where the model isn't right in it."""
    net, given, expected = _static_model(case)
    yield "static", partial(_static, net, given, expected)
    yield "saved", partial(_alone, net, given, expected, folder)
    yield "onnx", partial(_onnx, net, given, expected, folder / "net.onnx")


def by_engine(case: Case, folder: Path, backend: str) -> None:
    """Hold a model that an engine runs, without torch, against torch. RuntimeError: the engine doesn't take it."""
    _alone(*_static_model(case), folder, backend)


def _static_model(case: Case) -> tuple[Any, Sequence, Sequence]:
    """The model, inputs of two sizes, and torch's results. A length that differs between the sizes is open in the Program."""
    torch.manual_seed(0)
    module = case.build().eval()
    with torch.no_grad():
        given, expected = zip(*(_settled(module, partial(case.inputs, size)) for size in SIZES))
    return dy2st.torch.to_static(module, _specs(*given)), given, expected


def _settled(module: torch.nn.Module, draw: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Inputs and torch's result of them, drawn again where a change as small as rounding moves the result.

    Such are two boxes or places of a heat map that are equally good: torch takes another one with another number of threads.
    """
    start = torch.get_rng_state()
    for size, changes in (4e-7, 5), (2e-7, 3):  # the second for models that move with nearly any change, such as RetinaNet
        torch.set_rng_state(start)
        for _ in range(DRAWS):
            given = draw()
            expected = arrays(module(**given))
            if all(_is_near(arrays(module(**mapped(_moved(seed, size), given))), expected) for seed in range(changes)):
                return given, expected
    raise AssertionError(f"torch's own result is another one where {DRAWS} inputs are changed as little as by rounding")


def _moved(seed: int, size: float) -> Callable[[Any], Any]:
    """What changes each number of a tensor a little, as a few roundings do."""
    drawn = torch.Generator().manual_seed(seed)
    return lambda x: x + size * torch.randn(x.shape, generator=drawn) if x.is_floating_point() else x


def tried(case: Case, folder: Path, say: Callable[[str, str], None]) -> None:
    """Tell each form of a model with "right", or with the reason why it isn't; the others aren't tried where it isn't static."""
    form = "built"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for form, check in checks(case, folder):
                words = _words(check)
                say(form, words)
                if form == "static" and words != "right":
                    break
        except Exception as error:  # torch's own call fails
            say(form, _told(error))


def _words(check: Callable[[], None]) -> str:
    try:
        check()
    except Exception as error:
        if "--trace" in sys.argv:
            traceback.print_exc()
        return _told(error)
    return "right"


def _told(error: Exception) -> str:
    lines = re.sub(r"\S*/site-packages/", "", str(error)).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:400]}"


def arrays(result: Any) -> list[np.ndarray]:
    """The tensors in a result."""
    if hasattr(result, "to_tuple"):
        result = result.to_tuple()
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, list | tuple):
        return [x for part in result for x in arrays(part)]
    return [result.detach().numpy()] if isinstance(result, torch.Tensor) else []


def _specs(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The InputSpecs of arguments, of which two samples are given."""
    pairs = iter(zip(leaves(one), leaves(other), strict=True))

    def spec(_: Any) -> InputSpec:
        a, b = next(pairs)
        return InputSpec([n if n == m else None for n, m in zip(a.shape, b.shape)], str(a.dtype).removeprefix("torch."))

    return mapped(spec, one)


def _static(net: Any, given: Sequence, expected: Sequence) -> None:
    with torch.no_grad():
        for x, right in zip(given, expected):
            compare(arrays(net(**x)), right)


def _alone(net: Any, given: Sequence, expected: Sequence, folder: Path, backend: str = "numpy") -> None:
    path, sent, got = (str(folder / name) for name in ("net", "sent", "got"))
    dy2st.jit.save(net, path)
    Path(sent).write_bytes(pickle.dumps([mapped(lambda x: x.numpy(), x) for x in given]))
    ran = subprocess.run([sys.executable, "-c", ALONE, path, sent, got, backend], capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip().splitlines()[-1])
    for found, right in zip(pickle.loads(Path(got).read_bytes()), expected):
        compare(found, right)


def _onnx(net: Any, given: Sequence, expected: Sequence, path: Path) -> None:
    import onnxruntime

    dy2st.onnx.export(net, str(path))
    session = onnxruntime.InferenceSession(str(path))
    names = [x.name for x in session.get_outputs()]
    for x, right in zip(given, expected):
        found = dict(zip(names, session.run(None, _feeds(session, x))))
        assert not found.pop("error", 0), "an error is told where torch has none"
        outputs = [y for part in found.values() for y in (part if isinstance(part, list) else [part])]
        for one in right:  # an output object of transformers has each tensor as an item and as an attribute
            alike = [y for y in outputs if y.shape == one.shape]
            assert alike, f"no output has the shape {one.shape}"
            compare([min(alike, key=lambda y: np.abs(y * 1.0 - one).max(initial=0))], [one])


def _feeds(session: Any, given: dict[str, Any]) -> dict[str, np.ndarray]:
    """The inputs of a session: an argument by its name, items of a list in their order."""
    names = [x.name for x in session.get_inputs()]
    found = {name: value.numpy() for name, value in given.items() if isinstance(value, torch.Tensor)}
    others = [x.numpy() for name, value in given.items() if name not in found for x in value]
    return found | dict(zip([name for name in names if name not in found], others))


def compare(found: list[np.ndarray], right: list[np.ndarray]) -> None:
    """AssertionError: results differ."""
    assert len(found) == len(right), f"{len(found)} tensors, not {len(right)}"
    for mine, theirs in zip(found, right):
        assert mine.shape == theirs.shape, f"{mine.shape}, not {theirs.shape}"
        scale = max(1.0, float(np.abs(theirs).max(initial=0)))
        assert np.allclose(mine, theirs, rtol=1e-4, atol=1e-4 * scale, equal_nan=True), _difference(mine, theirs)


def _is_near(found: list[np.ndarray], right: list[np.ndarray]) -> bool:
    try:
        compare(found, right)
    except AssertionError:
        return False
    return True


def _difference(mine: np.ndarray, theirs: np.ndarray) -> str:
    return f"{np.abs(mine * 1.0 - theirs).max()} away from torch's numbers, which are up to {np.abs(theirs).max()}"
