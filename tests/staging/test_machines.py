"""Stack, queue and state machines, tables, searches and counters, as model code writes them."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def swap_items(x, n):
    a = [1, 2, 3]
    for i in range(n):
        a[0], a[-1] = a[-1], a[0]
    return a


def pop_append_rotate(x, n):
    a = [1, 2, 3]
    for _ in range(n):
        a.append(a.pop(0))
    return a


def dict_of_functions_in_loop(x, n):
    ops = {"add": lambda v: v + 1, "mul": lambda v: v * 2}
    for i in range(n):
        x = ops["add" if i % 2 == 0 else "mul"](x)
    return x


def keys_and_values_in_step(x, n):
    d = {}
    for i in range(n):
        d["k" + str(i % 2)] = i
    return d, list(d.keys()), list(d.values())


def max_with_index(x, n):
    best, where = x[0], 0
    for i in range(1, len(x)):
        if x[i] > best:
            best, where = x[i], i
    return best, where


def enumerate_zip_dict(x, n):
    names = ["a", "b", "c"]
    out = {}
    for i, (name, v) in enumerate(zip(names, x)):
        if i < n:
            out[name] = v
    return out


def accumulate_dict_of_tensors(x, n):
    totals = {"a": x * 0, "b": x * 0}
    for i in range(n):
        key = "a" if i % 2 == 0 else "b"
        totals[key] = totals[key] + x
    return totals


def running_max(x, n):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best


def argmin_list(x, n):
    costs = [abs(v - n) for v in (1, 3, 2)]
    return costs.index(min(costs))


def sort_pairs_stable(x, n):
    pairs = [(2, "a"), (1, "b"), (2, "c"), (1, "d")]
    if n > 1:
        pairs.append((0, "e"))
    return sorted(pairs, key=lambda p: p[0]), sorted(pairs, key=lambda p: p[0], reverse=True)


def sort_by_two_keys(x, n):
    rows = []
    for i in range(n):
        rows.append((i % 2, -i, x * i))
    rows.sort(key=lambda r: (r[0], r[1]))
    return [r[1] for r in rows]


def top_two(x, n):
    scores = []
    for i in range(n + 2):
        scores.append((i * 3) % 5)
    return sorted(scores)[-2:], sorted(scores, reverse=True)[:2]


def early_return_inside_helper_loop(x, n):
    def find(items, wanted):
        for i, v in enumerate(items):
            if v == wanted:
                return i
        return -1

    return find([3, 1, 2], n), find([5, 4], n)


def equality_of_tuples_of_tensors(x, n):
    a, b = (n, n + 1), (1, 2)
    return a == b, (n, "a") == (1, "a"), [n] == [2], {"k": n} == {"k": 3}


def state_machine(x, n):
    state, log = "start", []
    for i in range(n):
        if state == "start":
            state = "run"
        elif state == "run":
            state = "stop" if i > 1 else "run"
        log.append(state)
    return state, log


def tuple_state(x, n):
    s = ()
    for i in range(n):
        s = (*s, i) if i % 2 == 0 else s
    return s


def tuple_built_then_unpacked(x, n):
    t = ()
    for i in range(n):
        t += (i, i + 1)
    total = 0
    for v in t:
        total += v
    return total, t[::-1], len(t), 1 in t, t == (0, 1), sum(t), max(t, default=None)


def string_of_choices(x, n):
    words = []
    for i in range(n):
        words.append("even" if i % 2 == 0 else "odd")
    return words, "-".join(words), words.count("odd")


def counts_by_string(x, n):
    counts = {"even": 0, "odd": 0}
    for i in range(n):
        counts["even" if i % 2 == 0 else "odd"] += 1
    return counts


def remove_while(x, n):
    a = [3, 1, 3, 2]
    while 3 in a and n > 0:
        a.remove(3)
    return a


def insert_sorted(x, n):
    a = []
    for i in range(n):
        v = (i * 7) % 4
        k = 0
        while k < len(a) and a[k] < v:
            k += 1
        a.insert(k, v)
    return a


def del_slice_in_loop(x, n):
    a = list(range(8))
    for i in range(n):
        del a[i : i + 1]
    return a


def negative_step(x, n):
    a = list(range(6))
    return a[n::-1], a[-1 : -n - 1 : -1]


def min_of_empty_default(x, n):
    a = []
    if n > 1:
        a.append(x.sum())
    return min(a, default=x.max()), len(a)


def any_short_circuit(x, n):
    log = []

    def check(v):
        log.append(v)
        return v > n

    return any(check(v) for v in [1, 2, 3]), log


def map_with_effects(x, n):
    log = []

    def f(v):
        log.append(v)
        return v * n

    out = []
    for v in map(f, [1, 2, 3]):
        out.append(v)
        if v > 2:
            break
    return out, log


def filter_with_effects(x, n):
    log = []

    def keep(v):
        log.append(v)
        return v > n

    out = []
    for v in filter(keep, [1, 2, 3, 4]):
        log.append(-v)
        out.append(v)
    return out, log


def ints_and_floats(x, n):
    s, k = 0, 0.5
    for i in range(n):
        s, k = s + i, k * 2
        if k > 3:
            s = s / 2
    return s, k


def complex_condition(x, n):
    ok = []
    for i in range(n):
        if (i > 0 and x.sum() > 0) or (i == 0 and not x.sum() > 0) or 2 < i < 4:
            ok.append(i)
    return ok


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
