"""Classes that change themselves, inherit, and have operators, properties and attributes of their own."""

from ..habit import Habit

ACCOUNT = Habit(
    "inheritance and super()",
    defines="""
class Account:
    made = 0

    def __init__(self, size=1, log=None):
        type(self).made += 1
        self.size = size
        self.log = [] if log is None else log

    def add(self, by):
        self.size += by
        self.log.append(by)
        return self

    def worth(self):
        return self.size

    def __len__(self):
        return len(self.log)


class Saving(Account):
    rate = ${1|2}

    def __init__(self, size=1, log=None, rate=None):
        super().__init__(size, log)
        if rate is not None:
            self.rate = rate

    def add(self, by):
        super().add(by * self.rate)
        if self.size > ${3|5}:
            ${self.rate = 1|self.log.clear()|self.size = 0}
        return self

    def worth(self):
        return super().worth() + ${len(self.log)|self.rate}
""",
    begins="self.account = ${Account(2)|Saving()|Saving(1, [1], 3)}",
    acts=(
        "self.account.add($i)",
        "k = self.account.add($i).worth()",
        "self.account = ${Account|Saving}($i)",
        "self.account.size ${+|-}= $i",
        "$1 = Saving($i, self.account.log)\n$1.add($i)",
        "$1 = ${Account|Saving}($i, [])\nif $c:\n    $1.add(1)\nk = $1.worth()",
        "$1 = Account(1) if $c else Saving(2)\n$1.add($i)\nk = k + $1.worth()",
        "self.account.rate = $i",
        "if isinstance(self.account, Saving):\n    $b",
        "self.account = type(self.account)(self.account.size + 1)",
        "for $1 in (self.account, Saving(2)):\n    $1.add($i)",
    ),
    ints=("self.account.worth()", "self.account.size", "len(self.account)", "Account.made", "Saving.made"),
    truths=("bool(self.account)", "isinstance(self.account, Saving)", "self.account.size > $i"),
    told=("self.account.worth()", "self.account.log", "type(self.account).__name__", "Saving.made"),
)

VECTOR = Habit(
    "operators",
    defines="""
class Vec:
    def __init__(self, a, b=0):
        self.a, self.b = a, b

    def __add__(self, other):
        if not isinstance(other, Vec):
            ${return NotImplemented|return type(self)(self.a + other, self.b)}
        return type(self)(self.a + other.a, self.b + other.b)

    def __radd__(self, other):
        return ${self + Vec(other)|type(self)(other + self.a, self.b)}

    def __mul__(self, by):
        return ${type(self)|Vec|self.__class__}(self.a * by, self.b * by)

    def __neg__(self):
        return type(self)(-self.a, -self.b)

    def __iadd__(self, other):
        self.a = self.a + ${1|other.a if isinstance(other, Vec) else other}
        return self

    def __eq__(self, other):
        return isinstance(other, Vec) and (self.a, self.b) == (other.a, other.b)

    def __lt__(self, other):
        return self.a < other.a

    def __bool__(self):
        return ${self.a != 0|bool(self.a > 1)}

    def __getitem__(self, i):
        return (self.a, self.b)[i]

    def __iter__(self):
        ${return iter((self.a, self.b))|yield self.a\n        yield self.b}

    def __contains__(self, value):
        return value == self.a or value == self.b

    def __call__(self, by):
        return self.a * by + self.b

    def __repr__(self):
        return f"{type(self).__name__}({self.a}, {self.b})"


class Shifted(Vec):
    ${pass|def __add__(self, other):\n        return super().__add__(other)}
""",
    begins="self.vec = ${Vec|Shifted}(1, ${0|2})\nself.where = Vec(2)",
    acts=(
        "self.vec = self.vec + ${$i|Vec($i)|self.where|Shifted($i, $i)}",
        "self.vec = $m + self.vec",
        "self.vec += $i",
        "self.vec += self.where",
        "self.vec = -self.vec",
        "self.vec = self.vec * ${2|3|$i}",
        "k = self.vec($i)",
        "$1, $2 = self.vec\nk = $1 - $2",
        "$1 = Vec($i)\nfor $2 in x:\n    $1 = $1 + ${1|Vec(1, 2)|int($2)}\nk = $1.a",
        "if self.vec:\n    $b",
        "self.vec, self.where = self.where, self.vec",
        "self.vec = max(self.vec, Vec($i), key=lambda v: v.a)",
        "$1 = sum([Vec(1), Shifted($i)], Vec(0))\nk = $1.a",
        "self.where = self.vec",
        "$1 = sorted([Vec($i), Vec($i, 1), self.where])\nk = $1[0].a",
        "$1 = Vec($t, $t)\n$1 = $1 * 2 + Vec(y, y)\ny = $1.a",
    ),
    ints=("self.vec.a", "self.vec[1]", "self.where.a", "self.vec(1)"),
    truths=("bool(self.vec)", "self.vec < self.where", "self.vec == self.where", "$i in self.vec", "self.vec is self.where"),
    told=("[*self.vec]", "self.vec", "repr(self.vec)", "self.where.a", "type(self.vec).__name__"),
)

