"""Special methods that only compute, with comprehensions and generators in them, work in staged branches and loops."""

import pytest

import dy2st as paddle

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")


class Parts:
    def __init__(self, *parts):
        self.parts = list(parts)

    def __eq__(self, other):
        return all(x == y for x, y in zip(self.parts, other.parts))

    def __hash__(self):
        return hash(tuple(x for x in self.parts))

    def __len__(self):
        return sum(1 for _ in self.parts)

    def __lt__(self, other):
        return sum(x for x in self.parts) < sum(other.parts)

    def __contains__(self, part):
        return any(part == x for x in self.parts)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return [x for x in self.parts if x][0]  # noqa: RUF015

    def __bool__(self):
        return any(x for x in self.parts)

    def __index__(self):
        return max(x for x in self.parts)

    def __str__(self):
        return ",".join(str(x) for x in self.parts)

    def __format__(self, spec):
        return ",".join(format(x, spec) for x in self.parts)

    def __iter__(self):
        return (x for x in self.parts)


KNOWN = [Parts(1, 2), Parts(3, 4)]
TABLE = {Parts(1): 5}
USES = {
    "in": lambda x: x + (Parts(1, 2) in KNOWN),
    "index": lambda x: x + KNOWN.index(Parts(3, 4)),
    "count": lambda x: x + KNOWN.count(Parts(1, 2)),
    "hash": lambda x: x + TABLE[Parts(1)],
    "set": lambda x: x + len({Parts(1), Parts(2), Parts(1)}),
    "len": lambda x: x + len(KNOWN[0]),
    "sorted": lambda x: x + sorted(KNOWN)[0].parts[0],
    "key": lambda x: x + sorted(KNOWN, key=lambda one: sum(p for p in one.parts))[0].parts[0],
    "min": lambda x: x + min(KNOWN).parts[0],
    "contains": lambda x: x + (2 in KNOWN[0]),
    "getattr": lambda x: x + KNOWN[0].first,
    "bool": lambda x: x + (1 if KNOWN[0] else 2),
    "as an index": lambda x: x + [1, 2, 3, 4, 5][Parts(1, 2)],
    "text": lambda x: x + len(str(KNOWN[0])) + len(f"{KNOWN[0]:03d}"),
    "list": lambda x: x + len(list(KNOWN[0])) + sum(KNOWN[0]),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_they_work_in_a_branch_and_in_a_loop(use):
    def branch(x):
        return use(x) if x.sum() > 0 else x - 1

    def loop(x):
        while x.sum() < 5:
            x = use(x) + 1
        return x

    for function in (branch, loop):
        static = paddle.jit.to_static(function)
        for number in (1.0, -1.0):
            x = paddle.to_tensor([number])
            assert static(x).tolist() == function(x).tolist()
