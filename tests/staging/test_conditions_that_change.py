"""The condition of a loop changes what no trial can take back: it is run in place, once for each turn."""

from __future__ import annotations

import io

import pytest

import dy2st as paddle

from .agreement import plain

X = paddle.to_tensor([1.0, 2.0])


def lines_of_a_file(x):
    file, read = io.BytesIO(b"one\ntwo\n\nthree\n"), []
    while line := file.readline():
        read.append(line.decode())
    return x * len(read), read


def lines_that_a_generator_reads(x):
    file = io.StringIO("one\ntwo\nthree")

    def lines():
        while True:
            line = file.readline()
            if not line:
                return
            yield line.strip()

    waiting, read = lines(), []
    try:
        while (line := next(waiting)) != "two":
            read.append(line)
        read.append(next(waiting))
    except StopIteration:
        read.append("end")
    return x, read


def a_list_that_is_emptied(x):
    stack, seen = [1, 2, 0, 4, 5], []
    while stack.pop() and stack:
        seen.append(len(stack))
    return x * len(stack), seen, stack


def a_list_of_tensors_that_is_emptied(x):
    stack, total = [x, x * 2, x * 3], x
    while stack and stack.pop().sum() > 4:
        total = total + len(stack)
    return total, len(stack)


def an_exception_of_the_condition(x):
    stack = [3, 2, 1]
    try:
        while 6 // stack.pop():
            x = x + 1
    except IndexError as error:
        return x, str(error)
    return x


class Writer:
    def __init__(self):
        self.written = []

    def write(self, text):
        self.written.append(text)


def printed_into_a_file_of_its_own(x):
    file, writer = io.StringIO(), Writer()
    print("a", 1, None, sep="-", file=file)
    print(file=file)
    print("b", 2, end="", file=writer)
    return x, file.getvalue(), writer.written


FUNCTIONS = [
    lines_of_a_file, lines_that_a_generator_reads, a_list_that_is_emptied, a_list_of_tensors_that_is_emptied,
    an_exception_of_the_condition, printed_into_a_file_of_its_own,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("factor", [1.0, -1.0])
def test_s1_agrees_with_plain_python(function, factor):
    given = X * factor
    assert repr(plain(paddle.jit.to_static(function)(given))) == repr(plain(function(given)))
