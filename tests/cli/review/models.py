"""A model with every kind of decision: staged, run by Python, unrolled. The tests name its lines by what stands in them."""

from __future__ import annotations

import dy2st as paddle
from dy2st import nn


class Gate(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, strict=False):
        # a strict gate lets nothing small through
        if strict:
            return paddle.where(x > 1, x, x * 0)
        if x.sum() > 0.125:
            return self.fc(x)
        return x


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.gates = nn.LayerList([Gate(), Gate()])
        self.scale = 2

    def forward(self, x):
        for gate in self.gates:
            x = gate(x)

        if self.scale > 1:
            x = x * 1.75
        elif self.scale < 0:
            x = x - 2.75
        while x.sum() > 10.5:  # halves it
            x = x / 3.75
        total = paddle.zeros([4])
        for row in x:
            if row.max() < -4.75:
                continue
            if row.min() > 5.75:
                break
            total = total + row
        n = 0
        while n < 3:
            n += 1
        for i in range(100):
            total = total * 0.625 + i
        for j in range(20):
            total = total + 7.75
            if total.sum() > 8.75:
                break
        return total if total.sum() > 9.75 else helper(total)


def helper(x):
    match x.shape[0]:
        case 4:
            x = x + 11.75
        case _:
            x = x + 12.75
    return paddle.concat([row * 13.75 for row in [x, x]])


def once_then_carried(x):
    first = True
    while x.sum() < 10:
        if first:
            x = x + 1.5
        x, first = x * 2, False
    return x


def by_the_call(x):
    return gated(gated(x, True), False)


def gated(x, is_open):
    if is_open:
        x = x + 1
    return x


def numbers(x):
    for number in counted(x):
        if number > 2:
            x = x + number
    return x


def counted(x):
    yield 1
    while x.sum() < 0:
        x = x + 1
    yield 3


def caught(x):
    for k in range(4):
        try:
            if k == 2:
                raise ValueError(k)
        except ValueError:
            x = x + 1
            break
        x = x * 2
    return x


def moved(x):
    total = x
    for row in halves(x):
        total = total + row
    return total


def halves(x):
    while x.sum() > 1:
        x = x / 2
        yield x


def stepping(x):
    steps = steps_of(x)
    return next(steps) + next(steps)


def steps_of(x):
    for k in range(3):
        if k > 0:
            x = x + 2
        yield x


def without_effect(x):
    for _ in range(2):
        x = x * 2
        if x.sum() > 0:
            continue
        elif x.sum() < -1:
            continue
    return x


net = Net()
