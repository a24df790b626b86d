"""Functions of x that write memory which its gradient may need, each before the end."""

from __future__ import annotations

from inspect import isfunction

import dy2st as paddle

F = paddle.nn.functional


def weight(x):
    m = paddle.ones([3])
    y = m * x
    m[0] = 5.0
    return y.sum()


def product(x):
    m = paddle.ones([3, 3])
    y = m @ x
    m[0] = 2.0
    return y.sum()


def under_no_grad(x):
    m = paddle.ones([3])
    y = m * x
    with paddle.no_grad():
        m.add_(m)
    return y.sum()


def result_of_exp(x):
    y = paddle.exp(x)
    z = y * 1
    y[0] = 0.0
    return z.sum()


def result_in_place(x):
    y = x * 1
    y.exp_()
    y.add_(paddle.ones([3]))
    return y.sum()


def view(x):
    m = paddle.ones([3, 3])
    y = m[0] * x
    m[0].add_(m[1])
    return y.sum()


def other_view(x):
    m = paddle.ones([3, 3])
    y = m[0] * x
    m[1].add_(m[2])
    return y.sum()


def detached(x):
    y = x * 2
    z = y * y
    y.detach()[0] = 3.0
    return z.sum()


def branch(x):
    m = paddle.ones([3])
    y = m * x
    if x.sum() > 0:
        m[0] = 5.0
    return y.sum()


def later_iteration(x):
    m, y = paddle.ones([3]), x * 0
    for _ in range(x.shape[0]):
        m[0] = 5.0
        y = y + m * x
    return y.sum()


def in_list(x):
    ms = [paddle.ones([3]), paddle.ones([3])]
    y = ms[0] * x
    ms[0][0] = 5.0
    return y.sum()


def in_dict(x):
    ms = {"a": paddle.ones([3])}
    y = ms["a"] * x
    ms["a"][0] = 5.0
    return y.sum()


def list_in_loops(x):
    ms, y = [], x * 0
    for _ in range(x.shape[0]):
        ms.append(paddle.ones([3]))
        y = y + ms[-1] * x
    for m in ms:
        m[0] = 3.0
    return y.sum()


def write(m):
    m[0] = 5.0


def in_call(x):
    m = paddle.ones([3])
    y = m * x
    write(m)
    return y.sum()


def step(m, x, n):
    if n <= 0:
        return x * 0
    y = m * x
    m[0] = 5.0
    return y + step(m, x, n - 1)


def in_recursion(x):
    return step(paddle.ones([3]), x, x.shape[0]).sum()


def pointer_network(x):
    used, total = paddle.zeros([3], dtype="bool"), paddle.zeros([])
    for _ in range(2):
        p = F.softmax(paddle.where(used, paddle.full([3], -1e9), x))
        k = p.argmax()
        total = total + paddle.log(p[k])
        used[k] = True
    return total


LATE = [f for f in list(globals().values()) if isfunction(f) and f.__module__ == __name__ and f not in (write, step)]


def written_before(x):
    m = paddle.ones([3])
    m[0] = 2.0
    return (m * x).sum()


def read_without_need(x):
    m = paddle.ones([3])
    y = m + x
    m[0] = 2.0
    return y.sum() + m.sum()


def used_without_gradient(x):
    m = paddle.ones([3])
    z = (m * 2).sum()
    m[0] = 2.0
    return (m * x).sum() + z


def fresh_in_each_iteration(x):
    y = x * 0
    for _ in range(x.shape[0]):
        m = paddle.ones([3])
        m[0] = 5.0
        y = y + m * x
    return y.sum()


def its_own_operand(x):
    c = paddle.ones([3])
    for _ in range(x.shape[0]):
        c.multiply_(x)
    return c.sum()


def its_own_result(x):
    y = x * 1
    y.exp_()
    return y.sum()


