"""Warnings of a recording come when it is over, once each: the recorded code neither meets them nor shows them."""

from __future__ import annotations

import os
import warnings

import pytest

import dy2st as paddle
from dy2st.errors import Dy2stWarning, JoinWarning, UnconvertedCallWarning

X = paddle.ones([2])
told = []


class Counter:
    count = 0


counter = Counter()


def counted_by_its_own_manager(x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        count = os.cpu_count()
    return x * 0 + len(caught) + 0 * count


def silent(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        count = os.cpu_count()
    return x * count


def bumped(x):
    if x.sum() > 0:
        counter.count += 1
    return x


def warned(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = paddle.jit.to_static(function)(X)
    return result, [(w.category, w.lineno - function.__code__.co_firstlineno) for w in caught]


def test_e_06_a_manager_of_the_users_catches_none():
    result, caught = warned(counted_by_its_own_manager)
    assert result.numpy().tolist() == [0.0, 0.0] and (UnconvertedCallWarning, 3) in caught


def test_e_06_what_the_user_has_silenced_stays_silent():
    assert all(category is not UnconvertedCallWarning or line != 3 for category, line in warned(silent)[1])


def test_e_06_each_is_told_once_though_staging_begins_anew():
    def twice(x):
        count = os.cpu_count()
        if x.sum() > 0:
            counter.count += 1
        return x * count

    assert warned(twice)[1] == [(UnconvertedCallWarning, 1)]


def test_e_06_a_filter_that_raises_raises_when_the_recording_is_over():
    def caught_by_the_user(x):
        try:
            y = x if x.sum() > 0 else x.astype("int64")
        except Warning:
            y = x * 100
        return y

    with warnings.catch_warnings():
        warnings.simplefilter("error", Dy2stWarning)
        with pytest.raises(JoinWarning):
            paddle.jit.to_static(caught_by_the_user)(X)
