"""One iterator that several loops and functions take items from: each goes on where the other has left it."""

from __future__ import annotations

import functools
import io
import itertools
import warnings

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import Dy2stWarning


def generator(n):
    for i in range(n):
        yield i


def returning(n):
    for i in range(100):
        if i >= n:
            return
        yield i


MAKERS = {
    "generator expression": lambda n: (i for i in range(n)),
    "generator": generator,
    "generator that returns": returning,
    "list": lambda n: iter(list(range(n))),
    "range": lambda n: iter(range(n)),
    "map": lambda n: map(abs, range(n)),
    "filter": lambda n: filter(lambda v: v != 1, range(n)),
    "until": lambda n: iter(itertools.count().__next__, n),
    "reversed": lambda n: reversed(range(n)),
    "chain": lambda n: itertools.chain([0], range(n)),
    "islice": lambda n: itertools.islice(range(100), n),
    "takewhile": lambda n: itertools.takewhile(lambda v: v < n, range(100)),
}


def nested(it):
    out = []
    for a in it:
        out.append(("a", a))
        for b in it:
            out.append(("b", b))
            if b % 3 == 0:
                break
    return out


def after_an_exception(it):
    out = []
    try:
        for a in it:
            out.append(a)
            if a == 2:
                raise ValueError
    except ValueError:
        out.append("caught")
    for a in it:
        out.append(a)
    return out


def next_inside(it):
    out = []
    for a in it:
        out.append((a, next(it, None)))
    return out


def list_inside(it):
    out = []
    for a in it:
        out.append((a, list(it)))
    return out


def left_by_return(it):
    def first_above_one():
        for v in it:
            if v > 1:
                return v
        return -1

    return [first_above_one(), first_above_one(), list(it)]


def folded_in_part(it):
    return any(v > 1 for v in it), 3 in it, list(it)


def extremes(it):
    return max(it, key=lambda v: -v, default=3), list(it), functools.reduce(lambda a, b: a + b, it, 1)


def zipped_with_itself(it):
    return list(zip(it, it)), list(it)


TAKERS = [
    nested, after_an_exception, next_inside, list_inside, left_by_return, folded_in_part, extremes, zipped_with_itself,
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("made", "take"), sampled(list(itertools.product(MAKERS, TAKERS)), 8))
def test_as_in_plain_python(made, take):
    make = MAKERS[made]
    for n in (0, 1, 5):
        assert paddle.jit.to_static(lambda: take(make(n)))() == take(make(n))


def inside_a_branch(it, x):
    out = 0
    for a in it:
        if x.sum() > a:
            out = out + next(it, 0)
        out = out + 100 * a
    return out


def loop_inside_a_branch(it, x):
    out = 0
    for a in it:
        if x.sum() > a:
            for b in it:
                out = out + b
                if x.sum() > 3:
                    break
        out = out + 100 * a
    return out


@pytest.mark.long
@pytest.mark.parametrize("take", [inside_a_branch, loop_inside_a_branch], ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", sampled([generator, returning, *map(MAKERS.get, ("map", "until", "islice", "takewhile"))], 2))
def test_a_tensor_decides_who_takes_the_next_item(make, take):
    static = paddle.jit.to_static(lambda x: take(make(5), x))
    for value in (0.0, 2.0, 5.0):
        x = paddle.to_tensor([value])
        assert int(static(x)) == int(take(make(5), x))


class Words:
    """The words of a text, read from a file character by character."""

    def __init__(self, text):
        self.file, self.lines = io.StringIO(text), 0

    def character(self):
        found = self.file.read(1)
        self.lines += found == "\n"
        return found

    def word(self):
        found = ""
        characters = iter(self.character, "")
        for character in characters:
            if not character.isspace():
                found += character
                for following in characters:
                    if following.isspace():
                        return found
                    found += following
        return found


def words():
    text = Words("machine one\nlogin  two\n")
    found = []
    while word := text.word():
        found.append(word)
    return found, text.lines


def lines_until_one_fails():
    file, found = io.StringIO("1\n2\nthree\n4\n"), []
    while line := file.readline():
        try:
            found.append(int(line))
        except ValueError:
            found.append(line)
    return found


@pytest.mark.parametrize("read", [words, lines_until_one_fails])
def test_a_condition_may_read_a_file_that_the_function_has_made(read):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Dy2stWarning)
        assert paddle.jit.to_static(read)() == read()


def read_where_a_tensor_decides(x):
    file = io.StringIO("abc")
    while file.read(1) and x.sum() > 0:
        x = x - 1
    return x


def test_a_condition_that_a_tensor_decides_may_not():
    with pytest.raises(paddle.errors.ConversionError, match="read may change this StringIO"):
        paddle.jit.to_static(read_where_a_tensor_decides)(paddle.ones([1]))