def other_branch(x):
    m = paddle.ones([3])
    if x.sum() < 0:
        m[0] = 5.0
        y = x * 1
    else:
        y = m * x
    return y.sum()


def copy_of_a_mask(x):
    used, total = paddle.zeros([3], dtype="bool"), paddle.zeros([])
    for _ in range(2):
        p = F.softmax(paddle.where(used, paddle.full([3], -1e9), x))
        k = p.argmax()
        total = total + paddle.log(p[k])
        used = used.clone()
        used[k] = True
    return total


def unused(x):
    m = paddle.ones([3])
    y = m * x
    m[0] = 5.0
    return (x * 2).sum() + y.detach().sum()


def own_memory(h, n):
    y = h * 1.0
    y[0] = y[1] * 2
    return y if n <= 0 else own_memory(y * y, n - 1)


def fresh_in_each_call(x):
    return own_memory(x, x.shape[0] - 2).sum()


FINE = [f for f in list(globals().values()) if isfunction(f) and f.__module__ == __name__]
FINE = FINE[FINE.index(written_before) :]
FINE.remove(own_memory)


def branch_not_taken(x):
    m = paddle.ones([3])
    y = m * x
    if x.sum() < 0:
        m[0] = 5.0
    return y.sum()


def last_iteration(x):
    m, y = paddle.ones([3]), x * 0
    for i in range(x.shape[0]):
        m[0] = 5.0
        if i == 2:
            y = y + m * x
            break
    return y.sum()


BY_PATH = [branch_not_taken, last_iteration]  # fine on the path that is taken, which the tape alone tells

MASK, INDEX = [True, False, True], [1, 0]
OPERANDS = {  # the operand that is written later, and its use
    "where": (MASK, lambda x, m: paddle.where(m, x, x * 2)),
    "masked_fill": (MASK, lambda x, m: paddle.masked_fill(x, m, 0.0)),
    "masked_select": (MASK, lambda x, m: paddle.masked_select(x, m)),
    "x[mask]": (MASK, lambda x, m: x[m]),
    "x[mask] = y": (MASK, lambda x, m: put(x * 1, m)),
    "x[index]": (INDEX, lambda x, m: x[m]),
    "x[index] = y": (INDEX, lambda x, m: put(x * 1, m)),
    "gather": (INDEX, lambda x, m: paddle.gather(x, m)),
    "gather_nd": ([[1], [0]], lambda x, m: paddle.gather_nd(x, m)),
    "index_select": (INDEX, lambda x, m: paddle.index_select(x, m)),
    "index_sample": ([INDEX], lambda x, m: paddle.index_sample(x.reshape([1, 3]), m)),
    "take_along_axis": (INDEX, lambda x, m: paddle.take_along_axis(x, m, 0)),
    "put_along_axis": (INDEX, lambda x, m: paddle.put_along_axis(x * 1, m, x[:2] * 3, 0)),
    "scatter": (INDEX, lambda x, m: paddle.scatter(x * 1, m, x[:2] * 3)),
    "index_add": (INDEX, lambda x, m: paddle.index_add(x * 1, m, 0, x[:2] * 3)),
    "index_put": (INDEX, lambda x, m: paddle.index_put(x * 1, (m,), x[:2] * 3)),
    "embedding": (INDEX, lambda x, m: F.embedding(m, x.reshape([3, 1]))),
    "one_hot": (INDEX, lambda x, m: F.one_hot(m, 3) * x),
    "cross_entropy": ([1], lambda x, m: F.cross_entropy(x.reshape([1, 3]), m)),
    "nll_loss": ([1], lambda x, m: F.nll_loss(x.reshape([1, 3]), m)),
    "mse_loss": ([0.5, 1.0, 2.0], lambda x, m: F.mse_loss(x, m)),
    "bce": ([0.5, 1.0, 0.0], lambda x, m: F.binary_cross_entropy_with_logits(x, m)),
}


def put(x, where):
    x[where] = 0.0
    return x
