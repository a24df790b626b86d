"""Subclasses of containers, and those of `collections`, changed wherever the program is."""

from ..habit import Habit

STACK = Habit(
    "list subclass",
    defines="""
class Stack(list):
    limit = ${2|3|4}

    def push(self, item):
        self.append(item)
        if len(self) > self.limit:
            ${self.pop(0)|del self[0]|self.pop()}
        return len(self)

    def total(self):
        return sum(self)
""",
    begins="self.stack = Stack(${[1]|[]|[1, 2]})",
    acts=(
        "self.stack.append($i)",
        "k = self.stack.push($i)",
        "self.stack.push($i)",
        "self.stack += [$i]",
        "if self.stack:\n    k = k + self.stack.pop()",
        "if len(self.stack) > 1:\n    self.stack[${0|-1|1}] = $i",
        "self.stack = Stack([$i, *self.stack[:2]])",
        "for $1 in self.stack:\n    k = k + $1",
        "self.stack.sort(${|reverse=True})",
        "$1 = Stack(self.stack)\n$1.push($i)\nk = $1.total()",
        "self.stack.clear()",
        "k = self.stack.pop()",
        "self.stack = type(self.stack)(sorted(self.stack))",
        "y = self.stack[$i] + y",
        "self.stack.extend($1 + 1 for $1 in self.stack[:1])",
    ),
    ints=("len(self.stack)", "self.stack.total()", "sum(self.stack)", "max(self.stack, default=0)"),
    truths=("bool(self.stack)", "$i in self.stack", "len(self.stack) > $m", "self.stack == [1]"),
    told=("[*self.stack]", "len(self.stack)", "self.stack"),
)

TABLE = Habit(
    "dict subclass",
    defines="""
class Table(dict):
    def __missing__(self, key):
        self[key] = made = ${0|1}
        return made

    def bump(self, key, by=1):
        self[key] = self.get(key, 0) + by
        return self[key]
""",
    begins="self.table = Table(${a=1|a=1, b=2|})",
    acts=(
        'self.table["${a|b|c}"] = $i',
        'self.table["${a|b|c}"] += $i',
        'k = self.table["${a|b|c}"]',
        'k = self.table.bump("${a|b|c}"${|, $i})',
        'self.table.pop("${a|b}", None)',
        "for $1, $2 in self.table.items():\n    k = k + $2",
        'self.table.update(${c=$i|{"a": $i}})',
        'k = self.table.pop("${a|b|c}")',
        'self.table.setdefault("${b|d}", $i)',
        "for $1 in list(self.table):\n    if $c:\n        del self.table[$1]",
    ),
    ints=('self.table["a"]', "len(self.table)", 'self.table.get("b", 0)', "sum(self.table.values())"),
    truths=('"${a|b|c}" in self.table', "bool(self.table)"),
    told=("dict(self.table)", "sorted(self.table.items())", "list(self.table)"),
)

COUNTER = Habit(
    "Counter",
    begins="self.votes = Counter(${a=1|[1, 1, 2]|})",
    acts=(
        'self.votes["${a|b}"] += 1',
        "self.votes[$i] += 1",
        "self.votes.update([$i, $i])",
        'self.votes["a"] += $i',
        "for $1, $2 in self.votes.most_common(${1|2|}):\n    k = k + $2",
        "self.votes = self.votes + Counter([$i])",
        "$1 = Counter()\nfor $2 in x:\n    $1[int($2)] += 1\nk = k + len($1)",
        "self.votes.subtract({$i: 1})",
        "k = self.votes[$i]",
        "self.votes.clear()",
    ),
    ints=("sum(self.votes.values())", "len(self.votes)", 'self.votes["a"]', "self.votes[$i]"),
    truths=("$i in self.votes", '"b" in self.votes'),
    told=("dict(self.votes)", "self.votes.most_common(1)", "len(self.votes)"),
)

