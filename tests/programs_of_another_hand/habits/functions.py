"""Functions as values: closures made in loops, partial, decorators, sorting by a key, texts."""

from ..habit import Habit

CLOSURES = Habit(
    "closures",
    defines="""
def adder(by):
    def add(value):
        return value + by
    return add


def counting():
    count = 0

    def tick(by=1):
        nonlocal count
        count += by
        return count
    return tick


def logged(function):
    @wraps(function)
    def inside(*args, **kwargs):
        inside.calls += 1
        return function(*args, **kwargs)
    inside.calls = 0
    return inside


@logged
def scaled(value, by=2):
    return value * by


@lru_cache(maxsize=None)
def squared(value):
    return value * value
""",
    begins="self.tick = counting()\nself.hooks = []",
    acts=(
        "$1 = [lambda v, i=i: v + i for i in range(3)]\nfor $2 in $1:\n    k = $2(k)",
        "$1 = []\nfor i in range($m):\n    $1.append(lambda v: v + i)\nfor $2 in $1:\n    k = $2(k)",
        "$1 = adder($i)\nk = $1(k)",
        "k = self.tick(${|$i})",
        "k = scaled($i${|, by=3})",
        "$1 = counting()\nfor $2 in x:\n    $1(${|2})\nk = $1()",
        "def $1(value):\n    nonlocal k\n    k = k + value\n$1($i)",
        "$1 = adder(1) if $c else adder($i)\nk = $1(k)",
        "self.hooks.append(adder(${1|2}))",
        "for $1 in self.hooks:\n    k = $1(k)",
        '$1 = {"a": adder(1), "b": lambda v: v * 2}\nk = $1["${a|b}"](k)',
        "k = reduce(lambda a, b: a + b, [1, $i, k])",
        "k = squared(${2|3})",
        "$1 = lambda v: y * v\ny = y + 1\nk = int($1(2))",
        "k = (lambda *a, **b: len(a) + sum(b.values()))($i, 2, q=$i)",
    ),
    ints=("self.tick()", "scaled.calls", "len(self.hooks)", "scaled($i)"),
    truths=("self.tick(0) > $m", "bool(self.hooks)"),
    told=("self.tick(0)", "scaled.calls"),
)

PARTIALS = Habit(
    "partial",
    defines="""
def blend(a, b, *more, scale=1):
    return (a + b + sum(more)) * scale


double = partial(blend, 0, scale=2)
""",
    begins="self.blend = partial(blend, ${1|2})\nself.offset = 1",
    methods="""
def move(self, by):
    self.offset += by
    return self.offset
""",
    acts=(
        "k = self.blend($i)",
        "k = double($i)",
        "k = partial(blend, $i)(1, scale=${2|3})",
        "$1 = partial(self.move, by=$i)\n$1()",
        "self.blend = partial(blend, $i)",
        "$1 = list(map(partial(blend, 1), [$i, 2]))\nk = sum($1)",
        "self.move($i)",
        "$1 = self.move\nfor $2 in range($m):\n    $1(1)",
        "y = partial(paddle.add, y)($t)",
        "$1 = partial(sorted, reverse=True)\nk = $1([k, 1, $i])[0]",
    ),
    ints=("self.blend(1)", "self.offset", "double(k)"),
    truths=("self.offset > 1",),
    told=("self.offset", "self.blend(1)"),
)

SORTING = Habit(
    "sorting and texts",
    begins='self.words = ["b", "aa"]\nself.text = ""',
    acts=(
        "self.words.sort(key=len)",
        "k = sorted([k, $i, 2], reverse=True)[0]",
        'self.text = self.text[-4:] + f"{k}"',
        'self.words.append("w" * ($m))',
        "for $1, $2 in enumerate(self.words):\n    k = k + $1 * len($2)",
        'self.text = "-".join(self.words)',
        "k = min([k, 3, $i], key=lambda v: (v - 1) ** 2)",
        "$1, $2 = divmod(k, 3)\nk = $1 + $2",
        "k, $1 = $i, k\nout.append($1)",
        "$1 = {w: len(w) for w in self.words}\nk = k + sum($1.values())",
        "k = sum(a * b for a, b in zip([1, 2], [$i, k]))",
        'if self.text.startswith("${1|2}"):\n    $b',
        "k = int(self.text or 0) % 7",
        'self.words = [w.upper() for w in self.words if len(w) < 3] or ["z"]',
        "k = k if k > $i else $i",
        "while len(self.words) > 2:\n    self.words.pop()",
        "k = list(reversed([1, 2, $i]))[0]",
        'self.words[0] += "${x|y}"',
        "del self.words[1:]",
    ),
    ints=("len(self.text)", "len(self.words[0])", "len(self.words)"),
    truths=('"aa" in self.words', 'self.text == ""'),
    told=("self.words", "self.text", 'f"{k}:{self.text}"'),
)

HABITS = (CLOSURES, PARTIALS, SORTING)
