"""Functions that assert, away from pytest, which rewrites the assertions of test modules."""


def of_a_tensor(x):
    assert x.sum() > 0, f"the sum is {float(x.sum())}"
    return x + 1


def of_python(x):
    assert len(x.shape) == 1, "one axis"
    assert isinstance(x, object)
    return x


def in_a_loop(x, n):
    for i in range(n):
        assert i < 3
        assert (x + i).sum() > -100, ("a tuple", i)
    return x
