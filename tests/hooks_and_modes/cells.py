"""The cells of the grid of hooks and modes: what is done to a module, to which one, its mode, and what runs it."""

from __future__ import annotations

import importlib
import itertools
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dy2st
from dy2st import jit
from dy2st.errors import Dy2stError, InternalError

LIBRARIES = ("torch", "layers")
PLACES = ("root", "child", "child, its forward")
MODES = ("train", "eval", "parts in both")
ENGINES = {  # with the modes that a module is in at first: most switch it afterwards
    "static": ("train", "parts in both"),
    "changed after a call": ("train",),
    "loaded": MODES,
    "saved again": ("eval", "parts in both"),
    "onnxruntime": ("train", "eval"),
    "jax": ("train", "eval"),
}
OF_FORWARD = ("__call__", "_call_impl", "forward on the instance", "pre hook: a value", "hook: None by path")
INPUTS = ([[1.0, 2.0, 3.0], [0.5, 0.25, 4.0]], [[-1.0, -2.0, -9.0], [-0.5, 0.25, -3.0]])


class Cell(NamedTuple):
    """One cell. does: a key of the library's CLASSES or CHANGES."""

    library: str
    does: str
    where: str
    mode: str
    engine: str

    def __str__(self) -> str:
        return " / ".join(self)


class Refused(Exception):
    """A refusal in words."""


def does_of(library: str) -> tuple[str, ...]:
    """What is done to modules of a library."""
    return importlib.import_module(f"{__package__}.of_{library}").DOES


def cells(libraries: tuple[str, ...] = LIBRARIES) -> Iterator[Cell]:
    """All cells of some libraries."""
    for library in libraries:
        for does, where, mode, engine in itertools.product(does_of(library), PLACES, MODES, ENGINES):
            if mode in ENGINES[engine] and (where != PLACES[-1] or does in OF_FORWARD):
                yield Cell(library, does, where, mode, engine)


class Pair:
    """A module twice: what plain code does with one, a Program does with the other."""

    def __init__(self, cell: Cell):
        self.of = importlib.import_module(f"{__package__}.of_{cell.library}")
        self.cell, self.bodies = cell, [self.of.body(cell.does) for _ in range(2)]
        self.plain, self.given = (self.of.in_place(body, cell.where) for body in self.bodies)
        for body, module in zip(self.bodies, (self.plain, self.given)):
            module.eval() if cell.mode == "eval" else module.train()
            if cell.mode == "parts in both":
                body.norm.eval()

    def change(self) -> None:
        """Do to both what the cell does."""
        for body in self.bodies:
            self.of.change(self.cell.does, body)


def result_of(cell: Cell, folder: Path) -> str:
    """`equal`, `refused: ...`, or `WRONG: ...`."""
    pair = Pair(cell)
    with pair.of.alone(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if cell.engine != "changed after a call":
            pair.change()
        try:
            WAYS[cell.engine](pair, folder)
        except Refused as refusal:
            return f"refused: {refusal}"
        except Exception as error:
            return f"WRONG: {type(error).__name__}: {error}"
    return "equal"


def _answer(call: Callable, *args: Any) -> Any:
    """What a call gives, or the class and text of what it raises."""
    try:
        return call(*args)
    except Dy2stError as error:
        _refuse(error)
    except Exception as error:
        if type(error) in (ValueError, ZeroDivisionError):
            return type(error), str(error)
        raise
    return None


def _refuse(error: Exception) -> None:
    if isinstance(error, InternalError) or not str(error):
        raise error
    raise Refused(f"{type(error).__name__}: {error}") from error


def _made(make: Callable, *args: Any) -> Any:
    try:
        return make(*args)
    except Dy2stError as error:
        _refuse(error)


def _compare(found: Any, expected: Any, what: str) -> None:
    if isinstance(found, tuple) or isinstance(expected, tuple):
        assert isinstance(found, tuple) and isinstance(expected, tuple) and found == expected, f"{what}: {found} for {expected}"
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=what)


def _calls(pair: Pair, call: Callable, what: str) -> None:
    for x in INPUTS:
        _compare(_answer(call, x), _answer(pair.of.plain, pair.plain, x), f"{what}, {x[0]}")


SWITCHES = ("", "eval", "train", "eval")


def _switched(pair: Pair, made: Any, call: Callable) -> None:
    """As it is, and after each switch of both."""
    for switch in SWITCHES:
        if switch:
            getattr(pair.plain, switch)(), getattr(made, switch)()
        assert made.training is pair.plain.training
        _calls(pair, call, f"after {switch or 'nothing'}")


def _static(pair: Pair, folder: Path) -> None:
    net = _made(pair.of.static, pair.given)
    _switched(pair, net, lambda x: pair.of.plain(net, x))


def _changed(pair: Pair, folder: Path) -> None:
    net = _made(pair.of.static, pair.given)
    _calls(pair, lambda x: pair.of.plain(net, x), "before")
    pair.change()
    _switched(pair, net, lambda x: pair.of.plain(net, x))


def _array_call(model: Any) -> Callable:
    return lambda x: model(dy2st.to_tensor(np.asarray(x, "float32"))).numpy()


def _loaded_model(pair: Pair, folder: Path) -> Any:
    net = _made(pair.of.static, pair.given)
    _made(jit.save, net, folder / "net")
    return jit.load(folder / "net")


def _loaded(pair: Pair, folder: Path) -> None:
    model = _loaded_model(pair, folder)
    _switched(pair, model, _array_call(model))


def _saved_again(pair: Pair, folder: Path) -> None:
    """Switched, saved and loaded once more."""
    model = _loaded_model(pair, folder)
    for switch in SWITCHES:
        if switch:
            getattr(pair.plain, switch)(), getattr(model, switch)()
        _made(jit.save, model, folder / "again")
        model = jit.load(folder / "again")
        assert model.training is pair.plain.training
        _calls(pair, _array_call(model), f"after {switch or 'nothing'}")


def _onnx(pair: Pair, folder: Path) -> None:
    from dy2st.onnx import Session, export

    net = _made(pair.of.static, pair.given)
    session = Session(_made(export, net, folder / "net.onnx"))
    _calls(pair, _array_call(session), "in onnxruntime")


def _jax(pair: Pair, folder: Path) -> None:
    from dy2st import jax

    net = _made(pair.of.static, pair.given)
    function, state = _made(jax.function, net)

    def call(x: list) -> Any:
        nonlocal state
        result, new, status = function(state, np.asarray(x, "float32"))
        state = {**state, **new}
        status.throw()
        return np.asarray(result)

    _calls(pair, call, "in JAX")


WAYS: dict[str, Callable[[Pair, Path], None]] = {
    "static": _static, "changed after a call": _changed, "loaded": _loaded, "saved again": _saved_again,
    "onnxruntime": _onnx, "jax": _jax,
}  # fmt: skip


def reason(text: str) -> str:
    """A refusal without what differs from cell to cell."""
    text = re.sub(r"\S+\.py:\d+: ", "", text).partition("\n")[0]
    return re.split(r"; | \(", text)[0][:160]
