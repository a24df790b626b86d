"""NamedTuples and dataclasses, kept, replaced and compared."""

from ..habit import Habit

POINT = Habit(
    "NamedTuple",
    defines="""
class Point(NamedTuple):
    a: int
    b: int = ${0|3}

    def moved(self, by):
        return self._replace(a=self.a + by)

    @property
    def sum(self):
        return self.a + self.b


Pair = namedtuple("Pair", "left right")
""",
    begins="self.point = Point(1${|, 2})\nself.pair = Pair(paddle.to_tensor([1.0]), 0)",
    acts=(
        "self.point = self.point._replace(${a|b}=$i)",
        "self.point = self.point.moved($i)",
        "self.point = Point(*self.point)",
        "self.point = Point(**self.point._asdict())",
        "self.point = Point($i, $i)",
        "$1, $2 = self.point\nk = $1 + $2",
        "for $1 in self.point:\n    k = k + $1",
        "self.pair = self.pair._replace(right=$i)",
        "self.pair = Pair(x.sum().reshape([1]), k)",
        "k = sum(self.point._asdict().values())",
        "$1 = Point($i)\nwhile $1.a < 3:\n    $1 = $1._replace(a=$1.a + 1)\nk = $1.sum",
        "y = y + self.pair.left.sum()",
        "$1 = [Point(i, $i) for i in range(2)]\nk = max($1).b",
        "self.point = self.point._make([$i, 1])",
    ),
    ints=("self.point.a", "self.point[1]", "self.point.sum", "self.pair.right", "len(self.point)"),
    tensors=("self.pair.left.sum()",),
    truths=("self.point == (1, 2)", "self.point > (1, 1)", "$i in self.point"),
    told=("self.point", "self.point._asdict()", "self.pair", "tuple(self.point)"),
)

ITEM = Habit(
    "dataclass",
    defines="""
@dataclass${|(slots=True)|(order=True)|(eq=False)}
class Item:
    size: int
    tags: list = field(default_factory=list)
    name: str = "item"

    def tag(self, value):
        self.tags.append(value)
        return self

    def __post_init__(self):
        self.size = ${self.size|max(self.size, 0)|self.size + 1}


@dataclass${(slots=True)|}
class Box(Item):
    extra: int = 1

    def tag(self, value):
        self.extra += 1
        return super().tag(value + self.extra)
""",
    begins="self.item = ${Item|Box}(1)",
    acts=(
        "self.item.tags.append($i)",
        "self.item.tag($i)",
        "self.item.size = $i",
        "self.item = replace(self.item, size=$i)",
        "self.item = ${Item|Box}($i, [k])",
        'self.item.name += "${a|!}"',
        "$1 = Item($i)\n$1.tag(2).tag($i)\nk = sum($1.tags)",
        "if self.item.tags:\n    k = self.item.tags.pop()",
        'k = asdict(self.item)["size"]',
        "self.item.tags = [*self.item.tags, $i]",
        "for $1 in fields(self.item)[:1]:\n    k = k + getattr(self.item, $1.name)",
        "$1 = replace(self.item)\n$1.tag($i)",
    ),
    ints=("self.item.size", "len(self.item.tags)", "sum(self.item.tags)", "len(self.item.name)"),
    truths=("self.item == Item(1)", "bool(self.item.tags)", "isinstance(self.item, Box)"),
    told=("self.item.tags", "self.item", "self.item.size, self.item.name", "astuple(self.item)"),
)

FROZEN = Habit(
    "frozen dataclass",
    defines="""
@dataclass(frozen=True${|, slots=True|, order=True})
class Config:
    width: int = 2
    name: str = "base"
    parts: tuple = (1, 2)

    def wider(self, by=1):
        return replace(self, width=self.width + by)

    @property
    def area(self):
        return self.width * sum(self.parts)
""",
    begins="self.config = Config(${|3})\nself.known = {Config(): 1}",
    acts=(
        "self.config = self.config.wider(${|$i})",
        'self.config = replace(self.config, ${width=$i|parts=(*self.config.parts, 1)[:3]|name="new"})',
        'self.config = Config($i, "made")',
        "k = self.config.area",
        "self.config.width = $i",
        "try:\n    self.config.width = $i\nexcept FrozenInstanceError as $1:\n    out.append(str($1))",
        "k = self.known.get(self.config, 0)",
        "if self.config.width > $i:\n    $b",
    ),
    ints=("self.config.width", "self.config.area", "len(self.config.parts)"),
    truths=("self.config == Config()", 'self.config.name == "new"', "self.config in self.known"),
    told=("self.config", "self.config.parts", "self.config.name"),
)

HABITS = (POINT, ITEM, FROZEN)
