"""Classes and functions of torch's in C, called with a tensor: by torch and while staging, each in a process of its own.

python tests/from_torch/constructors.py [--part PART] [--write]

--part: of the names; then it only prints. --write: into `docs/grids.md`. A call that ends the process is wrong, unless it ends
torch's, too. The calls are those of converted code, and of code that isn't.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import warnings
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import torch
from support.sections import cell, write_section

import dy2st.torch
from dy2st.errors import Dy2stError
from dy2st.torch.calls import is_mapped

COMMAND = "python tests/from_torch/constructors.py --write"
SECONDS = 20  # of one call
# They set the process up or end it, change a mode of it, wait for somebody, say where in memory something is, or ask by which
# mechanism code that isn't converted is followed.
_OTHERS = re.compile(
    r"_crash|_init|abort|_set_|^set_|_rename|_register|_start|_stop|_enter|_exit|hash|address|ptr|_id$|fork|seed|_push|_pop|isable|"
    r"set[A-Z]|pids|pickle|has_torch_function|"
    r"Guard|[mM]ode|autocast|tracing|_log_api|_WeakTensorRef"  # the last one reads whatever it is given
)
_TOGETHER = 20  # calls that a process tries
NAMESPACES = {
    "torch": torch, "torch._C": torch._C, "torch._C._nn": torch._C._nn, "torch._C._functorch": torch._C._functorch,
    "torch._C._autograd": torch._C._autograd, "torch.autograd": torch.autograd, "torch.nn": torch.nn,
}  # fmt: skip


class Outcome(NamedTuple):
    """What became of a call: "equal", "raises" as torch does, "refused", "wrong"; "skipped": torch itself ends. And the words."""

    kind: str
    words: str


def constructors() -> dict[str, Callable]:
    """By their names: classes and functions of C that torch has, and methods of its tensors that make tensors.

    Functions with a row are left out: the database of operators has samples of them.
    """
    found: dict[str, Callable] = {}
    for space, owner in NAMESPACES.items():
        for name in dir(owner):
            value = getattr(owner, name)
            is_class = isinstance(value, type) and not issubclass(value, BaseException | torch.nn.Module) and _is_of_c(value)
            is_function = type(value) is type(len) and not is_mapped(value)
            if (is_class or is_function) and not _OTHERS.search(name):
                found.setdefault(f"{space}.{name}", value)
    for name in dir(torch.Tensor):
        if isinstance(vars(torch.Tensor).get(name), classmethod | staticmethod) or name in ("new", "new_tensor", "as_subclass"):
            found[f"torch.Tensor.{name}"] = getattr(torch.Tensor, name)
    found["torch.Tensor._make_subclass"] = torch.Tensor._make_subclass
    found["torch.Tensor._make_wrapper_subclass"] = torch.Tensor._make_wrapper_subclass
    return found


def _is_of_c(cls: type) -> bool:
    """Whether code of C makes the objects of a class, which are tensors or hold some."""
    return issubclass(cls, torch._C.TensorBase) or not (cls.__flags__ >> 9) & 1 or type(cls) is not type


class Own(torch.Tensor):
    """A class of tensors of the user's."""


CALLS: dict[str, Callable] = {
    "type(x)(x)": lambda x: type(x)(x),
    "Own(x)": lambda x: Own(x),
    "torch.Tensor([x, x])": lambda x: torch.Tensor([x[0], x[1]]),
    "torch.tensor([x, x])": lambda x: torch.tensor([x[0], x[1]]),
    "x.new(2, 3)": lambda x: x.new(2, 3).shape,
    "torch.Tensor(x.shape)": lambda x: torch.Tensor(x.shape).shape,
    "x.new([1.0])": lambda x: x.new([1.0]),
    "x.new(x.shape)": lambda x: x.new(x.shape).shape,
    "torch.Size([n, 2])": lambda x: torch.Size([x.shape[0], 2]),
    "make_subclass(cls, x)": lambda x: torch.Tensor._make_subclass(torch.Tensor, x),
    "make_wrapper_subclass": lambda x: torch.Tensor._make_wrapper_subclass(Own, x.shape),
    "x.as_subclass(torch.Tensor)": lambda x: x.as_subclass(torch.Tensor),
    "x.as_subclass(Own)": lambda x: x.as_subclass(Own),
    "torch.from_numpy(x.numpy())": lambda x: torch.from_numpy(x.numpy()),
    "torch.from_numpy(array)": lambda x: torch.from_numpy(np.ones(2)) + x,
    "torch.frombuffer": lambda x: torch.frombuffer(x, dtype=torch.float32),
    "x.untyped_storage()": lambda x: x.untyped_storage(),
    "torch.TypedStorage(x)": lambda x: torch.TypedStorage(x),
    "torch.nn.Parameter(x)": lambda x: torch.nn.Parameter(x),
    "torch.nn.Buffer(x)": lambda x: torch.nn.Buffer(x),
    "torch.Tensor.__new__": lambda x: torch.Tensor.__new__(torch.Tensor, x),
    "torch.utils.dlpack": lambda x: torch.utils.dlpack.from_dlpack(x),
}
# In code that isn't converted, C calls a class that looks at its argument, and no instruction of Python's names it.
_CONVERTED_ONLY = {
    "map(torch.Tensor, [x])": lambda x: list(map(torch.Tensor, [x])),
}
NAMES = [*CALLS, *constructors()]
CALLS.update(_CONVERTED_ONLY)
# Python itself refuses self, a placeholder, for a method of C.
CASES = [("converted", name) for name in (*_CONVERTED_ONLY, *NAMES)]
CASES += [("as it is", name) for name in NAMES if name != "torch.Tensor.new"]


