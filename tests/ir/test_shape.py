"""Dims and shapes, against NumPy where all dims are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dy2st.errors import ShapeError
from dy2st.ir.shape import broadcast_dims, broadcast_shapes, join_shapes, shape_agrees, shape_fits, shape_text, size

shapes = st.lists(st.sampled_from([0, 1, 2, 3]), max_size=4).map(tuple)
partial = st.lists(st.sampled_from([0, 1, 2, None, "n", "m"]), max_size=4).map(tuple) | st.none()


@given(st.lists(shapes, min_size=1, max_size=3))
def test_broadcast_is_numpys(given_shapes):
    try:
        expected = np.broadcast_shapes(*given_shapes)
    except ValueError:
        with pytest.raises(ShapeError, match="broadcast"):
            broadcast_shapes(*given_shapes)
    else:
        assert broadcast_shapes(*given_shapes) == expected


@given(partial, partial, st.randoms(use_true_random=False))
def test_broadcast_of_unknowns_covers_every_shape_that_works(a, b, random):
    """Fill the unknowns: where NumPy broadcasts, the result fits what was said without knowing."""
    filled = {"n": random.choice([0, 1, 2, 5]), "m": random.choice([0, 1, 2, 5])}

    def fill(shape):
        return tuple(filled.get(d, random.choice([0, 1, 2])) if not isinstance(d, int) else d for d in shape or ())

    known_a, known_b = fill(a), fill(b)
    try:
        expected = np.broadcast_shapes(known_a, known_b)
    except ValueError:
        return
    found = broadcast_shapes(a, b)
    if a is None or b is None:
        assert found is None
    else:
        assert len(found) == len(expected)
        assert all(d is None or filled.get(d, d) == e for d, e in zip(found, expected))


@pytest.mark.parametrize(
    "a, b, result",
    [("n", "n", "n"), ("n", 1, "n"), (1, None, None), ("n", 3, 3), (None, 3, 3), ("n", "m", None), ("n", None, None), (0, 1, 0)],
)
def test_broadcast_dims(a, b, result):
    assert broadcast_dims(a, b) == broadcast_dims(b, a) == result


def test_the_error_names_shapes_and_axis():
    with pytest.raises(ShapeError, match=r"shapes \[n, 2, 3\] and \[4, 3\] don't broadcast: at axis -2, lengths 2 and 4"):
        broadcast_shapes(("n", 2, 3), (4, 3))


@given(partial, partial)
def test_join_is_the_least_shape_that_takes_both(a, b):
    joined = join_shapes(a, b)
    assert shape_fits(a, joined) and shape_fits(b, joined) and joined == join_shapes(b, a)
    assert shape_agrees(a, joined) and shape_agrees(b, joined)
    if a == b:
        assert joined == a


def test_fits_agrees_size_text():
    assert shape_fits((2, 3), (2, None)) and not shape_fits((2, None), (2, 3)) and not shape_fits((2,), ("n",))
    assert shape_agrees((2, "n"), (None, 5)) and not shape_agrees((2,), (3,)) and not shape_agrees((2,), (2, 1))
    assert (size((2, 3)), size(()), size((2, None)), size(None)) == (6, 1, None, None)
    assert shape_text(("n", 3, None)) == "[n, 3, ?]" and shape_text(None) == "[*]"
