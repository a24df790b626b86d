"""Managers of the user's, exceptions with attributes, generators."""

from ..habit import Habit

SCOPE = Habit(
    "context managers",
    defines="""
class Scope:
    def __init__(self, owner, swallow=()):
        self.owner, self.swallow = owner, swallow

    def __enter__(self):
        self.owner.depth += 1
        return self.owner.depth

    def __exit__(self, kind, error, trace):
        self.owner.depth -= 1
        if kind is not None:
            self.owner.events.append(kind.__name__)
        return kind is not None and issubclass(kind, self.swallow)


@contextmanager
def setting(owner, value):
    before, owner.depth = owner.depth, value
    ${try:\n        yield before\n    finally:\n        owner.depth = before|yield before\n    owner.depth = before}
""",
    begins="self.depth, self.events = 0, []",
    acts=(
        "with Scope(self):\n    $b",
        "with Scope(self) as $1:\n    k = k + $1\n    $b",
        "with Scope(self, (ValueError, IndexError)):\n    $b",
        "with Scope(self, Exception):\n    $b\n    k = k // ($i)",
        "with setting(self, $i):\n    $b",
        "with setting(self, 5) as $1, Scope(self):\n    $b",
        "with Scope(self, ZeroDivisionError):\n    k = 7 // $i\n    self.events.append(k)",
        "with suppress(KeyError, ValueError):\n    $b",
        'with Scope(self, ValueError):\n    if $c:\n        raise ValueError("inside")\n    $b',
    ),
    ints=("self.depth", "len(self.events)"),
    truths=("bool(self.events)", "self.depth > 0"),
    told=("self.depth", "self.events"),
)

FAULT = Habit(
    "exceptions",
    defines="""
class Fault(Exception):
    def __init__(self, code, where="net"):
        super().__init__(${f"fault {code}"|code, where|where})
        self.code, self.where = code, where


class Deep(Fault, ${ValueError|LookupError}):
    def __init__(self, code):
        super().__init__(code, "deep")
        self.extra = [code]

    def __str__(self):
        return f"deep {self.code}"


def checked(value, low=${0|1}):
    if value < low:
        raise Deep(value)
    if value > 4:
        raise Fault(value)
    return value
""",
    begins="self.faults, self.last = [], None",
    acts=(
        "try:\n    k = checked($i)\nexcept Deep as e:\n    self.faults.append(e.code)\nexcept Fault as e:\n    k = e.code - 1",
        "try:\n    $b\n    if $c:\n        raise Fault($i)\nexcept Fault as e:\n    self.faults.append(e.code)\n    $b",
        "try:\n    $b\n    k = checked($i)\nexcept (Deep, ZeroDivisionError) as e:\n    out.append(str(e))\n"
        "else:\n    $b\nfinally:\n    k = k + 1",
        "if $c:\n    raise ${Fault|Deep}($i)",
        "k = checked($i)",
        "try:\n    k = [1, 2, 3][$i]\nexcept IndexError as e:\n    out.append(str(e))",
        "try:\n    $b\nfinally:\n    self.faults.append($i)",
        'try:\n    k = checked($i)\nexcept Deep as e:\n    raise Fault(e.code, "again") from e',
        'try:\n    k = {"a": 1}["${a|b}"] // $i\nexcept (KeyError, ZeroDivisionError) as e:\n    out.append(type(e).__name__)',
        "for $1 in range(3):\n    try:\n        if $1 == $i:\n            continue\n"
        "        k = checked(k - $1)\n    except Fault as e:\n        self.last = e.where\n        break",
        "try:\n    checked($i)\nexcept Fault as e:\n    self.last = e.where\n    out.append(isinstance(e, Deep))",
    ),
    ints=("len(self.faults)", "sum(self.faults)"),
    truths=("bool(self.faults)", "self.last is None"),
    told=("self.faults", "self.last"),
)

STREAM = Habit(
    "generators",
    defines="""
def counted(limit, step=1):
    k = 0
    while k < limit:
        yield k
        k += step
    ${return|return k|pass}


def positives(rows):
    for row in rows:
        if row > 0:
            yield row


def chained(*parts):
    for part in parts:
        yield from part


def running():
    total = 0
    while True:
        got = yield total
        if got is None:
            return
        total += got


def pairs(values):
    previous = None
    for value in values:
        if previous is not None:
            yield previous, value
        previous = value
""",
    begins="self.streamed = 0",
    acts=(
        "for $1 in counted($m):\n    $b",
        "for $1 in positives(x):\n    y = y + $1\n    $b",
        "k = sum($1 * 2 for $1 in counted(4) if $1 != $i)",
        "k = next(($1 for $1 in counted(5) if $1 > $i), -1)",
        "k = next($1 for $1 in counted(5) if $1 > $i)",
        "if any($1 > $i for $1 in counted(3)):\n    $b",
        "if all($1 > k for $1 in x):\n    $b",
        "for $1 in chained([k], counted(2), (1, 2)):\n    self.streamed += $1",
        "$1 = running()\nnext($1)\nk = $1.send($i)\nk = $1.send(1)",
        "for $1, $2 in pairs([k, 1, $i]):\n    k = k + $2 - $1",
        "$1 = counted(3)\nk = k + next($1)\nfor $2 in $1:\n    if $c:\n        break\n    k = k + $2",
        "$1 = list(positives(x))\nk = k + len($1)",
        "for $1, $2 in zip(counted(3), x):\n    y = y + $1 * $2",
        "k = max((int($1) for $1 in x), default=0)",
        "$1 = tuple($2 + $i for $2 in range(2))\nk = $1[0]",
        "y = y + sum(($1 for $1 in x), paddle.zeros([]))",
        "self.streamed = len([1 for $1 in x if $1 > 0])",
    ),
    ints=("sum(counted($m))", "sum(1 for r in x if r > 0)", "self.streamed", "len(list(counted($m, 2)))"),
    tensors=("sum((r * 2 for r in x), paddle.zeros([]))",),
    truths=("any(r > 1 for r in x)", "all(v < $i for v in counted(3))", "$i in counted(3)"),
    told=("self.streamed", "[v * k for v in counted(2)]"),
)

HABITS = (SCOPE, FAULT, STREAM)
