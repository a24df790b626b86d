"""Random functions with tensors that do and don't want gradients: torch's autograd decides about flags, gradients, exceptions.

One program in two spellings. In torch's names it runs as plain Python, static and loaded; in Paddle's names eagerly, static and
loaded.
"""

from __future__ import annotations

import ast
import random
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from property.compare import FORM_SECONDS, Report, TooLong, is_refusal, limited, saved_and_loaded
from property.modules import forget, module_of
from training.random_gradients import GradientWriter

import dy2st as paddle
import dy2st.torch
from dy2st import jit
from dy2st.static import InputSpec

SHAPES = {"x": [None, 3], "w": [3, 3], "u": [3], "v": [3]}
SPECS = [InputSpec(shape, "float64", name) for name, shape in SHAPES.items()]
SPELLINGS = {
    "import dy2st as paddle": "import torch",
    r"paddle\.concat": "torch.cat",
    r"paddle\.autograd\.PyLayer": "torch.autograd.Function",
    r"saved_tensor\(\)": "saved_tensors",
    r"(softmax\(\w+, )axis": r"\1dim",
    r"\.transpose\(": ".permute(",
    r"(\w+)\.stop_gradient": r"(not \1.requires_grad)",
    'dtype="float64"': "dtype=torch.float64",
    r"paddle\.": "torch.",
}
LOADED_EVERY = 8
ROWS = (1, 3, 3)  # of the calls
LATE = "torch refuses a gradient after a late write, which dy2st computes"
VIEWS = "torch refuses to write or use a view, and Paddle doesn't: in Paddle's names"
OF_LOOPS = "torch refuses a view made under no_grad, or that a loop gives, whose base was written"
UNREAD = "torch refuses to write a view, though no result has a gradient"
VIEW_METHODS = ("reshape", "unsqueeze", "transpose", "unbind", "chunk", "split", "squeeze", "view_as", "flatten")
OVERWRITTEN = "dy2st refuses a gradient after a late write, which torch computes"
HANDED_ON = "dy2st refuses a gradient of a view of an argument that the call writes"
LEAF = "torch makes a leaf with a gradient of a view under no_grad"
ZEROS = "torch has zeros, dy2st None, where the None of a custom backward arrives at another custom function"
DIFFERENCES = (LATE, VIEWS, OF_LOOPS, UNREAD, LEAF, ZEROS)
# What torch says of views that it doesn't let write: of unbind and chunk, and of those that were made without gradients.
OF_VIEWS = ("output of a function that returns multiple views", "A view was created in no_grad mode")
TIGHT = {"rtol": 1e-7, "atol": 1e-9}


def written(seed: int) -> str:
    """The random function of a seed, in Paddle's names."""
    return GradientWriter(seed).text()


def in_torch(text: str) -> str:
    """The same function in torch's names."""
    for pattern, other in SPELLINGS.items():
        text = re.sub(pattern, other, text)
    return text


@dataclass
class Call:
    """Arguments of one call: arrays, which of them want gradients, and whether x has a history."""

    arrays: list[np.ndarray]
    wanted: list[bool]
    has_history: bool


@dataclass
class Outcome:
    """What one call did.

    tensors: of each in the result whether it wants a gradient, is a leaf, and its values; arguments: the same after the call.
    losses: the tensors of the result that gradients were taken of, by number; gradients: of each an array or None by source, or
    an Outcome that has the exception.
    """

    error: str = ""
    message: str = ""
    structure: Any = None
    tensors: list[tuple] = field(default_factory=list)
    arguments: list[tuple] = field(default_factory=list)
    losses: list[int] = field(default_factory=list)
    gradients: list[Any] = field(default_factory=list)
    classes: tuple[str, ...] = ()


class Refused(Exception):
    """dy2st says that it can't do the function."""


