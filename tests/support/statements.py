"""The statements of `docs/python-support.md`: a function for each row of its table, by the row's name."""

from __future__ import annotations

import threading

calls = 0


def FunctionDef(x, n):
    def scaled(v, by=n):
        return v * by

    return scaled(x)


def FunctionDef_generator(x, n):
    def halves(v):
        while v > 0:
            yield v
            v = v // 2
        yield from [v, "end"]

    return [v for v in halves(int(n))]


def FunctionDef_recursive(x, n):
    def factorial(k):
        if k <= 1:
            return 1
        return k * factorial(k - 1)

    return factorial(int(n))


async def AsyncFunctionDef(x, n):
    async with x as y:
        async for row in y:
            await row


def ClassDef(x, n):
    class Counter:
        def __init__(self, start):
            self.value = start

        def add(self, k):
            if k > 1:
                self.value += k

    counter = Counter(1)
    counter.add(int(n))
    return counter.value


def Return(x, n):
    if n > 1:
        return x, "many"
    return None


def Delete(x, n):
    y = x
    if n > 1:
        del y
    return y


def Assign(x, n):
    a = b = x
    a, (c, *d) = n, (1, 2, 3)
    return a, b, c, d


def AugAssign(x, n):
    y = x
    y += n
    return y


def AnnAssign(x, n):
    total: float = 2.0
    return x * total


def For(x, n):
    total = 0
    for i in range(n):
        total += i
    else:
        total += 100
    return total


def For_rows(x, n):
    rows = []
    for i, row in enumerate(x):
        if row > n:
            continue
        if i > 1:
            break
        rows.append(row)
    return rows


def While(x, n):
    k = int(n)
    while k < 10:
        k = k * 2 + 1
    return k


def While_endless(x, n):
    k = 0
    while True:
        k += 1
        if k > n:
            return k


def If(x, n):
    if n > 2:
        y = x
    elif n > 1:
        y = -x
    else:
        y = None
    return y


def With(x, n):
    class Scope:
        def __enter__(self):
            return 2

        def __exit__(self, kind, error, traceback):
            return kind is ValueError

    y = 0
    with Scope() as two:
        if n > 1:
            raise ValueError
        y = two
    return y


def With_foreign(x, n):
    with threading.Lock():
        if n > 1:
            return x
    return -x


def Raise(x, n):
    if n > 1:
        raise ValueError(f"{int(n)} is too large") from None
    return x


def Try(x, n):
    steps = []
    try:
        steps.append([1, 2][n])
    except IndexError as error:
        steps.append(str(error))
    else:
        steps.append("fine")
    finally:
        steps.append("done")
    return steps


def Assert(x, n):
    assert n < 4, f"{int(n)} is too large"
    return x


def Import(x, n):
    if n > 1:
        import math
    else:
        math = None
    return 0 if math is None else math.floor(2.5)


def ImportFrom(x, n):
    from math import floor

    return floor(int(n) / 2)


def Global(x, n):
    global calls
    calls = 0
    if n > 1:
        calls += 1
    return calls


def Nonlocal(x, n):
    total = 0

    def add(k):
        nonlocal total
        total += k

    for i in range(n):
        add(i)
    return total


def Expr(x, n):
    x + n
    return x


def Pass(x, n):
    pass
    return x


def Break(x, n):
    for i in range(10):
        if i >= n:
            break
    return i


def Continue(x, n):
    total = 0
    for i in range(10):
        if i >= n:
            continue
        total += i
    return total


class Point:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def Match(x, n):
    found = []
    for subject in (int(n), None, [1, int(n), 3], {"k": int(n), "z": 0}, Point(0, int(n))):
        match subject:
            case None | True:
                found.append("None")
            case 1 | 2 as small:
                found.append(small)
            case [1, second, *rest] if second > 1:
                found.append((second, rest))
            case {"k": value, **others}:
                found.append((value, others))
            case Point(0, b=b):
                found.append(b)
            case _:
                found.append("other")
    return found
