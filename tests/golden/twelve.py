"""Twelve functions by which rewritten code is judged: chosen before it was made shorter, one for each use that people review."""

from __future__ import annotations

import dy2st as paddle


def early_exit(x):
    # small inputs are left alone
    if x.abs().max() < 1.0:
        return x

    y = x / x.abs().max()
    return y


def clipped(x, limit):
    if x.norm() > limit:
        # too long
        y = x * limit / x.norm()
    else:
        y = x
    return y


def collected(x, n):
    outs = []
    for i in range(n):
        if i % 2 == 0:  # every other one
            outs.append(x * i)
    return outs


def halved(x, limit):
    steps = 0
    while True:
        if x.abs().max() < limit:
            break
        x = x * 0.5
        steps += 1
    return x, steps


def pairwise(x, n):
    total = 0.0
    for i in range(n):
        for j in range(3):
            if x[i] > x[j]:
                total = total + x[i] * x[j]
    return total


class Average:
    def __init__(self):
        self.mean, self.count = paddle.zeros([1]), 0

    def update(self, x):
        """The running mean of what is above zero."""
        self.count += 1
        if x.sum() > 0:
            self.mean = self.mean + (x - self.mean) / self.count

        return self.mean


def filtered(rows, limit):
    kept = [row * 2 for row in rows if row.sum() < limit]
    return sum(row.mean() for row in kept), len(kept)


def checked_input(x, low, high):
    assert x.ndim == 2, f"x has {x.ndim} axes"
    if not low < x.mean() <= high:
        raise ValueError("out of range")
    return x.sqrt()


def looked_up(x, table):
    try:
        scale = table[int(x.sum())]
    except KeyError:
        scale = 1.0  # not known
    return x * scale


def without_grad(x, net):
    with paddle.no_grad():
        y = net(x)
        if y.mean() < 0:
            y = -y

    return x + y


def windows(x, size):
    """Slices of x, one after another."""
    start = 0
    while start + size <= len(x):
        yield x[start:start + size]
        start += size


def decoded(step, state, width, end):
    beams = [([], 0.0, state)]
    for _ in range(20):
        grown = []
        # every beam grows by every token
        for tokens, score, state in beams:
            gains, state = step(tokens, state)
            for token in range(len(gains)):
                grown.append((tokens + [token], score + gains[token], state))

        beams = sorted(grown, key=lambda beam: beam[1], reverse=True)[:width]
        if beams[0][0][-1] == end:
            break

    return beams[0][0]


TWELVE = (early_exit, clipped, collected, halved, pairwise, Average.update, filtered, checked_input, looked_up, without_grad,
          windows, decoded)
