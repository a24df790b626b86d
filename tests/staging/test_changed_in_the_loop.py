"""Dicts, sets, deques and their views, changed by what iterates them: in each way, on each path, in each form of iteration."""

from __future__ import annotations

import itertools
import linecache

import numpy as np
import pytest
from support.sampling import sampled

from dy2st import jit, to_tensor

from .agreement import outcome
from .paths import assert_agrees_on_all_paths

OF_DICTS = {
    "another key": "c['z'] = 9", "a key less": "c.pop('c')", "another value": "c['a'] = 8", "none": "c.clear()",
    "an update": "c.update(z=1)", "a default": "c.setdefault('y', 2)",
}
VIEWS = ("c", "c.keys()", "c.values()", "c.items()", "reversed(c)", "reversed(c.items())")
CONTAINERS = {
    "dict": ("{'a': 1, 'b': 2, 'c': 3}", VIEWS, OF_DICTS),
    "OrderedDict": (
        "collections.OrderedDict(a=1, b=2, c=3)", VIEWS,
        {**OF_DICTS, "the first last": "c.move_to_end('a')", "renamed": "c['q'] = c.pop('a')"},
    ),
    "defaultdict": ("collections.defaultdict(int, a=1, b=2, c=3)", VIEWS, {**OF_DICTS, "read": "c['y']"}),
    "Counter": ("collections.Counter(a=1, b=2, c=3)", (*VIEWS[:4], "c.elements()"), {**OF_DICTS, "less": "c.subtract('z')"}),
    "set": (
        "{1, 2, 3}", ("c",),
        {"more": "c.add(9)", "less": "c.discard(3)", "again": "c.add(1)", "none": "c.clear()", "minus": "c -= {2}"},
    ),
    "deque": (
        "collections.deque([1, 2, 3])", ("c", "reversed(c)"),
        {
            "more": "c.append(9)", "in front": "c.appendleft(9)", "less": "c.pop()", "less in front": "c.popleft()",
            "replaced": "c[0] = 8", "none": "c.clear()", "rotated": "c.rotate(1)", "rotated by 0": "c.rotate(0)",
            "extended": "c.extend([4])", "extended by none": "c.extend([])", "inserted": "c.insert(1, 5)",
            "removed": "c.remove(2)", "reversed": "c.reverse()", "deleted": "del c[0]", "added": "c += [4]", "twice": "c *= 2",
            "once": "c *= 1", "the last again": "c.append(c.pop())", "before": "c.extendleft([1])",
        },
    ),
    "full deque": (
        "collections.deque([1, 2, 3], 3)", ("c", "reversed(c)"),
        {"more": "c.append(9)", "in front": "c.appendleft(9)", "less": "c.pop()", "extended": "c.extend([4])"},
    ),
}
FORMS = {  # of which each has a place for a change
    "for": "for v in ITEMS:\n        seen.append(v)\n        if len(seen) > 8: break\n        CHANGE",
    "zip": "for _, v in zip(range(7), ITEMS):\n        seen.append(v)\n        CHANGE",
    "enumerate": "for i, v in enumerate(ITEMS):\n        seen.append(v)\n        if i > 6: break\n        CHANGE",
    "next": "it = iter(ITEMS)\n    seen.append(next(it))\n    CHANGE\n    seen.append(next(it))",
    "the rest": "it = iter(ITEMS)\n    seen.append(next(it))\n    CHANGE\n    seen.extend(it)",
}
PATHS = {
    "always": "CHANGE", "once": "if len(seen) == 1: CHANGE", "by the input": "if n > len(seen): CHANGE",
    "at the end": "if n > 1 and len(seen) == 3: CHANGE",
}
CASES = [
    (form, path, container, items, change)
    for form, path, container in itertools.product(FORMS, PATHS, CONTAINERS)
    for items, change in itertools.product(*CONTAINERS[container][1:])
]


def function_of(form, path, container, items, change):
    made, _, changes = CONTAINERS[container]
    body = FORMS[form].replace("CHANGE", PATHS[path]).replace("CHANGE", changes[change]).replace("ITEMS", items)
    source = f"import collections\n\ndef f(n):\n    c = {made}\n    seen = []\n    {body}\n    return seen, c\n"
    file = f"<{form} {path} {container} {items} {change}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made_here = {}
    exec(compile(source, file, "exec"), made_here)
    return made_here["f"]


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(CASES, 18), ids=", ".join)
def test_a_change_in_the_loop_is_pythons(case):
    function = function_of(*case)
    static = jit.to_static(function)
    for n in (0, 1, 2, 4):
        assert repr(outcome(static, [np.array(n)])) == repr(outcome(function, [np.array(n)]))


def a_deque_of_two(x, n):
    from collections import deque

    a, b = deque([1, 2, 3]), deque([4, 5, 6])
    either = a if n > 1 else b
    seen = []
    for v in a:
        seen.append(v)
        if len(seen) == 2:
            either.rotate(1)
    return seen


def a_loop_without_an_end(x, n):
    from collections import deque

    a, total = deque([1, 2, 3]), 0
    for v in a:
        total += v
        if n > 1:
            a.append(v)
    return total, a


@pytest.mark.parametrize("function", [a_deque_of_two, a_loop_without_an_end], ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    assert_agrees_on_all_paths(function, "float32")


def test_a_class_says_itself_what_reversed_gives():
    class Own(dict):
        def __reversed__(self):
            return iter(["own"])

    def f(n):
        return list(reversed(Own(a=1))), list(reversed(dict(a=1, b=2)))

    assert jit.to_static(f)(to_tensor(1)) == (["own"], ["b", "a"])
