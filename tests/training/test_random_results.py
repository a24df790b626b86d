"""Every tensor in a result has the `stop_gradient` of plain Python's, leads back to the same inputs, and to no other."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
from support.sampling import random_functions, seed_in_failure

import dy2st as paddle
from dy2st import jit
from dy2st.errors import JoinWarning
from dy2st.runtime.tensors.tape import OverwrittenError
from dy2st.static import InputSpec

from .random_results import ResultWriter
from .test_random_functions import load_function, loaded_form

LOADED_EVERY = 16
SPECS = [InputSpec([None, 3], "float64"), InputSpec([3, 3], "float64"), InputSpec([3], "float64"), InputSpec([3], "float64")]


def tensors(value):
    """The tensors in a result, in order; each as often as it is there."""
    if isinstance(value, paddle.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [t for item in items for t in tensors(item)]


def outcome(function, arrays, stopped, draw):
    """The values and flags of all tensors in the result; the gradients of the arguments, from some of them."""
    given = [paddle.to_tensor(a, stop_gradient=stops) for a, stops in zip(arrays, stopped)]
    found = tensors(function(*given))
    flags = [(t.stop_gradient, t.is_leaf) for t in found]
    values = [t.numpy().copy() for t in found]
    chosen = [t for t in found if not t.stop_gradient and draw.random() < 0.4]
    gradients = []
    for t in chosen[:3]:
        t.sum().backward(retain_graph=True)
        gradients.append([None if x.grad is None else x.grad.numpy().copy() for x in given])
        for x in given:
            x.clear_grad(False)
    return flags, values, gradients


def check(folder, seed):
    """Compare on inputs that take different paths."""
    numbers = np.random.RandomState(seed)
    function = load_function(folder, seed, ResultWriter)
    static = jit.to_static(function, input_spec=SPECS)
    forms = [static]
    if seed % LOADED_EVERY == 0:
        forms.append(loaded_form(static, folder, seed))
    for n in (1, 3):
        arrays = [numbers.uniform(-1, 1, shape) for shape in ((n, 3), (3, 3), (3,), (3,))]
        stopped = [bool(numbers.randint(2)), *(numbers.rand(3) < 0.2)]
        try:
            expected = outcome(function, arrays, stopped, random.Random(seed))
        except OverwrittenError:
            expected = None
        for form in forms:
            for _ in range(2):  # once more, after a gradient has been asked of it
                if expected is None:
                    with pytest.raises(OverwrittenError):
                        outcome(form, arrays, stopped, random.Random(seed))
                    continue
                flags, values, gradients = outcome(form, arrays, stopped, random.Random(seed))
                assert flags == expected[0], ResultWriter(seed).text()
                for one, other in zip(values, expected[1]):
                    np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)
                for one, other in zip(gradients, expected[2], strict=True):
                    assert [g is None for g in one] == [g is None for g in other], ResultWriter(seed).text()
                    for g, h in zip(one, other):
                        if g is not None:
                            np.testing.assert_allclose(g, h, rtol=1e-7, atol=1e-9)


@pytest.mark.long
@random_functions(2000, 25)
def test_random_results(seeds, tmp_path):
    for seed in seeds:
        with warnings.catch_warnings(), seed_in_failure(seed, __file__):
            warnings.simplefilter("ignore", JoinWarning)
            check(tmp_path, seed)
