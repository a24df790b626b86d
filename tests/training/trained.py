"""Functions whose gradients are compared: each takes x (float32 [n, 3]) and w (float32 [3, 3]), and gives tensors."""

from copy import copy
from inspect import isfunction

import dy2st as paddle


def arithmetic(x, w):
    return (x @ w).tanh() * x - x / (w.sum() + 20.0) + (x**2).exp() * 0.01


def reductions(x, w):
    return x.sum(axis=0).mean() + (x @ w).max(axis=1).sum() + paddle.nn.functional.softmax(x, axis=-1).std()


def branch(x, w):
    if x.sum() > 0:
        y = x @ w
    else:
        y = x * 2
    return y.sum()


def branch_on_one_side(x, w):
    y = x * 1.5
    if x.sum() > 0:
        y = y @ w
    return y.mean()


def nested_branches(x, w):
    y = x
    if x.sum() > 0:
        y = y @ w
        if y[0, 0] > 1:
            y = y.tanh()
        else:
            z = y * 3
            y = z * y
    return (y * y).sum()


def loop(x, w):
    h = x[0]
    i = 0
    while i < x.shape[0]:
        h = paddle.tanh(h @ w + x[i])
        i += 1
    return h.sum()


def loop_with_break(x, w):
    y = x.sum(axis=0)
    for i in range(x.shape[0]):
        y = y * 1.3 + x[i]
        if (y * y).sum() > 40:
            break
    return (y @ w).sum()


def nested_loops(x, w):
    total = x.sum() * 0
    for i in range(x.shape[0]):
        for j in range(i):
            total = total + (x[i] * x[j]).sum() * w[0, 0]
        total = total * 1.1
    return total


def carried_and_left(x, w):
    """One carried tensor is replaced unread; another isn't used afterwards."""
    a, b = x[0], x[0]
    for row in x:
        b = a * 2
        a = row * w[0]
    return b.sum()


def collected(x, w):
    outs = []
    h = x[0] * 0
    for i in range(x.shape[0]):
        h = paddle.tanh(x[i] @ w + h)
        outs.append(h)
    return paddle.stack(outs).mean(axis=0).sum() + outs[0].sum() + outs[-1].max()


def concatenated(x, w):
    parts = [x]
    for i in range(x.shape[0]):
        parts.append(x[i : i + 1] * w[0])
    return (paddle.concat(parts, axis=0) ** 2).sum()


def replaced_items(x, w):
    rows = [x[0], x[0] * 2]
    for i in range(x.shape[0]):
        rows[i % 2] = rows[i % 2] * x[i] + rows[0]
    return (rows[0] * rows[1] @ w).sum()


def popped(x, w):
    stack = []
    for i in range(x.shape[0]):
        stack.append(x[i] * (i + 1))
    y = x[0] * 0
    while len(stack) > 1:
        a = stack.pop()
        b = stack.pop()
        stack.append(a * b)
        y = y + a
    return (stack.pop() + y @ w).sum()


def lists_of_no_concern(x, w):
    count = x.argmax()
    for i in range(x.shape[0]):
        found = []
        found.append(x[i].argmax())
        count = count + found[0]
    return (x @ w).sum() * count


def pairs(x, w):
    kept = []
    for i in range(x.shape[0]):
        kept.append((x[i], x[i] @ w))
    total = x.sum()
    for a, b in kept:
        total = total + (a * b).sum()
    return total


def detached(x, w):
    y = x @ w
    return (y.detach() * x).sum() + y.mean()


def ungraded(x, w):
    with paddle.no_grad():
        scale = (x @ w).sum()
        if scale > 0:
            scale = scale * 2
    return (x * scale).sum()


def stopped(x, w):
    y = x @ w
    z = y * 2
    y.stop_gradient = True
    best = x.argmax(axis=1)
    best.stop_gradient = True
    total = (z * y).sum()
    for row in x:
        scale = (row * w[0]).sum()
        scale.stop_gradient = True
        total = total + (row * scale).sum()
    return total + best.sum()


def early_return(x, w):
    y = x @ w
    if y.sum() > 0:
        return y.sum()
    y = y * x
    if y.mean() > 0:
        return y.mean() * 2
    return (y**2).sum()


def structure(x, w):
    y = x @ w
    return {"sum": y.sum(), "more": [y * 2, (x, 3)]}


def optional(x, w):
    best = None
    for row in x:
        if best is None or row.sum() > best.sum():
            best = row @ w
    return x.sum() if best is None else best.sum() + x.mean()


def returned_list(x, w):
    outs = []
    for i in range(x.shape[0]):
        outs.append(x[i] @ w)
    return outs


def integers_between(x, w):
    k = x.argmax()
    return x.flatten()[k] * w.sum() + paddle.cast(k, "float32")


def views(x, w):
    y = (x * 1.0).reshape([-1])
    z = y[0:3]
    return (z * w[0]).sum() + y.reshape([-1, 3]).transpose([1, 0]).max()


def in_place(x, w):
    y = x * 2
    y[0] = y[0].clone() * w[0]
    y.add_(x)
    return (y * y).sum()


def in_place_in_a_loop(x, w):
    y = x * 1.0
    for i in range(x.shape[0] - 1):
        y[i + 1] = y[i].clone() @ w
    return y.sum()


def through_a_view(x, w):
    y = x * 1.0
    view = y.reshape([-1])
    view[0:3] = w[1]
    return (y @ w).sum()


def variable_of_a_closure(x, w):
    best = w[0]

    def improve(row):
        nonlocal best
        if row.sum() > best.sum():
            best = row * best

    for row in x:
        improve(row)
    return best.sum()


def recursive(x, w):
    def power(n):
        return w if n <= 1 else power(n - 1) @ w

    return (x @ power(x.argmax() % 3 + 1)).sum()


