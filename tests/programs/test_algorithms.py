"""Algorithms as whole programs: root finding, search, sorting, clustering, decoding, dynamic programming."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

SPECS = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")]
CALLS = [([1, 2, 3], 0), ([1, 2, 3], 1), ([-1, -2, -3], 2), ([0.5], 2), ([3, 1, 2, 1.5], 3), ([-1, -2, -3], 4)]


def newton(x, n):
    y = x.astype("float32").abs().sum() + 1
    r = y
    steps = 0
    while (r * r - y).abs() > 1e-3 * y:
        r = (r + y / r) / 2
        steps += 1
    return r, steps


def bisection(x, n):
    f = lambda v: v * v * v - n - 1
    low, high = 0.0, 10.0
    steps = 0
    while high - low > 1e-4:
        middle = (low + high) / 2
        if f(low) * f(middle) <= 0:
            high = middle
        else:
            low = middle
        steps += 1
    return low, steps


def power_iteration(x, n):
    a = paddle.to_tensor([[2.0, 1.0], [1.0, 3.0]])
    v = paddle.ones([2])
    last = paddle.zeros([])
    for i in range(100):
        v = paddle.matmul(a, v)
        norm = (v * v).sum().sqrt()
        v = v / norm
        if (norm - last).abs() < 1e-4:
            break
        last = norm
    return v, norm, i


def gradient_descent(x, n):
    w = paddle.zeros([])
    rate, losses = 0.1, []
    for step in range(n):
        error = w * 2.0 - 3.0
        loss = error * error
        losses.append(loss)
        gradient = 4.0 * error
        w = w - rate * gradient
        if loss < 1e-3:
            break
    return w, losses


def greedy(x, n):
    table = paddle.to_tensor([[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [0.0, 0.0, 5.0]])
    token = n % 3
    out = [token]
    for _ in range(6):
        token = table[token].argmax()
        out.append(token)
        if token == 2:
            break
    return paddle.stack(out), len(out)


def beam_search(x, n):
    logp = paddle.to_tensor([[-0.1, -2.0, -1.5], [-1.0, -0.2, -1.1], [-0.9, -0.8, -0.3]])
    beams = [([0], 0.0)]
    for _ in range(n):
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == 2:
                candidates.append((tokens, score))
                continue
            for k in range(3):
                candidates.append((tokens + [k], score + float(logp[tokens[-1], k])))
        candidates.sort(key=lambda c: c[1], reverse=True)
        beams = candidates[:2]
    best, score = beams[0]
    return best, score


def beam_search_tensors(x, n):
    logp = paddle.to_tensor([[-0.1, -2.0, -1.5], [-1.0, -0.2, -1.1], [-0.9, -0.8, -0.3]])
    scores = paddle.zeros([1])
    tokens = paddle.zeros([1, 1], "int64")
    for i in range(n):
        total = (scores.unsqueeze(-1) + logp[tokens[:, -1]]).reshape([-1])
        k = min(2, total.shape[0])
        scores, index = paddle.topk(total, k)
        tokens = paddle.concat([tokens[index // 3], (index % 3).unsqueeze(-1)], axis=1)
        if (tokens[:, -1] == 2).all():
            break
    return tokens, scores


def nms(x, n):
    boxes = paddle.to_tensor([[0.0, 0, 2, 2], [0, 0, 2, 1.9], [5, 5, 6, 6], [5, 5, 6, 6.1]])
    order = [0, 2, 1, 3]
    keep = []
    limit = 0.3 * n
    while len(order) > 0:
        i = order.pop(0)
        keep.append(i)
        rest = []
        for j in order:
            w = paddle.minimum(boxes[i, 2], boxes[j, 2]) - paddle.maximum(boxes[i, 0], boxes[j, 0])
            h = paddle.minimum(boxes[i, 3], boxes[j, 3]) - paddle.maximum(boxes[i, 1], boxes[j, 1])
            inter = paddle.clip(w, 0.0) * paddle.clip(h, 0.0)
            if inter <= limit:
                rest.append(j)
        order = rest
    return keep


def nms_sorted(x, n):
    scores = x.astype("float32")
    order = scores.argsort(descending=True)
    kept = []
    alive = paddle.ones_like(scores)
    for k in range(order.shape[0]):
        i = order[k]
        if alive[i] > 0:
            kept.append(i)
            alive = paddle.where((scores - scores[i]).abs() < 1.0 * n, paddle.zeros_like(alive), alive)
    return paddle.stack(kept)


def rnn(x, n):
    h = paddle.zeros([2])
    outs = []
    for t in range(x.shape[0]):
        h = paddle.tanh(h * 0.5 + x[t].astype("float32"))
        if h.sum() > 1.5:
            h = h * 0.0
        outs.append(h)
    return paddle.stack(outs), h


def kmeans(x, n):
    points = x.astype("float32")
    centers = [points[0], points[0] + 2.0]
    for _ in range(n):
        groups = [[], []]
        for p in points:
            if (p - centers[0]).abs() < (p - centers[1]).abs():
                groups[0].append(p)
            else:
                groups[1].append(p)
        for k in range(2):
            if len(groups[k]) > 0:
                centers[k] = sum(groups[k]) / len(groups[k])
    return centers


def mandelbrot(x, n):
    re, im = x.astype("float32") * 0.3, 0.2
    counts = []
    for c in re:
        a, b, k = c * 0, c * 0, 0
        while a * a + b * b <= 4.0 and k < 20:
            a, b = a * a - b * b + c, 2 * a * b + im
            k += 1
        counts.append(k)
    return counts


def bubble_sort(x, n):
    items = []
    for v in x:
        items.append(v)
    swapped = True
    while swapped:
        swapped = False
        for i in range(len(items) - 1):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
    return items


def bubble_sort_in_tensor(x, n):
    y = x * 1
    m = y.shape[0]
    for i in range(m):
        for j in range(m - 1 - i):
            if y[j] > y[j + 1]:
                t = y[j] * 1
                y[j] = y[j + 1]
                y[j + 1] = t
    return y


def insertion_sort(x, n):
    a = [5, 2, 4, 1]
    a[0] = int(n)
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


def gcd(x, n):
    a, b = 12, n * 8
    while b:
        a, b = b, a % b
    return a


def collatz(x, n):
    k, path = n + 1, []
    while k != 1:
        path.append(k)
        k = k // 2 if k % 2 == 0 else 3 * k + 1
    return path, len(path)


def fast_power(x, n):
    base, result, e = x, x * 0 + 1, n
    while e > 0:
        if e % 2 == 1:
            result = result * base
        base = base * base
        e = e // 2
    return result


def prefix_sums(x, n):
    out, s = [], 0
    for v in x:
        s = s + v
        out.append(s)
    return paddle.stack(out)


def prefix_sums_of_ints(x, n):
    out = [0]
    for i in range(n):
        out.append(out[-1] + i)
    return out


def sieve(x, n):
    limit = n * 5
    is_prime = [True] * (limit + 1)
    primes = []
    for p in range(2, limit + 1):
        if is_prime[p]:
            primes.append(p)
            for m in range(p * p, limit + 1, p):
                is_prime[m] = False
    return primes


def binary_search(x, n):
    items = [1, 3, 5, 7, 9]
    low, high = 0, len(items) - 1
    while low <= high:
        mid = (low + high) // 2
        if items[mid] == n:
            return mid
        if items[mid] < n:
            low = mid + 1
        else:
            high = mid - 1
    return -1


def breadth_first(x, n):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: [0]}
    start = int(n) % 4
    seen, queue = [start], [start]
    while queue:
        node = queue.pop(0)
        for k in graph[node]:
            if k not in seen:
                seen.append(k)
                queue.append(k)
    return seen


def kv_cache(x, n):
    cache = {"k": paddle.zeros([0, 2]), "v": paddle.zeros([0, 2])}
    token = paddle.ones([1, 2])
    outs = []
    for t in range(n):
        cache["k"] = paddle.concat([cache["k"], token], axis=0)
        cache["v"] = paddle.concat([cache["v"], token * 2.0], axis=0)
        scores = paddle.matmul(token, cache["k"], transpose_y=True)
        token = paddle.matmul(paddle.nn.functional.softmax(scores), cache["v"]) * 0.5
        outs.append(token)
        if token.sum() > 100:
            break
    return outs, cache["k"]


def edit_distance(x, n):
    a, b = [1, 2, 3], [1, 3, 3, 2]
    a[0] = int(n)
    row = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        last, row[0] = row[0], i
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + cost)
    return row[-1]


def viterbi(x, n):
    trans = paddle.to_tensor([[0.1, 0.9], [0.8, 0.2]])
    score, back = paddle.zeros([2]), []
    for v in x.astype("float32"):
        total = score.unsqueeze(-1) + trans + v
        back.append(total.argmax(0))
        score = total.max(0)
    state = score.argmax()
    path = [state]
    for pointers in reversed(back):
        state = pointers[state]
        path.append(state)
    return path


def running_statistics(x, n):
    count, mean, m2 = 0, 0.0, 0.0
    for v in x:
        count += 1
        delta = v - mean
        mean = mean + delta / count
        m2 = m2 + delta * (v - mean)
    return mean, m2, count


def early_exit(x, n):
    layers = [lambda v: v * 2, lambda v: v + 1, lambda v: v * v]
    h, used = x, 0
    for layer in layers:
        h = layer(h)
        used += 1
        if h.abs().max() > 3 * n:
            return h, used
    return h, -1


ALGORITHMS = [f for f in globals().values() if inspect.isfunction(f) and f.__module__ == __name__]


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning", "ignore::dy2st.errors.JoinWarning")
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda f: f.__name__)
def test_agrees_with_plain_python(agree, algorithm):
    agree(lambda: algorithm, SPECS, *([np.array(x, np.float32), np.array(n, np.int64)] for x, n in CALLS))
