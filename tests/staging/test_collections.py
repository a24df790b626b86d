"""`deque`, `Counter`, `defaultdict` and `OrderedDict` that staged branches and loops change."""

from __future__ import annotations

import collections
import copy
import json
from collections import Counter, OrderedDict, defaultdict, deque

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def deque_of_the_last(x, n):
    q = deque([1, 2], maxlen=3)
    for i in range(n):
        q.append(i)
        if i > 1:
            q.popleft()
    return q, len(q), list(q), q.maxlen, str(q), repr(deque(q))


def deque_both_ends(x, n):
    q = collections.deque("ab")
    if n > 1:
        q.appendleft(int(n))
        q.extend([3, 4])
        q.extendleft([5, 6])
    q.rotate(1)
    first, last = q.popleft(), q.pop()
    q.rotate(-int(n))
    return q, first, last, q[0], q[-1]


def deque_changed_by_index(x, n):
    q = deque([1, 2, 3])
    k = int(n) % 3
    q[k] = 9
    if n > 1:
        del q[0]
        q.insert(1, 7)
        q[0] += 5
    q.reverse()
    return q, q[k - k], q.count(9), 9 in q, k in q


def deque_searched(x, n):
    q = deque([3, 1, 2])
    if n > 1:
        q.remove(3)
    if n > 2:
        q.clear()
    return q.index(1)


def deque_removed(x, n):
    q = deque([int(n), 1])
    q.remove(2)
    return q


def deque_index_out_of_range(x, n):
    return deque([1, 2])[int(n)]


def deque_sliced(x, n):
    q = deque([int(n)])
    return q[0:1] if n > 1 else q


def deque_empty(x, n):
    q = deque([1])
    if n > 1:
        q.popleft()
    if n > 2:
        return q.popleft()
    return q.pop()


def deque_full(x, n):
    q = deque([1], maxlen=2)
    for i in range(n):
        q.insert(0, i)
    return q


def deque_caught(x, n):
    q, found = deque(), []
    for i in range(n):
        q.append(i)
    try:
        while True:
            found.append(q.popleft())
            found.append(q.pop())
    except IndexError as error:
        return found, str(error)


def deque_compared(x, n):
    a, b = deque([1]), deque([1, 2])
    if n > 1:
        a.append(int(n))
    return a == b, a != b, a < b, a <= b, a > b, a >= b, a == [1], a is b, a == deque(b)


def deque_joined(x, n):
    a = deque([1], maxlen=3)
    if n > 1:
        a.append(2)
    b = a + deque([3])
    a += [8]
    c = a * 2
    a *= 2
    return a, b, c, a.copy(), copy.copy(a), copy.deepcopy(deque([b.maxlen]))


def deque_iterated(x, n):
    q = deque([x])
    for i in range(n):
        q.append(x * i)
    total = x * 0
    for v in q:
        total = total + v
    squares = [v * v for v in reversed(q)]
    first, *_ = q
    return total, len(squares), first, [i for i, _ in enumerate(q)], (1 if q else 0), list(zip(q, "ab"))[0][1]


def deque_given_to_builtins(x, n):
    q = deque([3, 1, 2])
    if n > 1:
        q.append(0)
    return sorted(q), max(q), sum(q), list(map(lambda v: v + 1, q)), any(q), tuple(q), set(q), [*q]


def breadth_first(x, n):
    edges = {0: [1, 2], 1: [3], 2: [3, 4], 3: [], 4: [0]}
    queue, seen = deque([int(n) % 5]), []
    while queue:
        node = queue.popleft()
        if node in seen:
            continue
        seen.append(node)
        for other in edges[node]:
            queue.append(other)
    return seen


def deque_is_a_class_of_its_own(x, n):
    q = deque()
    if n > 1:
        q.append(1)
    return isinstance(q, deque), isinstance(q, (list, dict)), type(q) is deque, type(q).__name__, callable(q), hasattr(q, "pop")


def deque_on_one_path(x, n):
    q = deque([1]) if n > 1 else None if n > 0 else [2]
    return None if q is None else (len(q), q, isinstance(q, deque))


def deques_by_index(x, n):
    qs = [deque(), deque(), deque()]
    for i in range(n):
        qs[i % 3].append(i)
    k = int(n) % 3
    alias = qs[k]
    alias.append("end")
    return qs, alias is qs[k], alias is qs[0], len(qs[k])


def hand_over(q, n):
    if n > 1:
        q.append(n)
    return q


def deque_in_a_helper(x, n):
    q = deque()
    back = hand_over(q, int(n))
    return back is q, q


def deque_matched(x, n):
    q = deque([1])
    if n > 1:
        q.append(5)
    match q:
        case [a]:
            return a
        case [a, b]:
            return a, b


def counted(x, n):
    c = Counter("abca")
    for i in range(n):
        c["a"] += i
        c[str(i)] += 1
    c.update({"b": 3})
    c.update("zz", a=1)
    return c, c.most_common(2), c.most_common(), c["nope"], "nope" in c, c.total(), len(c), repr(c), sorted(c.elements())


def counter_of_items(x, n):
    items = [1]
    for i in range(n):
        items.append(i % 2)
    c = Counter(items)
    c.subtract([1, 5])
    del c["nothing"]
    return c, dict(c), max(c, key=c.get), c.get(7), c.get(7, 0), list(c), sorted(c.items())