def mutually_recursive(x, w):
    def even(h, n):
        return h if n <= 0 else odd(h @ w, n - 1)

    def odd(h, n):
        return h * 2 if n <= 0 else even(h * x[0], n - 1)

    return even(x[0], x.argmax() % 5).sum()


def recursive_in_branches(x, w):
    def step(h, n):
        if n <= 0:
            return h
        if h.sum() > 0:
            h = step(h * 0.5, n - 1)
        else:
            for row in x:
                h = h + row * step(h, n - 2).mean()
        return h @ w

    return step(x[0], x.argmax() % 4 + 1).sum()


def recursive_with_writes(x, w):
    def step(h, n):
        y = h * 1.0
        y[0] = y[1] * 2
        return y if n <= 0 else step(y @ w, n - 1)

    return step(x[0], x.argmax() % 3 + 1).sum()


NAMED = [f for f in list(globals().values()) if isfunction(f) and f.__module__ == __name__]


def kinds_in_a_list(x, w):
    state = [(x[0], w[0]), w]
    for row in x:
        (a, b), c = state
        state = [(a * b, row), c * 0.9]
    (a, b), c = state
    return (a * b).sum() + c.sum()


class Point:
    def __init__(self, value):
        self.value, self.visits = value, 0


class Link:
    def __init__(self, value, rest):
        self.value, self.rest = value, rest


def objects(x, w):
    points = []
    for i in range(x.shape[0]):
        points.append(Point(x[i] * 2))
    for point in points:
        point.value = point.value @ w
        point.visits += 1
    total = x.sum()
    for point in points:
        total = total + (point.value**2).sum() * point.visits
    return total


def linked(x, w):
    last = None
    for i in range(x.shape[0]):
        last = Link(x[i] @ w, last)
    total = x.sum()
    while last is not None:
        total = total + last.value.sum() * total
        last = last.rest
    return total


def dictionary(x, w):
    table = {}
    for i in range(x.shape[0]):
        table[i] = x[i] @ w
    total = x.sum()
    for value in table.values():
        total = total + value.sum()
    return total


def nested_lists(x, w):
    rows = []
    for i in range(x.shape[0]):
        row = []
        for j in range(3):
            row.append(x[i, j] * w[j, 0])
        rows.append(row)
    return sum([r[0] * r[1] for r in rows], x.sum())


def dict_methods(x, w):
    table = {"a": x[0]}
    for i in range(x.shape[0]):
        table["a"] = table.setdefault("b", x[i]) * table["a"] + table.get("c", w[0])
        if i > 1:
            table["c"] = table.pop("b") @ w
    kept = dict(table)
    table.clear()
    kept["a"] = kept["a"] * 2
    return sum([v.sum() for v in kept.values()], x.sum()) + sum([v.mean() for _, v in kept.items()], x[0, 0])


def one_list_or_another(x, w):
    some, others = [x[0]], [w[0]]
    chosen = some if x.sum() > 0 else others
    chosen.append(x[0] * w[1])
    return paddle.stack(some).sum() * paddle.stack(others).sum()


def places_known_late(x, w):
    row = [w[0], w[1]]
    for i in range(x.shape[0]):
        row.append(x[i] * (i + 1))
    row.reverse()
    taken = row.pop(x.argmax() % len(row))
    again = row.pop(-(x.argmin() % len(row)) - 1)
    row.insert(-1, taken @ w)
    row.insert(7, again * taken)
    del row[0]
    row.extend(row[1:])
    row = row + [taken]
    return sum([k * v.sum() for k, v in enumerate(row)], x.sum())


def beams(x, w):
    kept = [(x[0], x[0].sum() * 0)]
    for i in range(x.shape[0]):
        found = []
        for state, score in kept:
            following = (state @ w).tanh()
            found.append((following, score + following.sum()))
            found.append((state * x[i], score - state.mean()))
        found.sort(key=lambda pair: float(pair[1]), reverse=True)
        kept = found[:3]
    return sum([score for _, score in kept], x.sum())


def copied(x, w):
    points = []
    for i in range(x.shape[0]):
        points.append(Point(x[i] * 2))
    other = copy(points[0])
    other.value = other.value @ w + points[-1].value
    del points[0].visits
    return other.value.sum() + sum([(p.value**2).sum() for p in points], x.sum())


def recursive_for_a_list(x, w):
    outs = []

    def step(h, n):
        outs.append(h)
        if n > 0:
            step((h @ w).tanh(), n - 1)

    step(x[0], x.argmax() % 4)
    return paddle.stack(outs).mean() * outs[-1].sum()


class Tree:
    def __init__(self, value, left, right):
        self.value, self.left, self.right = value, left, right


def recursive_over_a_tree(x, w):
    def build(i, n):
        return None if n <= 0 else Tree(x[i % x.shape[0]] * (n * 1.0), build(i + 1, n - 1), build(i + 2, n - 2))

    def fold(tree):
        if tree is None:
            return x[0] * 0
        return (fold(tree.left) @ w + fold(tree.right) + tree.value).tanh()

    return fold(build(0, x.argmax() % 3 + 1)).sum()


CONTAINERS = [f for f in list(globals().values()) if isfunction(f) and f.__module__ == __name__ and f not in NAMED]
PURE = NAMED + CONTAINERS


def attempted(x, w):
    y = x * 1.0
    try:
        y = y @ w
        if y.sum() > 0:
            raise ValueError("positive")
        y = y * 3
    except ValueError:
        y = y * 2
    return y.sum()


BY_TAPE = [f for f in list(globals().values()) if isfunction(f) and f.__module__ == __name__ and f not in PURE]
ALL = PURE + BY_TAPE
STOPPING = [detached, ungraded, stopped]  # where finite differences see more than gradients