def calls_of(seed: int) -> list[Call]:
    """The calls to try, which take different paths. u and v are the same in all, since they may be parameters."""
    numbers = np.random.RandomState(seed)
    u, v = (numbers.uniform(-1, 1, 3) for _ in range(2))
    of_weights = [bool(x) for x in numbers.rand(2) < 0.7]
    made = []
    for n in ROWS:
        arrays = [numbers.uniform(-1, 1, (n, 3)), numbers.uniform(-1, 1, (3, 3)), u, v]
        made.append(Call(arrays, [*(bool(x) for x in numbers.rand(2) < 0.6), *of_weights], seed % 4 == 1))
    return made


class TorchNet(torch.nn.Module):
    """A function whose last two arguments are parameters."""

    def __init__(self, function: Callable, call: Call):
        super().__init__()
        self.function = function
        self.u, self.v = (torch.nn.Parameter(torch.tensor(a), wants) for a, wants in zip(call.arrays[2:], call.wanted[2:]))

    def forward(self, x, w):
        return self.function(x, w, self.u, self.v)


class OwnNet(paddle.nn.Layer):
    """The same in Paddle's names."""

    def __init__(self, function: Callable, call: Call):
        super().__init__()
        self.function = function
        self.u, self.v = (_own_parameter(self, a, wants) for a, wants in zip(call.arrays[2:], call.wanted[2:]))

    def forward(self, x, w):
        return self.function(x, w, self.u, self.v)


def _own_parameter(layer: Any, array: np.ndarray, wants: bool) -> Any:
    made = layer.create_parameter(array.shape, dtype="float64", default_initializer=paddle.nn.initializer.Assign(array))
    made.stop_gradient = not wants
    return made


def own_tensor(array: np.ndarray, wants: bool) -> Any:
    return paddle.to_tensor(array, stop_gradient=not wants)


def torch_tensor(array: np.ndarray, wants: bool) -> Any:
    return torch.tensor(array, requires_grad=wants)


