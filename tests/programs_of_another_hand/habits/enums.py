"""Enums and Flags, chosen and compared by tensors, and machines whose states they are."""

from ..habit import Habit

MODE = Habit(
    "Enum",
    defines="""
class Mode(Enum):
    LOW = ${1|"low"|0}
    HIGH = ${2|"high"|5}
    OFF = ${3|None}

    @property
    def active(self):
        return self is not Mode.OFF

    def flipped(self):
        return Mode.HIGH if self is Mode.LOW else Mode.LOW

    @classmethod
    def of(cls, value):
        if value > 2:
            return cls.HIGH
        return cls.LOW if value > 0 else cls.OFF


TABLE_OF_MODES = {Mode.LOW: 1, Mode.HIGH: 2}
""",
    begins="self.mode = Mode.${LOW|HIGH|OFF}",
    acts=(
        "self.mode = Mode.${LOW|HIGH|OFF}",
        "self.mode = Mode.LOW if $c else Mode.HIGH",
        "self.mode = Mode.of($i)",
        "self.mode = self.mode.flipped()",
        "if self.mode is Mode.${LOW|HIGH}:\n    $b",
        "if self.mode == Mode.OFF:\n    $b\nelse:\n    $b",
        "k = TABLE_OF_MODES[self.mode]",
        "match self.mode:\n    case Mode.LOW:\n        $b\n    case Mode.HIGH if $c:\n        $b\n    case _:\n        k = k + 1",
        "$1 = Mode.of(x.sum())\nif $1.active:\n    $b",
        "for $1 in Mode:\n    if $1 is self.mode:\n        k = k + 1",
        "out.append(self.mode.name)",
        "k = TABLE_OF_MODES.get(self.mode, 0)",
        "$1 = {m: 0 for m in Mode}\n$1[self.mode] += 1\nk = k + $1[Mode.LOW]",
    ),
    ints=("len(self.mode.name)", "TABLE_OF_MODES.get(self.mode, 0)", "list(Mode).index(self.mode)"),
    truths=("self.mode is Mode.LOW", "self.mode.active", "self.mode in (Mode.LOW, Mode.OFF)", "self.mode in TABLE_OF_MODES"),
    told=("self.mode", "self.mode.name", "self.mode.value", "Mode.LOW if $c else Mode.HIGH"),
)

LEVEL = Habit(
    "IntEnum and Flag",
    defines="""
class Level(IntEnum):
    NONE = 0
    SOME = 1
    ALL = 2


class Perm(${Flag|IntFlag}):
    READ = auto()
    WRITE = auto()
    RUN = auto()
    BOTH = READ | WRITE
""",
    begins="self.level = Level.${NONE|SOME}\nself.perm = Perm.${READ|BOTH}",
    acts=(
        "self.level = Level.${SOME|ALL}",
        "self.level = Level(min(2, max(0, $i)))",
        "if self.level >= Level.SOME:\n    $b",
        "k = self.level + $i",
        "self.perm |= Perm.${RUN|WRITE}",
        "self.perm = self.perm & Perm.${BOTH|READ}",
        "self.perm = self.perm & ~Perm.READ",
        "self.perm ^= Perm.WRITE if $c else Perm.RUN",
        "if Perm.${READ|RUN} in self.perm:\n    $b",
        "if self.perm & Perm.${WRITE|READ}:\n    $b",
        "self.perm = Perm.READ | Perm.RUN",
        "k = k + self.level.value",
        "for $1 in Level:\n    if $1 > $i:\n        k = k + $1",
    ),
    ints=("self.level + 1", "self.perm.value", "int(self.level)"),
    truths=(
        "self.level > 0",
        "bool(self.perm & Perm.WRITE)",
        "Perm.READ in self.perm",
        "self.level == Level.SOME",
        "self.level is Level.ALL",
    ),
    told=("self.level", "self.perm", "self.level.name", "self.perm.value"),
)

MACHINE = Habit(
    "state machine",
    defines="""
NEXT = {"idle": "run", "run": "done", "done": "idle"}


class Machine:
    def __init__(self, state="idle"):
        self.state, self.steps = state, []

    def step(self, signal):
        match (self.state, signal):
            case ("idle", s) if s > ${0|1}:
                self.state = "run"
            case ("run", 0):
                self.state = "idle"
            case ("run" | "done", _):
                self.state = NEXT[self.state]
            case _:
                ${pass|self.steps.clear()|raise KeyError(self.state)}
        self.steps.append(self.state)
        return self.state
""",
    begins='self.machine = Machine(${|"run"})',
    acts=(
        "self.machine.step($i)",
        'if self.machine.step($i) == "run":\n    $b',
        "for $1 in x:\n    self.machine.step(int($1))",
        "self.machine.steps.pop()",
        "self.machine.state = NEXT[self.machine.state]",
        "out.append(self.machine.step(k))",
        'out.append(f"{self.machine.state}:{k}")',
        'while self.machine.state != "done" and len(self.machine.steps) < 6:\n    self.machine.step($i)',
    ),
    ints=("len(self.machine.steps)", 'self.machine.steps.count("run")'),
    truths=('self.machine.state == "run"', '"done" in self.machine.steps'),
    told=("self.machine.state", "self.machine.steps", '",".join(self.machine.steps)'),
)

HABITS = (MODE, LEVEL, MACHINE)
