"""Functions that change what they are given, and globals that change."""

from ..habit import Habit

BOX = Habit(
    "a changed list argument",
    defines="""
def fill(into, value, times=1):
    for _ in range(times):
        into.append(value)
    return into
""",
    argument=("box", "${[#, #]|[]|[#]}"),
    acts=(
        "box.append($i)",
        "fill(box, $i, $m)",
        "if box:\n    k = k + box.pop()",
        "for $1 in box:\n    k = k + $1",
        "if len(box) > 1:\n    box[0] = $i",
        "box.extend([$i, k])",
        "box = [*box, $i]",
        "box += [$i]",
        "$1 = fill(box, $i)\n$1.append(1)",
        "box.sort()",
        "k = box.pop()",
        "del box[:1]",
    ),
    ints=("len(box)", "sum(box)"),
    truths=("bool(box)", "$i in box"),
    told=("box", "len(box)", "[b + 1 for b in box]"),
)

NOTES = Habit(
    "a changed dict argument",
    defines="""
def note(into, key, value):
    into[key] = into.get(key, 0) + value
""",
    argument=("notes", '${{"a": #}|{}|{"a": #, "b": #}}'),
    acts=(
        'note(notes, "${a|b}", $i)',
        'notes["${a|b}"] = $i',
        'notes.pop("a", 0)',
        "for $1, $2 in notes.items():\n    k = k + $2",
        'k = notes["a"]',
        'if "b" in notes:\n    $b',
        "notes.update(c=$i)",
        'notes.setdefault("d", $i)',
        "for $1 in sorted(notes):\n    notes[$1] += 1",
    ),
    ints=("len(notes)", "sum(notes.values())", 'notes.get("a", 0)'),
    truths=('"a" in notes', "bool(notes)"),
    told=("notes", "list(notes)"),
)

REGISTRY = Habit(
    "globals that change",
    defines="""
class Registry(dict):
    def register(self, name, value):
        self[name] = value
        return value


REGISTRY = Registry(a=0)
HISTORY = []
TOTAL = 0


def count(by):
    global TOTAL
    TOTAL += by
    return TOTAL
""",
    acts=(
        'REGISTRY.register("${a|b}", $i)',
        "HISTORY.append($i)",
        "k = count($i)",
        "if HISTORY:\n    k = HISTORY.pop()",
        "if len(HISTORY) > 2:\n    HISTORY.clear()",
        'k = k + REGISTRY.get("b", 1)',
        "for $1 in HISTORY:\n    k = k + $1",
        'REGISTRY["a"] += $i',
        "count(1)",
    ),
    ints=("len(HISTORY)", "TOTAL", 'REGISTRY["a"]', "count(0)"),
    truths=("bool(HISTORY)", '"b" in REGISTRY', "TOTAL > $i"),
    told=("TOTAL", "HISTORY", "dict(REGISTRY)"),
)

HABITS = (BOX, NOTES, REGISTRY)