GROUPS = Habit(
    "defaultdict",
    begins="self.groups = defaultdict(list)",
    acts=(
        'self.groups["${a|b}"].append($i)',
        "self.groups[$i].append($i)",
        "self.groups[$i % 2].append($t)",
        'for $1 in self.groups["a"]:\n    k = k + $1',
        "$1 = defaultdict(int)\nfor $2 in x:\n    $1[int($2) % 2] += 1\nk = k + $1[0]",
        "for $1, $2 in self.groups.items():\n    k = k + len($2)",
        'if self.groups["b"]:\n    k = self.groups["b"].pop()',
    ),
    ints=("len(self.groups)", 'len(self.groups["a"])', "sum(map(len, self.groups.values()))"),
    truths=('"a" in self.groups', "$i in self.groups"),
    told=("dict(self.groups)", "list(self.groups)"),
)

WINDOW = Habit(
    "deque",
    defines="""
class Window(deque):
    def mean(self):
        return sum(self) // max(1, len(self))
""",
    begins="self.window = ${deque|Window}(${[]|[1]|[1, 2]}, maxlen=${2|3})\nself.recent = Window(maxlen=2)",
    acts=(
        "self.window.append($i)",
        "self.window.appendleft($i)",
        "if self.window:\n    k = k + self.window.popleft()",
        "self.window.extend([$i, $i])",
        "self.window.rotate(${1|-1|$i})",
        "for $1 in self.window:\n    k = k + $1",
        "self.recent.append($i)",
        "k = self.recent.mean()",
        "k = self.window.popleft()",
        "self.recent.append(y)",
        "$1 = deque([$i])\nwhile $1:\n    $2 = $1.popleft()\n    if 0 < $2 < 4:\n        $1.append($2 - 1)\n    k = k + $2",
    ),
    ints=("len(self.window)", "sum(self.window)", "len(self.recent)"),
    truths=("$i in self.window", "bool(self.window)", "len(self.window) == self.window.maxlen"),
    told=("list(self.window)", "len(self.recent)"),
)

RECENT = Habit(
    "OrderedDict",
    defines="""
class Recent(OrderedDict):
    def __init__(self, size):
        super().__init__()
        self.size, self.misses = size, 0

    def fetch(self, key, make):
        if key in self:
            self.move_to_end(key)
            return self[key]
        self.misses += 1
        self[key] = make(key)
        if len(self) > self.size:
            self.popitem(last=False)
        return self[key]
""",
    begins="self.cache = Recent(${1|2})",
    acts=(
        "k = self.cache.fetch($i, lambda key: key * 2)",
        'y = y + self.cache.fetch("${p|q|r}", lambda key: ${1|2|3})',
        "self.cache.fetch($i % 3, lambda key: key + $i)",
        "self.cache.clear()",
        "for $1 in self.cache.values():\n    y = y + $1",
    ),
    ints=("len(self.cache)", "self.cache.misses"),
    truths=("$i in self.cache", "self.cache.misses > $m"),
    told=("list(self.cache.items())", "self.cache.misses"),
)

NESTED = Habit(
    "nested containers",
    begins='self.board = [[0, 1], [2]]\nself.index = {"rows": self.board, "first": self.board[0]}\nself.seen = set()',
    acts=(
        "self.board[0].append($i)",
        'self.index["first"][0] = $i',
        "self.board.append([$i])",
        "self.seen.add($i)",
        "for $1 in self.board:\n    for $2 in $1:\n        k = k + $2",
        "self.board[${0|-1}], $1 = [$i], self.board[0]\nk = k + len($1)",
        "if $i not in self.seen:\n    self.seen.add($i)\n    $b",
        "self.board = [[$2 for $2 in $1 if $2 > $i] for $1 in self.board]",
        "$1, *$2 = self.board\nk = k + len($2)",
        'self.index["rows"] = [$1[::-1] for $1 in self.board]',
        "self.seen |= {$i, $i}",
        "self.board.sort(key=len)",
        "self.board[0] = self.board[-1]",
    ),
    ints=("len(self.board)", "sum(map(len, self.board))", "self.board[0][0]", "len(self.seen)"),
    truths=("$i in self.seen", "$i in self.board[0]", 'self.index["rows"] is self.board'),
    told=("self.board", 'self.index["first"]', "sorted(self.seen)", "self.index"),
)

HABITS = (STACK, TABLE, COUNTER, GROUPS, WINDOW, RECENT, NESTED)
