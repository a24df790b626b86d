"""Small functions over control flow, names, lists, dicts and objects: each is run as plain Python and as a Program."""

from __future__ import annotations

import copy
import dataclasses

import dy2st as paddle


def two_names(x, n):
    a = b = []
    for i in range(n):
        a.append(x)
    return len(b), b


def helper(items, x):
    items.append(x * 2)


def helper_appends(x, n):
    outs = []
    for i in range(n):
        helper(outs, x)
        if i > 1:
            helper(outs, x + 1)
    return outs


def nonlocal_loop(x, n):
    total = 0

    def inc(k):
        nonlocal total
        total += k

    for i in range(n):
        inc(i)
    return total


class Acc:
    def __init__(self):
        self.v = 0
        self.log = []

    def add(self, x):
        self.v = self.v + x
        self.log.append(x)


def obj_method(x):
    acc = Acc()
    acc.add(x)
    if x.sum() > 0:
        acc.add(x * 10)
    else:
        acc.v = 3
    return acc.v, acc.log


def nested8(n):
    c = 0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                for items in range(n):
                    for m in range(n):
                        for o in range(n):
                            for p in range(n):
                                for q in range(n):
                                    c += 1
    return c


def one_path(x):
    if x.sum() > 0:
        y = x + 1
    return y


def none_path(x):
    y = None
    if x.sum() > 0:
        y = x
    return y


def arity(x):
    if x.sum() > 0:
        return x, x + 1
    elif x.sum() < -100:
        return ()
    return x


def while_true(x):
    k = 0
    while True:
        x = x * 2
        k += 1
        if x.sum() > 100:
            break
    return x, k


def loop_else(x, n):
    for i in range(n):
        x = x + 1
        if x.sum() > 20:
            break
    else:
        x = x - 1000
    return x, i


def early(x, n):
    for i in range(n):
        if x.sum() > 10:
            return i
        x = x + i
    return x


def raising(x):
    if x.sum() < 0:
        raise ValueError("negative", 3)
    assert x.sum() < 100, "too big"
    return x


def cont(x, n):
    s = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        s = s + i
    return s, x


def andor(x, n):
    a = x.sum() > 0 and n > 2
    b = n or 5
    c = not (n > 1)
    d = 0 < n < 5
    return a, b, c, d


def tern(x, n):
    return (x if n > 1 else None), (1 if n > 2 else 2.5), ("a" if n > 1 else "b")


def mixed(x, n):
    y = 1
    while n > 0:
        y = y * 2.5
        n = n - 1
    return y


def lists(x, n):
    items = [1, 2, 3]
    i = 0
    while i < n:
        items[0] = items[0] + i
        items.insert(0, 7)
        if i == 2:
            items.pop()
        i += 1
    return items, items[-1], len(items)


def dicts(x, n):
    d = {"a": 1}
    for i in range(n):
        d["a"] = d["a"] + i
        if i > 1:
            d["b"] = i
    return d


def layers(x):
    fs = [lambda v: v + 1, lambda v: v * 3, lambda v: v - 2]
    for f in fs:
        x = f(x)
        if x.sum() > 10:
            break
    return x


def nestlists(x, n):
    outs = [[]]
    for i in range(n):
        outs[0].append(x)
    return outs


def rebinding(x, n):
    outs = []
    for i in range(n):
        outs = outs + [x]
    return outs


def int_while(n):
    c = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        c += 1
    return c


def closure_in_loop(x, n):
    total = 0
    for i in range(n):
        c = 0

        def inc(k):
            nonlocal c
            c += k

        inc(i)
        inc(1)
        total += c
    return total


def try_plain(x):
    try:
        y = x + 1
        raise KeyError("a")
    except KeyError:
        y = x + 2
    finally:
        y = y * 2
    return y


def no_grad(x):
    with paddle.no_grad():
        if x.sum() > 0:
            x = x + 1
    return x


def inplace(x):
    y = x * 3
    y.add_(paddle.ones([1]))
    if y.sum() > 0:
        y.add_(paddle.ones([1]))
        y[0] = 5.0
    v = y[1:]
    v.multiply_(paddle.full([1], 2.0))
    return y


def inplace_loop(x, n):
    y = paddle.zeros([3])
    for i in range(n):
        y[i] = x[i] * 2
    return y


def rows(x, n):
    s = 0.0
    for r in x:
        s = s + r * 2
    return s


def enum(x, n):
    s = 0.0
    for i, r in enumerate(x):
        s = s + r * i
    for a, b in zip(x, x):
        s = s + a * b
    for i in range(n, 0, -1):
        s = s + i
    return s


def shape2(x, n):
    bs = paddle.shape(x)[0]
    o = []
    for i in range(bs):
        o.append(x)
    return o


