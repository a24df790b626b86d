"""Results that share memory in plain Python share it in a functionalized function, with `remove="mutations"`."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st import func


def base_and_written_view(x):
    base = x * 1
    v = base[0:2]
    v.add_(3)
    return v, base


def two_views(x):
    base = x * 1
    v, w = base[0:2], base[1:3]
    v.add_(3)
    return v, w


def view_of_a_written_view(x):
    base = x * 1
    v = base[1:]
    v.mul_(2)
    return [v[0:1], {"base": base}]


def on_a_path(x):
    base = x * 1
    v = base[0:2] if x.sum() > 0 else base[1:3]
    v.add_(3)
    return v, base


def written_twice(x):
    base = x * 1
    v = base.reshape([3, 1])
    v.add_(1)
    base.add_(1)
    w = v[0]
    w.add_(5)
    return w, v, base


FUNCTIONS = [base_and_written_view, two_views, view_of_a_written_view, on_a_path, written_twice]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("x", [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]])
def test_s_36_what_shares_memory_does_so_still(function, x):
    given = [paddle.to_tensor(x), paddle.to_tensor(x)]
    plain, made = function(given[0]), func.functionalize(function)(given[1])
    for write in (0, -1):
        for results in (plain, made):
            leaves(results)[write].add_(10)
        for a, b in zip(leaves(plain), leaves(made)):
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def leaves(tree):
    if isinstance(tree, paddle.Tensor):
        return [tree]
    return [leaf for part in (tree.values() if isinstance(tree, dict) else tree) for leaf in leaves(part)]
