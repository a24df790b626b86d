"""A module whose variables static functions change: see test_changed_modules.py."""

calls = 0


def read():
    return calls


def bump():
    global calls
    calls += 1
