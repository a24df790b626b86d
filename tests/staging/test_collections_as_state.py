"""`deque`, `Counter`, `defaultdict` and `OrderedDict` from outside: on `self`, in lists, as globals."""

from __future__ import annotations

import io
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.static import InputSpec

from .agreement import NUMBER, as_programs, assert_agrees, outcome, plain

SPEC = [InputSpec([], "int64", "n")]
COUNTS = (0, 1, 2, 3, 2, 0, 3, 1)


class Holding(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.recent = deque([1], maxlen=3)
        self.counts = Counter(x=1)
        self.groups = defaultdict(list)
        self.order = OrderedDict(a=1)
        self.table = OrderedDict(a=1, b=2)
        self.queues = [deque([1]), deque([2, 3])]
        self.last = None


class Changed(Holding):
    def forward(self, n):
        self.recent.append(int(n))
        if n > 1:
            self.counts["x"] += 1
            self.counts.update("y")
            self.groups[int(n)].append(7)
            self.order["b"] = int(n)
            self.order.move_to_end("a")
        alias = self.recent
        alias.appendleft(0)
        total = 0
        for value in self.recent:
            total = total + value
        for key in self.table:
            total += self.table[key]
        return (total, len(self.recent), self.counts["x"], self.counts.most_common(1), list(self.order), dict(self.groups),
                alias is self.recent, str(self.order), self.recent[0], self.counts + Counter("aa"))


class ByIndex(Holding):
    def forward(self, n):
        self.queues[int(n) % 2].append(5)
        for queue in self.queues:
            queue.append(1)
        key = "a" if n > 1 else "b"
        return [len(queue) for queue in self.queues], self.table[key], key in self.table, self.table.get(key)


class Replaced(Holding):
    def forward(self, n):
        if self.last is None:
            self.last = deque(maxlen=2)
        self.last.append(int(n))
        if n > 2:
            self.last = deque([9])
        self.groups["k"].append(int(n))
        self.groups["k"][0] += 1
        return list(self.last), self.groups["k"], self.groups


class GivenBack(Holding):
    def forward(self, n):
        self.recent.append(int(n))
        return self.recent, self.counts, self.queues[0]


class ReadOnly(Holding):
    def forward(self, n):
        return len(self.recent) + int(n), self.counts["x"], self.counts["nothing"], self.table["a"], [*self.table]


KINDS = (list, deque, Counter, defaultdict, OrderedDict)


class Stack(list):
    limit = 3


class R07ReplacedInLoops(Holding):
    """Another one of the kind takes the place of what was read before, inside of staged control flow."""

    def __init__(self):
        super().__init__()
        self.stack = Stack([2, 1])

    def forward(self, n):
        k, common = int(n), 0
        for i in range(n):
            self.counts = self.counts + Counter([i])
            for _, count in self.table.items():
                common = common + count
        while k > 0:
            k -= 1
            for key, count in Counter(self.order).most_common(1):
                common += count
        if n > 1:
            self.stack = type(self.stack)(sorted(self.stack))
        self.stack.append(int(n))
        self.stack = type(self.stack)(self.stack[-3:])
        return common, dict(self.counts), list(self.stack), self.stack.limit, type(self.stack) is Stack


class R07ReadInLoops(Holding):
    def forward(self, n):
        total = 0
        for _ in range(n):
            for _, count in self.counts.most_common():
                total = total + count
            total += self.counts.total() + len(list(self.counts.elements()))
        return total


def held(net):
    return {name: plain(value) for name, value in vars(net).items() if type(value) in KINDS}


CASES = [Changed, ByIndex, Replaced, GivenBack, ReadOnly, R07ReplacedInLoops, R07ReadInLoops]


@pytest.mark.long
@pytest.mark.parametrize("cls", sampled(CASES, 4), ids=lambda cls: cls.__name__)
def test_state_agrees_over_many_calls(cls):
    eager, live, kept = cls(), cls(), cls()
    static = paddle.jit.to_static(live, input_spec=SPEC)
    file = io.BytesIO()
    paddle.jit.save(paddle.jit.to_static(kept, input_spec=SPEC), file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    for n in COUNTS:
        call = [np.array(n, np.int64)]
        expected = outcome(eager, call)
        assert repr(outcome(static, call)) == repr(expected) == repr(outcome(loaded, call))
        assert held(live) == held(eager)


def test_a_live_deque_stays_the_same_object():
    net = GivenBack()
    recent = net.recent
    static = paddle.jit.to_static(net, input_spec=SPEC)
    assert static(paddle.to_tensor(4))[0] is recent is net.recent
    recent.append(5)
    assert list(static(paddle.to_tensor(6))[0]) == [4, 5, 6]


SEEN = Counter()


def count_in_a_global(x, n):
    SEEN["calls"] += 1
    return n


def test_a_global_is_state():
    static, loaded = as_programs(count_in_a_global)
    SEEN.clear()
    for _ in range(3):
        static(paddle.ones([2]), paddle.to_tensor(1))
    assert SEEN == {"calls": 3}
    loaded(paddle.ones([2]), paddle.to_tensor(1))
    assert SEEN == {"calls": 3}


LIMITS = OrderedDict(low=1, high=3)


def constant_table(x, n):
    return LIMITS["low"], [k for k in LIMITS], LIMITS.get("none", 5), len(LIMITS)


def test_a_table_that_nobody_changes_is_a_constant():
    assert_agrees(constant_table)
    static, _ = as_programs(constant_table, (InputSpec([None]), NUMBER))
    assert static.concrete_program.program.state == {}