def function_of(way: str, name: str) -> Callable:
    """The call, as a function of a tensor."""
    if name in CALLS:
        called = CALLS[name]
    else:
        maker = constructors()[name]
        called = lambda x: maker(x)  # noqa: E731
    if way == "converted":
        return called
    unconverted = dy2st.jit.not_to_static(called)
    return lambda x: unconverted(x)


def outcomes(cases: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], Outcome]]:
    """What became of calls: a process tries some, one after the other, and another one goes on where it ends."""
    rest = cases
    while rest:
        tried = 0
        for kind, found in _apart(rest[:_TOGETHER]):
            if kind == "outcome":
                yield rest[tried], found
                tried += 1
            last = kind
        if tried < len(rest[:_TOGETHER]):
            yield rest[tried], _ENDS[last]
            tried += 1
        rest = rest[tried:]


_ENDS = {"torch": Outcome("skipped", "torch itself ends the process, or waits"), "ours": Outcome("wrong", "ends the process")}


def _tried(case: tuple[str, str], tell: Callable[[str, Any], None]) -> None:
    """One call, by torch and while staging."""
    signal.alarm(SECONDS)
    tell("torch", None)
    theirs = _result(function_of("converted", case[1]))
    tell("ours", None)
    tell("outcome", _compared(_result(dy2st.torch.to_static(function_of(*case))), theirs))


def _compared(ours: tuple, theirs: tuple) -> Outcome:
    kind, words = ours[:2]
    if kind == "refused":
        return Outcome("refused", words) if re.match(r"\S+\.py:\d+: ", words) else Outcome("wrong", f"no line: {words}")
    if ours == theirs:
        return Outcome("equal", "")
    if theirs[0] == kind == "raised":
        return Outcome("raises", "") if ours[2] == theirs[2] else Outcome("wrong", f"{words}, not {theirs[1]}")
    return Outcome("wrong", f"{words}, not {theirs[1]}")


def _result(function: Callable) -> tuple:
    """What a call gives, in a form that can be held against another: its values, or the class of what it raises."""
    torch.manual_seed(0)
    try:
        found = function(torch.tensor([1.0, 2.0]))
    except Dy2stError as error:
        return "refused", str(error)
    except Exception as error:
        return "raised", f"{type(error).__name__}: {error}"[:150], type(error).__name__
    if isinstance(found, torch.Tensor):
        return "gave", repr(found), str(found.dtype)
    if hasattr(type(found), "n_sequence_fields"):  # torch.return_types, of another class here
        found = tuple(found)
    is_plain = isinstance(found, bool | int | float | str | tuple | list)
    return "gave", f"{type(found).__name__} {found!r}" if is_plain else type(found).__name__


def _apart(cases: list[tuple[str, str]]) -> Iterator[tuple[str, Any]]:
    """What a process of its own tells, which tries the cases until it ends."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        with open(os.devnull, "w") as nothing, os.fdopen(write, "wb") as pipe:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            warnings.simplefilter("ignore")

            def tell(kind: str, found: Any) -> None:
                pickle.dump((kind, found), pipe)
                pipe.flush()

            for case in cases:
                _tried(case, tell)
            pipe.flush()
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        while True:
            try:
                yield pickle.load(pipe)
            except EOFError:
                break
    os.waitpid(child, 0)


def main(part: str, is_written: bool) -> None:
    """Try all, print what is wrong, and write the counts."""
    torch.set_num_threads(1)
    dy2st.torch.to_static(lambda x: x + 1)(torch.ones(2))  # what is imported once is imported before the processes part
    counts: dict[str, Counter] = {"converted": Counter(), "as it is": Counter()}
    for (way, name), found in outcomes([case for case in CASES if part in case[1]]):
        counts[way][found.kind] += 1
        if found.kind == "wrong" or part:
            print(way, name, found, flush=True)
    print(counts)
    if is_written:
        write_section("grids.md", COMMAND, _table(counts))


def _table(counts: dict[str, Counter]) -> str:
    kinds = ("equal", "raises", "refused", "wrong")
    lines = ["| the call is in | calls | equal | raises as PyTorch | refused | wrong |", "|---|---|---|---|---|---|"]
    named = {"converted": "converted code", "as it is": "code that isn't converted"}
    for way, found in counts.items():
        numbers = " | ".join(f"{found[kind]:,}" for kind in kinds)
        lines.append(f"| {cell(named[way])} | {sum(found[kind] for kind in kinds):,} | {numbers} |")
    left = sum(found["skipped"] for found in counts.values())
    return "\n".join([*lines, "", f"Left out: {left} calls that end the process of PyTorch itself, or wait for another."])


if __name__ == "__main__":
    given = ArgumentParser()
    given.add_argument("--part", default="")
    given.add_argument("--write", action="store_true")
    options = given.parse_args()
    main(options.part, options.write)
