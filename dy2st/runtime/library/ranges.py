"""The attributes and methods of a range, by its start, its step and how many numbers it has."""

import sys

from .slices import clipped

NAMES_NO_ITEM = sys.version_info >= (3, 14)  # in the message for what isn't there


def number_at(start, step, count, index):
    """`r[index]`"""
    if index < 0:
        index += count
    if index < 0 or index >= count:
        raise IndexError("range object index out of range")
    return start + index * step


def part_of(start, step, count, first, last, by):
    """`r[first:last:by]`"""
    first, last = clipped(first, last, by, count)
    return range(start + first * step, start + last * step, step * by)


def are_equal(a, b):
    """`a == b`: two ranges are equal that give the same numbers."""
    if len(a) != len(b):
        return False
    if len(a) == 0:
        return True
    return a[0] == b[0] and a[-1] == b[-1]


def index_of(numbers, number):
    """`r.index(number)`"""
    if number not in numbers:
        raise ValueError("range.index(x): x not in range" if NAMES_NO_ITEM else f"{number!r} is not in range")
    return (number - numbers.start) // numbers.step


def spelled(numbers):
    """`repr(r)`"""
    if numbers.step == 1:
        return f"range({numbers.start}, {numbers.stop})"
    return f"range({numbers.start}, {numbers.stop}, {numbers.step})"