def swap(x, n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def strs(x, n):
    m = "relu"
    if x.sum() > 0:
        m = "none"
    if m == "relu":
        x = x * 0
    return x, m


def maxmin(x, n):
    return max(n, 3), min(x.sum(), 2.0), abs(n), int(x.sum()), float(n), bool(n)


def comp(x, n):
    return [x * i for i in range(3)], [i for i in range(3) if i != 1], {k: x + k for k in (1, 2)}


def fdef(x, n):
    if x.sum() > 0:

        def f(v):
            return v + 1
    else:

        def f(v):
            return v - 1

    return f(x)


def kwargs_(x, n):
    def g(*a, **k):
        return a[0] + k["b"]

    return g(x, b=n)


def walrus(x, n):
    c = 0
    while (m := n - c) > 0:
        c += 1
    return c, m


def dictiter(x, n):
    d = {"a": x, "b": x + 1}
    s = 0
    for k, v in d.items():
        if v.sum() > 0:
            s = s + v
    return s


def del_(x, n):
    y = x
    if n > 1:
        del y
        y = x * 2
    return y


def mask(x, n):
    y = x * 1
    y[x > 1.5] = 0.0
    return y


def pops(x, n):
    st = [x, x + 1, x + 2]
    r = 0.0
    while len(st) > n:
        r = r + st.pop().sum()
    return r, len(st)


def sumtup(x, n):
    best = (0, None)
    for i in range(n):
        if i % 2 == 1:
            best = (i, x)
    k, v = best
    return k, v


def items_changed_then_read(x, n):
    items = [1, 2, 3]
    for i in range(len(items)):
        if n > i:
            items[i] *= 2
    return sum(items), max(items), min(items), sorted(items)


def list_repeated_in_a_branch(x, n):
    items = [x, x]
    if n > 1:
        items *= 2
    return len(items)


def sorted_in_a_branch(x, n):
    items = [3, 1, 2]
    if n > 1:
        items.sort()
    return items


def sets_and_dicts_updated(x, n):
    seen, table = {1}, {"a": 1}
    if n > 1:
        seen |= {2}
        table |= {"b": 2}
    return len(seen), len(table)


def staged_keys(x, n):
    table = {}
    for i in range(n):
        table[i] = x * i
    return table


def recursive(x, n, depth=3):
    if depth == 0:
        return x
    return recursive(x * 2, n, depth - 1) + n


@dataclasses.dataclass
class Carry:
    value: object
    log: list = dataclasses.field(default_factory=list)


def dataclass_in_branches(x, n):
    if n > 1:
        carry = Carry(x)
        carry.log.append(1)
    else:
        carry = Carry(x + 1)
        carry.log.append(2)
    return carry.value, carry.log


class Vector:
    def __init__(self, a):
        self.a = a

    def plus(self, other):
        return Vector(self.a + other.a)


def objects_carried_by_a_loop(x, n):
    v = Vector(x)
    for _ in range(n):
        v = v.plus(Vector(x))
    return v.a


def attribute_set_by_name(x, n):
    v = Vector(1)
    if n > 1:
        setattr(v, "a", 2)
    return v.a


def copies_changed(x, n):
    items = copy.deepcopy([1, [2]])
    if n > 1:
        items[1].append(3)
    return items


def class_attribute(x, n):
    Vector.count = 1
    if n > 1:
        Vector.count = 5
    return Vector.count


def sum_inside_a_list(x, n):
    y = None
    if n > 1:
        y = x
    if y is not None:
        return paddle.stack([y, x])
    return x


def class_of_a_number(x, n):
    y = 1 if n > 1 else 2.5
    return isinstance(y, int), isinstance(y, float), type(y) is float


def detached(x, n):
    y = x * 1
    w = y.detach()
    for i in range(n):
        y[i] = -1.0
    return w


def dict_item_then_returned(x, n):
    table = {"a": 1, "b": 0}
    if n > 2:
        return x
    table["a"] = 2
    return table


def list_attribute_replaced(x, n):
    log = Carry(0)
    for i in range(n):
        if i > 1:
            log.log = []
        log.log.append(i)
    return log.log


def list_copied_in_a_branch(x, n):
    base = []
    if n < 1:
        return 0
    else:
        copied, base = list(base), base
    if n > 1:
        copied.append(7)
    return copied, base


def every_path_raises(x, n):
    if n > 1:
        raise ValueError("a")
    else:
        raise KeyError("b")


def one_object_twice(x, n):
    pair = [x, x + 1]
    return pair, pair, pair[0]


def length_read_before_append(x, n):
    items = [1]
    c = 0
    for i in range(n):
        c += len(items)
        items.append(2)
    return c


def own_items_walked_before_append(x, n):
    items = []
    c = 0
    for i in range(n):
        for k in items:
            c += k
        items.append(i)
    return c, items


def dict_length_before_new_key(x, n):
    d = {}
    c = 0
    for i in range(n):
        c += len(d)
        d[i] = 1
    return c


def set_walked_before_add(x, n):
    s = set()
    c = 0
    for i in range(n):
        for k in s:
            c += 1
        s.add(i)
    return c


def length_read_at_three_depths(x, n):
    items = [1]
    c = 0
    for i in range(n):
        if i > 1:
            c = c + len(items)
        for j in range(2):
            c += len(items)
        if i > 0:
            items.append(i)
    return c


def item_read_before_new_key(x, n):
    d = {"a": 1}
    c = 0
    for i in range(n):
        c += d["a"]
        if i > 0:
            d["b"] = i
        d["a"] = i
    return c, d


def zip_over_a_list_that_grows(x, n):
    items = [x]
    for k, row in zip((1, 2, 3), items):
        for i in range(n):
            items.append(row * k)
    return items


def two_kinds_of_early_return(x, n):
    start = int(n)
    while True:
        n += 1
        if n > 2:
            break
    else:
        return start + start
    if n > 3:
        return n
