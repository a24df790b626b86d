"""Random functions mean the same where nothing is staged, or something else is: with their plain and their rewritten bodies."""

import inspect
import types
import warnings

import pytest
from property.compare import PLAIN_SECONDS, Report, TooLong, first_difference, limited, observe
from property.generate import write_module
from property.modules import CALLS, forget, module_of, tensors
from support.sampling import random_functions, seed_in_failure

from dy2st.jit.dy2static import convert_to_static
from dy2st.ops.dispatch import RECORDERS


@pytest.mark.long
@pytest.mark.parametrize("recorders", [set(), {"of another thread"}], ids=["plain", "rewritten"])
@random_functions(300, 25)
def test_random_functions_mean_the_same_outside(seeds, recorders):
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            text = write_module(seed)
            plain, module = module_of(text), module_of(text)
            try:
                with limited(PLAIN_SECONDS):
                    expected = [observe(plain.f, tensors(call), plain) for call in CALLS]
            except TooLong:
                continue
            finally:
                forget(plain)
            rewrite(module)
            RECORDERS.update(recorders)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    assert not first_difference("outside", module.f, module, Report(expected=expected)), text
            finally:
                RECORDERS.difference_update(recorders)
                forget(module)


def rewrite(module):
    """Puts rewritten twins in the place of a module's functions; a generator is rewritten only while staging."""
    for name, value in list(vars(module).items()):
        if type(value) is types.FunctionType and value.__module__ == module.__name__ and not inspect.isgeneratorfunction(value):
            setattr(module, name, convert_to_static(value))