GAUGE = Habit(
    "properties",
    defines="""
class Gauge:
    reads = 0

    def __init__(self, level=1):
        self._level = level
        self._cached = None

    @property
    def level(self):
        self.reads += 1
        return self._level

    @level.setter
    def level(self, value):
        if value > ${5|8}:
            ${raise ValueError("the level is too high")|value = 0}
        self._level = value
        self._cached = None

    @property
    def doubled(self):
        if self._cached is None:
            self._cached = self._level * 2
        return self._cached

    @classmethod
    def of(cls, *levels):
        return cls(sum(levels))

    @staticmethod
    def clipped(value, high=3):
        return min(value, high)
""",
    begins="self.gauge = Gauge(${1|2})",
    acts=(
        "self.gauge.level = $i",
        "self.gauge.level += $i",
        "k = self.gauge.doubled",
        "self.gauge = Gauge.of($i, 1)",
        "k = Gauge.clipped($i)",
        "self.gauge.level = self.gauge.clipped($i, high=$m)",
        "$1 = self.gauge\n$1.level = $1.level + 1",
        "if self.gauge.doubled > $i:\n    $b",
    ),
    ints=("self.gauge.level", "self.gauge.doubled", "self.gauge.reads"),
    truths=("self.gauge.level > $i", "self.gauge._cached is None"),
    told=("self.gauge.level", "self.gauge.reads", "self.gauge._cached"),
)

NODES = Habit(
    "linked objects",
    defines="""
class Node:
    def __init__(self, value, rest=None):
        self.value, self.rest = value, rest

    def __iter__(self):
        node = self
        while node is not None:
            yield node.value
            node = node.rest


def depth(node):
    return 0 if node is None else 1 + depth(node.rest)


def tree_sum(tree):
    if isinstance(tree, tuple):
        return sum(tree_sum(part) for part in tree)
    return tree
""",
    begins="self.head = ${None|Node(1)|Node(1, Node(2))}",
    acts=(
        "if $c:\n    self.head = Node($i)",
        "if self.head is not None:\n    self.head.value = $i",
        "k = tree_sum((1, ($i, 2), (k,)))",
        "if self.head is not None:\n    for $1 in self.head:\n        k = k + $1",
        "if self.head is not None:\n    self.head = self.head.rest",
        "$1 = None\nfor $2 in x:\n    $1 = Node(int($2), $1)\nk = depth($1)",
        "k = self.head.value",
        "if depth(self.head) < 3:\n    self.head = Node($i, self.head)",
    ),
    ints=("depth(self.head)",),
    truths=("self.head is None", "self.head is not None and self.head.value > $i"),
    told=("None if self.head is None else [*self.head]", "depth(self.head)"),
)

PART = Habit(
    "a sublayer",
    defines="""
class Part(paddle.nn.Layer):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.calls = 0
        self.register_buffer("seen", paddle.zeros([]))
        self.weight = self.create_parameter([1], default_initializer=paddle.nn.initializer.Constant(0.5))

    def forward(self, x):
        self.calls += 1
        self.seen ${+= x.sum()|= self.seen + x.sum()}
        return x * self.weight * self.scale

    def __add__(self, by):
        self.scale = self.scale + by
        return self


class Louder(Part):
    def forward(self, x):
        found = super().forward(x)
        if found.sum() > 1:
            self.calls += 10
        return found + 1
""",
    begins="self.part = ${Part(2)|Louder(1)}\nself.parts = paddle.nn.LayerList([Part(1), Louder(2)])",
    acts=(
        "y = y + self.part(x).sum()",
        "for $1 in self.parts:\n    y = y + $1(x).sum()",
        "self.part.scale = $i",
        "self.part = self.part + 1",
        "y = self.part(y).sum()",
        "self.part.calls = 0",
        "for $1, $2 in enumerate(self.parts):\n    if $c:\n        y = $2(y.reshape([1])).sum() + $1",
        "$1 = self.parts[0]\n$1.scale = $1.scale + $i",
    ),
    ints=("self.part.calls", "self.part.scale", "len(self.parts)", "self.parts[1].calls"),
    tensors=("self.part.seen", "self.part(x).sum()"),
    truths=("self.part.calls > $m", "self.part.seen > 1"),
    told=("self.part.calls", "self.part.seen", "[p.calls for p in self.parts]"),
)

LAZY = Habit(
    "attributes of its own",
    defines="""
class Options:
    def __init__(self, **values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return ${0|len(name)}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.left = 1


class Strict:
    __slots__ = ("low", "high")

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __eq__(self, other):
        return self.low == other.low

    def __hash__(self):
        return 1

    def widen(self, by):
        self.low, self.high = self.low - by, self.high + by
""",
    begins="self.options = Options(a=1)\nself.span = Strict(0, ${1|2})",
    acts=(
        "self.options.${a|b} = $i",
        "k = self.options.${a|b|missing}",
        "self.span.widen($i)",
        "self.span = Strict($i, $i)",
        'setattr(self.options, "${a|c}", $i)',
        'k = getattr(self.options, "${a|zz}")',
        "with self.options as $1:\n    $b",
        'if hasattr(self.options, "${b|_b}"):\n    $b',
        "self.span.low, self.span.high = self.span.high, self.span.low",
        "k = self.span.middle",
        "for $1 in vars(self.options).values():\n    k = k + $1",
    ),
    ints=("self.span.high - self.span.low", "self.options.a", "self.options.b"),
    truths=("self.span.low < self.span.high", "self.span == Strict(0, 5)"),
    told=("self.span.low", "self.options.b", "vars(self.options)"),
)

HABITS = (ACCOUNT, VECTOR, GAUGE, NODES, PART, LAZY)
