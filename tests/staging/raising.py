"""Functions that handle exceptions, and note the traceback of each: what plain Python gives is held against rewritten code."""

from __future__ import annotations

import contextlib

import dy2st as paddle

NOTED: list = []


@paddle.jit.not_to_static
def note(error):
    """The frames of an exception, and of what it comes from."""
    noted = []
    while error is not None:
        frames, entry = [], error.__traceback__
        while entry is not None:
            frames.append((entry.tb_frame.f_code.co_name, entry.tb_lineno))
            entry = entry.tb_next
        noted.append((type(error).__name__, frames))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    NOTED.append(noted)


def fails(x=0):
    raise ValueError("fails")


def misses(d):
    return d["missing"]


def descends(n):
    if n > 0:
        for i in range(2):
            if i == 1:
                return descends(n - 1)
    return fails()


def raises_again():
    try:
        fails()
    except ValueError:
        for _ in range(1):
            raise


def raises_by_name():
    try:
        fails()
    except ValueError as error:
        raise error


def raises_another():
    try:
        fails()
    except ValueError:
        raise KeyError("another") from None


def raises_in_handler():
    try:
        fails()
    except ValueError:
        raise KeyError("in a handler")


def raises_from():
    try:
        fails()
    except ValueError as error:
        raise KeyError("from it") from error


def ends():
    try:
        fails()
    finally:
        print("", end="")


class Notes:
    """A manager that keeps what it is told."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if error is not None:
            note(error)
        return True


class Passes:
    """A manager that lets exceptions through."""

    def __enter__(self):
        return self

    def __exit__(self, *told):
        return False


def passes():
    with Passes():
        fails()


@contextlib.contextmanager
def noting():
    try:
        yield
    except ValueError as error:
        note(error)


@contextlib.contextmanager
def plain_manager():
    yield


def items():
    yield 1
    fails()


class Fails:
    """Each of its methods does."""

    def __init__(self, now=False):
        if now:
            fails()

    @property
    def value(self):
        return fails()

    def _method(self, *args):
        return fails()

    __add__ = __iadd__ = __getitem__ = __setitem__ = __len__ = __bool__ = __iter__ = __eq__ = __call__ = __contains__ = _method
    __str__ = __lt__ = __next__ = __enter__ = __exit__ = _method
    __hash__ = None


class FailsToAnswer:
    def __getattr__(self, name):
        fails()

    def __call__(self):
        misses({})


# Statements, in a `try` whose handler notes the exception.
STATEMENTS = """\
fails()
raise KeyError("x")
raise KeyError
raise 3
descends(2)
misses({})
int("x")
1 / 0
[].nothing
a, b = [1]
fails(1, 2, 3)
raises_again()
raises_by_name()
raises_another()
raises_in_handler()
raises_from()
ends()
passes()
for x in items(): pass
list(items())
sorted([1, 2], key=fails)
list(map(fails, [1]))
functools.reduce(misses, [1, 2])
functools.partial(fails, 1)()
Fails(True)
Fails().value
Fails() + 1
f = Fails(); f += 1
Fails()[0]
Fails()[0] = 1
len(Fails())
1 if Fails() else 2
Fails() and 1
not Fails()
[*Fails()]
a, b = Fails()
for x in Fails(): pass
Fails() == 1
Fails() < 1
Fails()()
1 in Fails()
str(Fails())
f"{Fails()}"
print(Fails())
next(Fails())
any(Fails() for _ in [1])
with Fails(): pass
FailsToAnswer().anything
FailsToAnswer()()
getattr(FailsToAnswer(), "anything")
hash([])
{}[1]
del {}[1]
(1, 2)[5]
min([])
[].pop()
"".join([1])
isinstance(1, 2)
fails(**{"y": 1})
assert False, "no"
undefined_name
from sys import nothing_here
json.loads("no")
with Notes(): fails()
with noting(): fails()
with plain_manager(): fails()
"""
BLOCKS = """\
fails(
    1,
)

raise ValueError(
    "over lines"
)

for i in range(3):
    if i == 2:
        for j in range(2):
            while j == 1:
                fails()

try:
    fails()
except KeyError:
    pass
finally:
    a = 1

try:
    try:
        fails()
    finally:
        raises_in_handler()
except ValueError:
    raise
"""


def source_of(number, statements):
    """A function that handles what the statements raise."""
    lines = "".join(f"        {line}\n" for line in statements.splitlines())
    return f"def case_{number}():\n    try:\n{lines}    except Exception as error:\n        note(error)\n\n\n"


CASES = [source_of(number, case) for number, case in enumerate([*STATEMENTS.splitlines(), *BLOCKS.split("\n\n")])]