def compare(text: str, seed: int) -> Report:
    """Run the program of a text in every form on the calls of a seed."""
    report = Report()
    modules = [module_of(in_torch(text)), module_of(in_torch(text)), module_of(text)]
    plain, converted, own = (module.f for module in modules)
    calls = calls_of(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = list(_outcomes(_called(plain, seed, calls[0], TorchNet), torch_tensor, calls, seed, None))
            report.expected = expected
            for name, outcomes in _forms(converted, own, seed, calls, expected):
                for k, (right, found) in enumerate(zip(expected, outcomes)):
                    known = _known(right, found, name) or _known_flags(text, right, found) or _known_zeros(text, right, found)
                    if known:
                        report.refusal = known
                        break
                    if words := difference(right, found):
                        report.difference = f"{name}, call {k}: {words}"
                        return report
    except Refused as refused:
        report.refusal = str(refused)
    except TooLong:
        report.refusal = "takes too long"
    finally:
        for module in modules:
            forget(module)
    return report


def _called(function: Callable, seed: int, call: Call, net: Any) -> tuple[Callable, list]:
    """What is called, and its parameters. In every other program, u and v are those of a module."""
    if seed // 4 % 2:
        return function, []
    made = net(function, call)
    return made, [made.u, made.v]


def _uses(function: Callable, *names: str) -> bool:
    """Whether it reads one of these attributes or global names."""
    return bool(set(names) & set(function.__code__.co_names))


def _forms(
    converted: Callable, own: Callable, seed: int, calls: list[Call], expected: list[Outcome]
) -> Iterator[tuple[str, Iterator]]:
    """The outcomes of each form, by its name."""
    run = lambda called, tensor: _outcomes(called, tensor, calls, seed, expected)  # noqa: E731
    function, parameters = _called(converted, seed, calls[0], TorchNet)
    specs = None if _uses(own, "stop_gradient") else SPECS[: 2 if parameters else 4]  # they fix the flags of arguments
    saves = specs and not _uses(own, "apply")  # no file holds a backward
    knows_flags = not specs
    static = dy2st.torch.to_static(function, None if knows_flags else specs)
    loaded = _loaded(static, calls[0] if parameters else None, expected) if saves and seed % LOADED_EVERY == 0 else None
    yield f"torch's names, static{' without an InputSpec' if knows_flags else ''}", run((static, parameters), torch_tensor)
    if loaded is not None:
        yield "torch's names, loaded", run(loaded, own_tensor)
    yield "Paddle's names, eager", run(_called(own, seed, calls[0], OwnNet), own_tensor)
    function, parameters = _called(own, seed, calls[0], OwnNet)
    static = jit.to_static(function, input_spec=specs)
    loaded = _loaded(static, calls[0] if parameters else None, expected) if saves and seed % LOADED_EVERY == 4 else None
    yield "Paddle's names, static", run((static, parameters), own_tensor)
    if loaded is not None:
        yield "Paddle's names, loaded", run(loaded, own_tensor)


def _loaded(static: Any, call: Call | None, expected: list[Outcome]) -> tuple[Callable, list] | None:
    """The saved and loaded form; None where every call raises, as saving may say. call: where u and v are parameters."""
    try:
        made = saved_and_loaded(static)
    except Exception as error:
        if is_refusal(error) and "every call of this function raises" not in str(error):
            raise Refused(f"{type(error).__name__}: {error}") from None
        if all(x.error for x in expected):
            return None
        raise
    if call is None:
        return made, []
    named = dict(made.named_parameters())  # only those that the Program needs
    others = map(own_tensor, call.arrays[2:], call.wanted[2:])
    return made, [named.get(name, x) for name, x in zip("uv", others)]


def _outcomes(
    called: tuple[Callable, list], tensor: Callable, calls: list[Call], seed: int, expected: list[Outcome] | None
) -> Iterator[Outcome]:
    """What each call does. expected: what torch did, where this isn't torch."""
    function, parameters = called
    for k, call in enumerate(calls):
        leaves = [tensor(a, wants) for a, wants in zip(call.arrays[: 2 if parameters else 4], call.wanted)]
        given = [leaves[0] * 1.0 if call.has_history else leaves[0], *leaves[1:]]
        with limited(FORM_SECONDS):
            right = None if expected is None else expected[k]
            yield _outcome(function, given, [*leaves, *parameters], random.Random(seed + k), right)


def _outcome(function: Callable, given: list, sources: list, draw: random.Random, expected: Outcome | None) -> Outcome:
    made = Outcome()
    found: list = []
    try:
        made.structure = _structure(function(*given), found)
        made.tensors = [_told(x) for x in found]
    except Exception as error:
        _raised(made, error)
        return made
    made.arguments = [_told(x) for x in (*given, *sources)]
    places = [k for k, x in enumerate(found) if x.requires_grad]
    made.losses = draw.sample(places, min(len(places), 3)) if expected is None else expected.losses
    for place in made.losses if expected is None or made.tensors == [] or all(p in places for p in made.losses) else []:
        made.gradients.append(_gradients(found[place], sources))
    return made


def _gradients(loss: Any, sources: list) -> Any:
    """The gradients of a loss by source, or the exception."""
    for x in sources:
        x.grad = None
    try:
        loss.sum().backward(retain_graph=True)
    except Exception as error:
        told = Outcome()
        _raised(told, error)
        return told
    return [None if x.grad is None else x.grad.numpy().copy() for x in sources]


def _raised(made: Outcome, error: Exception) -> None:
    """Note an exception. Refused: it says that dy2st can't do it."""
    if is_refusal(error):
        if "every call of this function raises" not in str(error):
            raise Refused(f"{type(error).__name__}: {error}") from None
    made.error, made.message = type(error).__name__, str(error)
    made.classes = tuple(cls.__name__ for cls in type(error).__mro__)


def _told(x: Any) -> tuple:
    return x.requires_grad, x.is_leaf, x.detach().numpy().copy()


def _structure(value: Any, found: list) -> Any:
    """The structure of a result, whose tensors are put into `found`."""
    if isinstance(value, torch.Tensor | paddle.Tensor) and "float" in str(value.dtype):
        found.append(value)
        return "tensor"
    if isinstance(value, dict):
        return {key: _structure(x, found) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, *(_structure(x, found) for x in value)]
    return bool(value)


def difference(right: Outcome, found: Outcome) -> str:
    """How an outcome differs from torch's; "" where it doesn't."""
    if right.error or found.error:
        if right.error in found.classes or right.error == found.error:
            return ""
        return f"raises {found.error or 'nothing'} ({found.message}), torch {right.error or 'nothing'} ({right.message})"
    if right.structure != found.structure:
        return f"the result is {found.structure}, torch's {right.structure}"
    for what, theirs, ours in (("result", right.tensors, found.tensors), ("arguments", right.arguments, found.arguments)):
        for k, (a, b) in enumerate(zip(theirs, ours, strict=True)):
            if not _close(a[2], b[2]):
                return f"{what} {k} is {b[2]}, torch's {a[2]}"
        if [x[:2] for x in theirs] != [x[:2] for x in ours]:
            return f"{what}: requires_grad and is_leaf are {[x[:2] for x in ours]}, torch's {[x[:2] for x in theirs]}"
    for place, theirs, ours in zip(right.losses, right.gradients, found.gradients, strict=True):
        if words := _difference_of_gradients(theirs, ours):
            return f"gradients of tensor {place}: {words}"
    return ""


def _difference_of_gradients(theirs: Any, ours: Any) -> str:
    if isinstance(theirs, Outcome):
        return difference(theirs, ours if isinstance(ours, Outcome) else Outcome())
    if isinstance(ours, Outcome):
        return f"raises {ours.error} ({ours.message})"
    for name, a, b in zip("xwuv", theirs, ours, strict=True):
        if (a is None) != (b is None) or a is not None and not _close(a, b):
            return f"that of {name} is {b}, torch's {a}"
    return ""


def _close(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and np.allclose(a, b, equal_nan=True, **TIGHT)


def _known(right: Outcome, found: Outcome, form: str) -> str:
    """The known reason why torch refuses what dy2st computes, or the other way round; "" where there is none."""
    for theirs, ours in ((right, found), *zip(right.gradients, found.gradients)):
        refuses, is_refused = (isinstance(x, Outcome) and bool(x.error) for x in (theirs, ours))
        if refuses and not is_refused:
            if "modified by an inplace operation" in theirs.message:
                return LATE
            if any(words in theirs.message for words in OF_VIEWS):
                if form.startswith("Paddle"):
                    return VIEWS
                if "its base or another view" in theirs.message:
                    return OF_LOOPS
                return "" if isinstance(ours, Outcome) and ours.losses else UNREAD
        if is_refused and not refuses:
            if "OverwrittenError" in ours.classes:
                return OVERWRITTEN
            if "an argument of a static function was changed in place" in ours.message:
                return HANDED_ON
    return ""


def _known_flags(text: str, right: Outcome, found: Outcome) -> str:
    """The known reason why flags of results differ; "" where there is none."""
    flags = {(a[:2], b[:2]) for a, b in zip(right.tensors, found.tensors) if a[:2] != b[:2]}
    lost = {((True, True), (False, True)), ((True, False), (False, True))}  # of the view, and of tensors that are computed of it
    return LEAF if flags and flags <= lost and _views_without_gradient(text) else ""


def _views_without_gradient(text: str) -> bool:
    """Whether a tensor is viewed in a `with no_grad()` or `set_grad_enabled(...)`."""
    blocks = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.With) and "grad" in ast.unparse(node.items[0])]
    inner = [part for block in blocks for statement in block.body for part in ast.walk(statement)]
    return any(
        isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) or getattr(part, "attr", "") in VIEW_METHODS
        for part in inner
    )


def _known_zeros(text: str, right: Outcome, found: Outcome) -> str:
    """The known reason why gradients are None, not zeros; "" where there is none."""
    repeats = text.count(".apply(") > 1 or "for i in" in text or "while " in text
    if "Partly.apply" not in text or not repeats or len(right.gradients) != len(found.gradients):
        return ""
    differing = [
        (a, b)
        for theirs, ours in zip(right.gradients, found.gradients)
        if isinstance(theirs, list) and isinstance(ours, list)
        for a, b in zip(theirs, ours)
        if (a is None) != (b is None)
    ]
    return ZEROS if differing and all(b is None and not a.any() for a, b in differing) else ""
