"""Functions that assert, away from pytest, which rewrites the assertions of test modules."""


def positive(x):
    assert x.sum() > 0, "the sum must be positive"
    return x + 1


def all_positive(x):
    assert (x > 0).all(), f"smallest: {float(x.min())}"
    return x
