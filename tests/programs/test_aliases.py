"""Sharing: one list under two names, a helper that appends, a nonlocal, an object changed by its own method."""

from __future__ import annotations

import numpy as np

import dy2st as paddle
from dy2st.static import InputSpec

ONE = np.array([1.0, 2.0], np.float32)
BATCH = np.arange(6, dtype=np.float32).reshape(3, 2)
VECTOR, ROWS = [InputSpec([2], "float32", "x")], [InputSpec([None, 2], "float32", "x")]


def two_names(x):
    first = [x]
    second = first
    for i in range(paddle.shape(x)[0]):
        second.append(x * i)
    first.append(-x)
    return first, len(second), first is second


def two_names_in_a_branch(x):
    first = []
    second = first
    if x.sum() > 0:
        second.append(x)
    else:
        second = [x, x]
        second.append(-x)
    return len(first), len(second), second is first


def append_to(items, x):
    items.append(x)


def helper_appends(x):
    outs = []
    for row in x:
        if row.sum() > 2:
            append_to(outs, row)
    return outs


def nonlocal_in_a_loop(x):
    total = paddle.zeros([2])
    count = 0

    def add(row):
        nonlocal total, count
        total = total + row
        count += 1

    for row in x:
        add(row)
    return total, count


class Account:
    def __init__(self, start):
        self.balance = start
        self.log = []

    def pay(self, amount):
        self.balance = self.balance - amount
        self.log.append(amount)


def own_method_in_a_branch(x):
    account = Account(x)
    also = account
    if x.sum() > 0:
        account.pay(1.0)
        also.pay(2.0)
    return account.balance, also.balance, len(account.log)


def test_two_names_for_one_list(agree):
    agree(lambda: two_names, ROWS, [BATCH], [BATCH[:1]], [BATCH[:0]])


def test_two_names_for_one_list_in_a_branch(agree):
    agree(lambda: two_names_in_a_branch, VECTOR, [ONE], [-ONE])


def test_a_list_passed_to_a_helper_that_appends(agree):
    agree(lambda: helper_appends, ROWS, [BATCH], [BATCH[:0]])


def test_a_nonlocal_changed_in_a_loop(agree):
    agree(lambda: nonlocal_in_a_loop, ROWS, [BATCH], [BATCH[:0]])


def test_an_object_changed_by_its_own_method_in_a_branch(agree):
    agree(lambda: own_method_in_a_branch, VECTOR, [ONE], [-ONE])


def detached(x):
    first = x * 1.0
    second = first.detach()
    if x.sum() > 0:
        first[0] = 50.0
    second[1] = 60.0
    return first, second, second.stop_gradient


def test_detach_shares_memory_in_a_program_too(agree):
    agree(lambda: detached, VECTOR, [ONE], [-ONE])
