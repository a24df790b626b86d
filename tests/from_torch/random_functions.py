"""Random functions on tensors of torch: as plain Python, static, and saved and loaded where no torch is needed.

What a call gives is compared with the class of each number and the dtype of each tensor, with which containers are one object,
what is printed, and what it leaves of its arguments and of the module's state. A loaded function gives tensors of dy2st: values.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from property import compare as of_values
from property.compare import FORM_SECONDS, PLAIN_SECONDS, TOO_LONG, Report, TooLong, limited, raised
from property.generate import write_module
from property.modules import CALLS, STATE, forget, module_of, specs

import dy2st.torch
from dy2st import jit
from dy2st.errors import ConversionError, StagedValueError

REFUSED = (ConversionError, StagedValueError)
OURS = "import dy2st\nfrom dy2st import to_tensor\n"
THEIRS = "import torch as dy2st\nfrom torch import tensor as to_tensor\n"


def written(seed: int) -> str:
    """The text of a random module that computes with torch."""
    text = write_module(seed)
    assert OURS in text
    return text.replace(OURS, THEIRS)


def compare(text: str) -> Report:
    """Run one module in every form on each of CALLS."""
    plain, static = module_of(text), module_of(text)
    report = Report()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with limited(PLAIN_SECONDS):
                expected = [observed(plain.f, call, plain) for call in CALLS]
            _compare_forms(static, report, expected, any(name in text[text.index("def f(") :] for name in STATE))
    except TooLong:
        report.refusal = TOO_LONG
    finally:
        forget(plain)
        forget(static)
    return report


def _compare_forms(module: Any, report: Report, expected: list[tuple], has_state: bool) -> None:
    function = dy2st.torch.to_static(module.f, specs())
    try:
        function.concrete_program  # noqa: B018 - staged here
    except REFUSED as error:
        report.refusal = f"{type(error).__name__}: {error}"
        return
    except Exception as error:
        if not all(raised(error) == result for result, *_ in expected):
            report.difference = f"staging raised {raised(error)}"
        return
    for call, want in zip(CALLS, expected):
        with limited(FORM_SECONDS):
            try:
                given = observed(function, call, module)
            except REFUSED as error:
                report.refusal = f"{type(error).__name__}: {error}"
                return
        for part, a, b in zip(("result", "printed", "arguments", "state"), want, given):
            if not same(a, b):
                report.difference = f"static f{call}: {part}\n  plain:  {a}\n  static: {b}"
                return
    if not has_state:
        _compare_loaded(function, report, expected)


def _compare_loaded(function: Any, report: Report, expected: list[tuple]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            jit.save(function, Path(folder) / "f")
        except ConversionError as error:
            if "every call of this function raises" not in str(error):
                report.refusal = f"{type(error).__name__}: {error}"
            return
        loaded = jit.load(Path(folder) / "f")
    for call, (result, printed, *_) in zip(CALLS, expected):
        with limited(FORM_SECONDS):
            given = of_values.observe(loaded, call)
        if not of_values.same(_only_values(result), given.result) or printed != given.printed:
            report.difference = f"loaded f{call}:\n  plain:  {result} {printed!r}\n  loaded: {given.result} {given.printed!r}"
            return


def observed(function: Any, call: tuple, module: Any) -> tuple:
    """What a call gives, prints, and leaves of its arguments and of the state. Refusals are raised."""
    vector, n, b = call
    arguments = [torch.tensor(vector), torch.tensor(n), torch.tensor(b)]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = canonical(function(*arguments))
        except REFUSED:
            raise
        except Exception as error:
            result = raised(error)
    return result, printed.getvalue(), canonical(arguments), canonical([getattr(module, name) for name in STATE])


def canonical(value: Any, seen: dict[int, int] | None = None) -> Any:
    """Nested tuples with the class of each number, the dtype of each tensor, and which containers are one object."""
    seen = {} if seen is None else seen
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype), tuple(value.shape), value.tolist())
    if isinstance(value, bool | int | float):
        return (type(value).__name__, value)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ("tuple", *(canonical(v, seen) for v in value))
    if callable(value):
        return ("function", value.__qualname__)
    if id(value) in seen:
        return ("again", seen[id(value)])
    seen[id(value)] = len(seen)
    if isinstance(value, list):
        return ("list", *(canonical(v, seen) for v in value))
    if isinstance(value, set):
        return ("set", *sorted(canonical(v, seen) for v in value))
    if isinstance(value, dict):
        return ("dict", *((k, canonical(v, seen)) for k, v in value.items()))
    return ("object", *((k, canonical(v, seen)) for k, v in sorted(vars(value).items())))


def same(plain: Any, given: Any) -> bool:
    """Whether two canonical forms are equal. Where paths meet of which one has a number and one a tensor, it is a tensor."""
    if of_values.same(plain, given):
        return True
    if not isinstance(plain, tuple) or not isinstance(given, tuple):
        return False
    if plain[:1] in (("int",), ("bool",), ("float",)) and given[:1] == ("tensor",):
        return given[2] == () and of_values.same(plain[1], given[3])
    return len(plain) == len(given) and all(map(same, plain, given))


def _only_values(value: Any) -> Any:
    """A canonical form as `property.compare` has it, where numbers and tensors are arrays."""
    if not isinstance(value, tuple) or value[:1] == ("raised",):
        return value
    if value[:1] == ("tensor",) and len(value) == 4:
        return ("array", value[2], value[3])
    if len(value) == 2 and value[0] in ("bool", "int", "float"):
        return ("array", (), np.asarray(value[1]).tolist())
    return tuple(map(_only_values, value))
