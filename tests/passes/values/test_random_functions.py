"""Random functions give the same bits without a heap: results, exceptions, what is printed, inputs and state afterwards."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections import Counter

import pytest
from property.compare import TooLong, limited
from property.generate import write_module
from property.modules import CALLS, forget, module_of, specs, tensors
from support.rates import most
from support.sampling import random_functions, seed_in_failure
from support.without_heap import also_without_heap

from dy2st import jit
from dy2st.errors import ConversionError, StagedValueError

# Features and kinds of names that are refused, or rare:
WITHOUT = ("exceptions", "recursion", "generators", "inplace", "t", "j", "m")
REFUSED = 0.2  # of the functions, for these reasons:
REFUSALS = (
    "a set", "recursion", "`try`", "a function", "copied",
    "a dict", "keys", "the key", "nothing stands for", "which one object", "may raise",
    "whether", "changes a list or object", "has no counterpart", "may be known by another name",
)  # fmt: skip
SECONDS = 10.0


@pytest.mark.long
@random_functions(1000, 20)
def test_random_functions_give_the_same_without_a_heap(seeds):
    refused: Counter[str] = Counter()
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            for error in _refusals(write_module(seed, without=WITHOUT)):
                reason = next((words for words in REFUSALS if words in str(error)), "")
                assert reason, f"refused for no known reason: {error}"
                refused[reason] += 1
    print(f"{len(seeds)} functions, refused: {dict(refused)}")
    assert sum(refused.values()) <= most(REFUSED, len(seeds))


def _refusals(text: str) -> list[Exception]:
    """The errors with which a function is refused; AssertionError where a call of it differs."""
    module = module_of(text)
    function = jit.to_static(module.f, input_spec=specs())
    with warnings.catch_warnings(), also_without_heap() as refused, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            with limited(SECONDS):
                _call(function)
        except (TooLong, ConversionError, StagedValueError):
            pass  # not what this test is about
        finally:
            forget(module)
    return list(refused)


def _call(function) -> None:
    for call in CALLS[:8]:
        try:
            function(*tensors(call))
        except AssertionError as error:
            if "gives" in str(error) or "leaves" in str(error) or "prints" in str(error):
                raise
        except (ConversionError, StagedValueError):
            raise
        except Exception:
            pass  # the user's: compared, too