def counter_arithmetic(x, n):
    a, b = Counter(a=3, b=1), Counter(a=1, c=2)
    if n > 1:
        a["c"] += int(n)
        b.subtract(b=5)
    return a + b, a - b, a | b, a & b, +b, -b


def counter_changed_in_place(x, n):
    c = same = Counter("aab")
    if n > 1:
        c += Counter("c")
    if n > 2:
        c -= Counter("ab")
    c |= Counter("d")
    c &= Counter("ddaa")
    return c, c is same


def counter_compared(x, n):
    a, b = Counter("ab"), Counter("abb")
    if n > 1:
        a.update("b")
    a["z"] = 0
    return a == b, a != b, a <= b, a < b, a >= b, a > b, a == {"a": 1, "b": 1, "z": 0}, {"a": 1} == Counter("a")


def counter_made_anew(x, n):
    c = Counter()
    if n > 1:
        c[int(n)] = 2
    return c, Counter(), repr(Counter()), (1 if c else 0), isinstance(c, dict), isinstance(c, Counter), c.copy(), c.pop(2, None)


def grouped(x, n):
    d = defaultdict(list)
    for i in range(n):
        d[i % 2].append(i)
    d["x"].append(x)
    return d, len(d), 5 in d, d.get(5), sorted(map(str, d)), repr(d.default_factory)


def grouped_without_growing(x, n):
    d = defaultdict(int, a=1)
    if n > 1:
        d["b"]
    if n > 2:
        d["c"] += 2
    return d, dict(d), d == {"a": 1}, list(d.items()), str(d)


def default_from_a_lambda(x, n):
    d = defaultdict(lambda: [0])
    for i in range(n):
        d[str(i)][0] += i
    return dict(d)


def nested_defaults(x, n):
    d = defaultdict(lambda: defaultdict(int))
    for i in range(n):
        d[i % 2][i] += 1
    return {key: dict(inner) for key, inner in d.items()}


def no_default(x, n):
    return defaultdict(None, a=1)["a" if n > 1 else "b"]


def defaults_merged(x, n):
    d = defaultdict(int, a=1)
    if n > 1:
        d.update(b=2)
    return d | {"c": 3}, {"c": 3} | d, d.copy(), d.setdefault("e", 4), d.pop("a"), d, {**d}


def ordered_dict_by_keyword(x, n):
    o = OrderedDict(a=x, b=x * 2)
    if n > 1:
        o["c"] = x * n
    first, none = o.pop(key="a", default=x), o.pop("z", default=n)
    o.move_to_end(key="b", last=n > 2)
    return first, none, o.setdefault(key="c", default=x), list(o)


def ordered(x, n):
    o = OrderedDict(a=1, b=2)
    if n > 1:
        o["c"] = int(n)
        o.move_to_end("a")
    if n > 3:
        o.move_to_end("c", last=False)
    first = o.popitem(last=False)
    return o, first, list(o), list(reversed(o)), o.popitem(), o


def orders_compared(x, n):
    a, b = OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)
    if n > 1:
        a.move_to_end("a")
    return a == b, a != b, a == {"b": 2, "a": 1}, {"a": 1} == OrderedDict(a=1), repr(a), str(OrderedDict())


def order_emptied(x, n):
    o = OrderedDict()
    for i in range(n):
        o[i] = x
    del o[0]
    while len(o) > 1:
        o.popitem(last=False)
    return o.popitem()[0]


def moved_what_is_missing(x, n):
    o = OrderedDict(a=1)
    o.move_to_end("a" if n > 1 else "b")
    return o


def least_recently_used(x, n):
    cache = OrderedDict()
    for i in range(n):
        key = i * i % 5
        if key in cache:
            cache.move_to_end(key)
        else:
            cache[key] = i
            if len(cache) > 2:
                cache.popitem(last=False)
    return list(cache.items())


def ordered_views(x, n):
    o = OrderedDict(a=1)
    keys, values = o.keys(), o.values()
    if n > 1:
        o["b"] = 2
    return [k for k in keys], [v for v in values], [k + str(v) for k, v in o.items()], dict(o), o | {"z": 0}


def keyed_by_staged_values(x, n):
    c, d, o = Counter(a=1), defaultdict(list, {1: [2]}), OrderedDict({1: "a", 2: "b"})
    k = int(n)
    return c[k], d[k], len(d), o.get(k), k in o, c[str(k)]


def made_again(x, n):
    o, c, d = OrderedDict(a=1), Counter("ab"), defaultdict(int, a=1)
    o.__init__([("b", 2)], c=int(n))
    c.__init__("b")
    d.__init__(list, b=[2])
    e = deque([1, 2], 2)
    e.__init__([3])
    return list(o.items()), sorted(c.items()), sorted(d), d["z"], list(e), e.maxlen


def updated_by_two(x, n):
    try:
        OrderedDict(a=1).update({"b": 2}, {"c": 3})
    except TypeError:
        return "refused"
    return "taken"


def counter_given_to_python(x, n):
    return json.dumps(Counter("aab")), json.dumps(list(deque([1, 2])))


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
