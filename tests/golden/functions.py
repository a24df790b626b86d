"""Twenty functions as model authors write them. The text that each becomes stands in `NAME.txt` beside this file."""

from __future__ import annotations

import dy2st as paddle


def if_else(x):
    if paddle.mean(x) > 5.0:
        out = x - 1.0
    else:
        out = x + 1.0
    return out


def if_without_else(x, scale):
    y = x * scale
    if y.sum() > 0:
        y = y / y.sum()
    return y


def elif_chain(x):
    size = x.abs().max()
    if size > 100:
        grade = "huge"
    elif size > 1:
        grade = "large"
    else:
        grade = "small"
    return grade


def while_loop(x, limit):
    steps = 0
    while x.abs().max() > limit:
        x = x * 0.5
        steps += 1
    return x, steps


def for_append(x, n):
    outs = []
    for i in range(n):
        outs.append(x * i)
    return outs


def for_break_else(rows, limit):
    for row in rows:
        if row.sum() > limit:
            break
    else:
        return None
    return row


def loop_continue(x, n):
    total = x.sum()
    for i in range(n):
        if i % 2 == 0:
            continue
        total = total + i
    return total


def early_return(x):
    if x.sum() > 10:
        return x - 10
    y = x * 2
    if y.min() < 0:
        return -y
    return y


def return_in_loop(x, n):
    for i in range(n):
        x = x * 2
        if x.max() > 100:
            return x, i
    return x, -1


def ternary_and_logic(x, y, strict):
    best = x if x.sum() > y.sum() else y
    if strict and best.min() > 0 or not best.any():
        best = best + 1
    return best


def chained_compare(x, low, high):
    inside = low < x.mean() <= high
    return inside


def short_names(x, n):
    y = z = x
    i = 0
    while i < n:
        y, z = z, y + z
        i += 1
    return y


def method_state(self, x):
    self.calls += 1
    if x.sum() > 0:
        self.cache["last"] = x
    return self.cache["last"] * self.calls


def items_and_slices(x, mask):
    x[0] = x[1] + 1.0
    x[mask] = 0.0
    return x[::2], x[-1]


def inner_function(x, n):
    total = 0

    def add(value):
        nonlocal total
        total = total + value

    for i in range(n):
        add(x[i])
    return total


def comprehension(rows, limit):
    kept = [row * 2 for row in rows if row.sum() < limit]
    return sum(row.mean() for row in kept)


def checked(x):
    assert x.ndim == 2, f"x has {x.ndim} axes"
    if x.min() < 0:
        raise ValueError("negative input")
    return x.sqrt()


def guarded(x, table):
    try:
        scale = table[int(x.sum())]
    except KeyError:
        scale = 1.0
    finally:
        print("looked up")
    return x * scale


def nested_loops(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i):
            if x[i] > x[j]:
                total = total + x[i] * x[j]
    return total


def beam_search(scores, width, end):
    beams = [([], 0.0)]
    for step in scores:
        grown = []
        for tokens, score in beams:
            for token, gain in enumerate(step):
                grown.append((tokens + [token], score + gain))
        beams = sorted(grown, key=lambda beam: beam[1], reverse=True)[:width]
        if beams[0][0][-1] == end:
            break
    return beams[0]
