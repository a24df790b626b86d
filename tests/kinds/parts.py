"""What the grid of kinds is made of: values of two kinds, what makes them, and what is done with them, as lines of source."""

from __future__ import annotations

SOURCE = '''
import collections
import contextlib
import dataclasses
import enum
import functools
import itertools
import math
import operator
import numpy as np
import dy2st as paddle

class A:
    def __init__(self, n): self.n, self.only_a = n, 10
    def __len__(self): return self.n
    def __iter__(self): return iter([self.n, self.n + 1])
    def __getitem__(self, k): return self.n * k
    def __setitem__(self, k, item): self.n = item
    def __delitem__(self, k): self.n = 0
    def __contains__(self, item): return item == self.n
    def __call__(self, *args): return self.n + len(args)
    def __enter__(self): return self.n
    def __exit__(self, *error): return False
    def __add__(self, other): return self.n + 1
    def __radd__(self, other): return self.n + 2
    def __mul__(self, other): return self.n * 2
    def __iadd__(self, other):
        self.n += 5
        return self
    def __lt__(self, other): return self.n < 3
    def __le__(self, other): return True
    def __eq__(self, other): return isinstance(other, int)
    def __hash__(self): return 7
    def __bool__(self): return self.n > 9
    def __str__(self): return f"A is {self.n}"
    def __repr__(self): return f"A({self.n})"
    def __format__(self, spec): return f"A with {spec!r}"
    def __int__(self): return self.n
    def __float__(self): return self.n + 0.5
    def __index__(self): return self.n
    def __abs__(self): return self.n + 3
    def __neg__(self): return -self.n
    def __invert__(self): return self.n + 8
    def __round__(self, digits=0): return self.n + digits
    def __reversed__(self): return iter([9, self.n])
    def __getattr__(self, name):
        if name == "made":
            return self.n + 100
        raise AttributeError(f"A has no {name}")
    def append(self, item): self.n += item
    def keys(self): return ["n"]
class B:
    made = 7
    def __init__(self, n): self.n, self.only_b = n, 20
    def __iter__(self):
        yield self.n
        yield self.n * 2
        yield self.n * 3
    def __len__(self): return 3
    def __call__(self): return -self.n
    def __enter__(self): return self
    def __exit__(self, *error): return True
    def __rmul__(self, other): return self.n * 3
    def __gt__(self, other): return True
    def __str__(self): return f"B is {self.n}"
    def __repr__(self): return f"B({self.n})"
    def __float__(self): return float(self.n)
class Held:
    pass
Pair = collections.namedtuple("Pair", "n only_b")
@dataclasses.dataclass
class Point:
    n: int
    only_b: float = 2.0
class Color(enum.Enum):
    RED = 1
    BLUE = "b"
def positive(*args, **named): return len(args) * 10 + len(named)
def number(x): return int(x.sum()) % 3
'''

# Two values, of which the path gives one; `k` is an int that only the Program knows.
KINDS: dict[str, tuple[str, str]] = {
    "list or tuple": ("[3, 1, k]", "(5, 4)"),
    "lists": ("[3, 1, 2]", "[3, k]"),
    "dict or list": ('{"a": 1, "b": k}', "[1, 0]"),
    "dict or None": ('{"a": 1, "b": 2}', "None"),
    "set or dict": ("{1, 2}", "{1: 2}"),
    "int or float": ("k + 2", "2.5"),
    "int or infinite float": ("3", 'float("inf")'),
    "int or bool": ("k + 1", "k > 0"),
    "int or str": ("3", '"3k"'),
    "str or None": ('"a b c"', "None"),
    "str or bytes": ('"a b c"', 'b"ab"'),
    "object A or B": ("A(k)", "B(2)"),
    "objects A": ("A(1)", "A(k)"),
    "object or None": ("B(k)", "None"),
    "None or tensor": ("None", "x[:1] * 2"),
    "functions": ("positive", "len"),
    "classes": ("B", "int"),
    "range or list": ("range(k + 1)", "[k, 2]"),
    "int power": ("k ** 2", "2 ** k"),
    "float or None": ("k + 0.5", "None"),
    "namedtuple or tuple": ("Pair(k, 2)", "(1, k, 3)"),
    "dataclass or None": ("Point(k)", "None"),
    "members of an Enum": ("Color.RED", "Color.BLUE"),
}

# How the value comes about; {use} takes it.
MAKERS: dict[str, str] = {
    "branch": """
def f(x):
    k = number(x)
    if x.sum() > 0:
        v = {a}
    else:
        v = {b}
    {use}
""",
    "loop": """
def f(x):
    k = number(x)
    v = {a}
    i = x.sum() * 0
    while i < 2:
        i = i + 1
        if x.sum() < 0:
            v = {b}
    {use}
""",
    "call": """
def choose(x, k):
    if x.sum() > 0:
        return {a}
    return {b}
def f(x):
    k = number(x)
    v = choose(x, k)
    {use}
""",
    "attribute": """
def f(x):
    k = number(x)
    o = Held()
    o.v = {a}
    if x.sum() <= 0:
        o.v = {b}
    v = o.v
    {use}
""",
    "branch, in try": """
def f(x):
    k = number(x)
    v = {a} if x.sum() > 0 else {b}
    try:
        {use_deeper}
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        return "handled", type(error).__name__, str(error)
""",
}

_EXPRESSIONS = """
len(v)
bool(v)
int(v)
float(v)
str(v)
repr(v)
format(v)
format(v, "5")
ascii(v)
hash(v) == hash(v)
abs(v)
round(v)
round(v, 1)
divmod(v, 2)
divmod(7, v)
pow(v, 2)
pow(2, v)
pow(v, 2, 5)
hex(v)
bin(v)
oct(v)
chr(v)
ord(v)
complex(v).real
bytes(v)
list(range(v))
list(range(1, v))
list(range(0, 6, v))
list(v)
tuple(v)
dict(v)
len(set(v))
len(frozenset(v))
sorted(v)
sorted(v, reverse=True)
sorted(v, key=lambda item: -item)
max(v)
min(v)
max(v, 2)
max([1, 2], key=v)
min(v, key=lambda item: 0 - item)
max(v, default=4)
sum(v)
sum(v, 1)
sum([v, v], v)
any(v)
all(v)
next(iter(v))
list(iter(v))
next(iter(v), 5)
next(v, 3)
list(enumerate(v))
list(enumerate(v, 2))
list(enumerate("ab", v))
next(enumerate(v))
list(zip(v, v))
list(zip(v, "abc"))
list(zip([1, 2], v, strict=True))
dict(zip(v, v))
[a for a, b in zip(v, v)]
list(map(str, v))
list(map(lambda a, b: (a, b), v, v))
list(map(v, [1, 2]))
list(filter(None, v))
list(filter(lambda item: item != 1, v))
list(filter(v, [1, 2]))
list(reversed(v))
functools.reduce(lambda a, b: b, v)
functools.reduce(v, [1, 2])
callable(v)
isinstance(v, list)
isinstance(v, (int, str))
isinstance(v, A)
isinstance(3, v)
type(v) is tuple
type(v).__name__
type(v) == type(v)
v.__class__.__name__
type(v).only_a
v.n
v.only_a
v.made
v.real + 0
v.shape
getattr(v, "n", 5)
getattr(v, "made", 5)
getattr(v, "missing", 5)
getattr(v, "only_a")
getattr(v, "append", None) is None
hasattr(v, "only_b")
hasattr(v, "made")
hasattr(v, "missing")
hasattr(v, "append")
hasattr(v, "__len__")
sorted(vars(v))
v()
v(1)
v(*[1, 2])
v[0]
v[-1]
v[k]
v["a"]
v[0:1]
v[k:]
v[::-1]
v[1.5]
v.get("a")
v.get("z", 5)
list(v.keys())
list(v.values())
list(v.items())
v.index(1)
v.count(1)
v.copy()
v.split()
v.split(None, 1)
v.split(maxsplit=1)
v.split(sep=" ", maxsplit=1)
v.strip(None)
v.rsplit(None, 1)
v.upper()
v.join(["p", "q"])
v.replace("a", "z", 1)
v.startswith("a")
v.startswith(("a", "3"))
v.encode()
v.splitlines(keepends=True)
v.find("b", None, 3)
v.center(7)
v.zfill(4)
v.format(1)
v.is_integer()
v.bit_length()
v.as_integer_ratio()
v.sum()
v.item()
" ".join(v)
"x".join([str(v), "y"])
"a b a".split(v)
"a b a".replace("a", v)
"a b a".strip(v)
"a b a".split(None, v)
"a b a".count(v)
"a3ka".find(v)
"a b".center(v)
"abcdef"[v]
"abcdef"[v:]
[1, 2, 3, 4][v]
[1, 2, 3, 4][:v]
(1, 2, 3, 4)[v]
[1, 2, 3][v % 2]
{1: 2, 3: 4, None: 5}[v]
{1: 2, 3: 4, None: 5}.get(v)
{3: 1, 2.5: 2, None: 4, "3k": 6}.get(v, 9)
{v: 1}
{v}
[v][0] == v
(v, 1)
[v, v] == [v, v]
v + 1
v + [1]
v + (1,)
v + "1"
v + v
1 + v
[1] + v
"a" + v
v - 1
1 - v
v * 2
2 * v
v * v
[1] * v
v / 2
1 / v
v // 2
7 // v
v % 3
7 % v
v ** 2
2 ** v
v @ v
v | v
v & v
v ^ v
v << 1
1 << v
v >> 1
v | {"c": 3}
{"c": 3} | v
-v
+v
~v
not v
v < 2
v <= v
v > [1]
v >= 1
2 < v
0 < v < 9
v < v
v == 3
3 == v
v == [3, 1, 2]
v != None
v == v
v is None
v is not None
v is v
1 in v
"a" in v
None in v
v in [1, 2, 3]
v in (None, 3)
v in {3, 1}
v in {"a": 1}
v in "3k3"
v not in [3]
v and 1
v or None
0 or v
v if v else None
1 if v else 0
f"{v}"
f"{v!r}"
f"{v!s:>9}"
f"{v:>9}"
f"{v:.1f}"
f"{v:d}"
f"{v:{k + 4}}"
f"{1.5:{v}}"
"%s" % v
"%s" % (v,)
"%d" % v
"%d" % (v,)
"%r and %s" % (v, v)
"%.2f" % v
"%5s|" % (v,)
"%(a)s" % v
"%x" % v
"%c" % v
"%*d" % (v, 3)
"{}".format(v)
"{0!r:>4}".format(v)
"{:d}".format(v)
"{v.n}".format(v=v)
"{v[0]}".format(v=v)
"{:.1f}".format(v)
"{a}".format(**v)
"{a}".format_map(v)
positive(*v)
positive(**v)
positive(1, *v, **{"c": 2})
positive(*v, *v)
[*v, 1]
(*v,)
len({*v})
{**v}
{"z": 0, **v}
[a for a in v]
[a for a in v if a]
{a: 1 for a in v}
sorted({str(a) for a in v})
list(a for a in v)
sum(1 for _ in v)
[a for a, b in v]
[(a, b) for a in v for b in v]
math.sqrt(v)
math.floor(v)
math.ceil(v)
math.isinf(v)
math.prod(v)
math.gcd(v, 2)
operator.add(v, 1)
operator.itemgetter(0)(v)
operator.attrgetter("n")(v)
operator.index(v)
operator.length_hint(v)
list(itertools.chain(v, [1]))
list(itertools.islice(v, 1))
list(itertools.accumulate(v))
list(itertools.product(v, [1]))
list(collections.Counter(v).items())
collections.deque(v)[0]
x + v
v + x
x * v
v * x
x[v]
x > v
paddle.zeros(v)
paddle.concat(v)
print(v)
print("a", end=v)
print("a", sep=v)
slice(v).stop
isinstance(v, type(v))
v[np.int64(0)]
v + np.int64(1)
v * np.int64(2)
v == np.float32(3)
np.float64(2) + v
round(v, np.int64(1))
v.get(np.int64(1))
issubclass(v, int)
"""

_STATEMENTS = r"""
for a in v: return a
for a in v: pass\nelse: a = 4\nreturn a
for i, a in enumerate(v): k = k + i\nreturn k
t = 0\nfor a in v: t = t + 1\nreturn t
while v: return 1\nreturn 0
a, b = v\nreturn a
a, *b = v\nreturn b
[a, b, *_] = v\nreturn b
(a, _), b = v\nreturn a
v[0] = 7\nreturn v[0]
v[k] = 7\nreturn v[k]
v["a"] = 7\nreturn v["a"]
v[0:1] = [8, 9]\nreturn len(v)
v[0] += 1\nreturn v[0]
v["a"] += 1\nreturn v["a"]
del v[0]\nreturn len(v)
del v["a"]\nreturn len(v)
del v[0:1]\nreturn len(v)
v.n = 5\nreturn v.n
v.n += 1\nreturn v.n
v.new = 5\nreturn v.new
del v.n\nreturn hasattr(v, "n")
setattr(v, "n", 3)\nreturn v.n
delattr(v, "n")\nreturn hasattr(v, "n")
v += 1\nreturn v if not isinstance(v, A) else v.n
v += [1]\nreturn v if not isinstance(v, A) else v.n
v += (1,)\nreturn v if not isinstance(v, A) else v.n
v += "a"\nreturn v if not isinstance(v, A) else v.n
v -= 1\nreturn v
v *= 2\nreturn v
v /= 2\nreturn v
v //= 2\nreturn v
v %= 2\nreturn v
v **= 2\nreturn v
v |= {"c": 3}\nreturn v
v <<= 1\nreturn v
w = 5\nw += v\nreturn w
w = [5]\nw += v\nreturn w
w = [5]\nw.extend(v)\nreturn w
w = [5]\nw.append(v)\nreturn w[1] == v
w = [5]\nw.insert(v, 1)\nreturn w
w = [5, 6, 7, 8]\nw.pop(v)\nreturn w
w = [5, 3, 2]\nw.remove(v)\nreturn w
w = [3, 3, 1]\nreturn w.index(v), w.count(v)
w = {"z": 0}\nw.update(v)\nreturn w
w = {"z": 0}\nw["y"] = v\nreturn w["y"] == v
w = {0, 9}\nw.update(v)\nreturn len(w)
w = {0, 9}\nw.add(v)\nreturn len(w)
w = [1, 2, 3]\nw[v] = 0\nreturn w
w = [1, 2, 3]\nw[0:2] = v\nreturn w
w = [1, 2, 3, 4]\ndel w[v]\nreturn w
w = [2, 1]\nw.sort(key=v)\nreturn w
w = {}\nw[v] = 1\nreturn w
w = {3: 1, None: 2}\nreturn w.pop(v, 0)
w = {3: 1, None: 2}\nreturn w.setdefault(v, 0)
v.append(4)\nreturn len(v)
v.extend([4, 5])\nreturn len(v)
v.insert(0, 4)\nreturn v[0]
v.sort()\nreturn v
v.reverse()\nreturn v
v.clear()\nreturn len(v)
v.update({"c": 3})\nreturn len(v)
v.pop()\nreturn len(v)
v.pop("a", None)\nreturn len(v)
v.setdefault("c", 4)\nreturn len(v)
v.add(8)\nreturn len(v)
v.remove(1)\nreturn len(v)
v.add_(x)\nreturn v
it = iter(v)\na = next(it)\nreturn a, list(it)
it = iter(v)\nfor a in it: return next(it, 6)
it = enumerate(v)\nnext(it)\nreturn list(it)
it = map(str, v)\nreturn next(it), next(it, "end")
it = zip(v, v)\nreturn next(it)
it = reversed(v)\nreturn next(it)
it = iter(v)\nreturn iter(it) is it
with v as a: return 1
with v: raise ValueError("inside")\nreturn 2
with contextlib.suppress(v): raise ValueError("inside")\nreturn 2
raise v
raise ValueError(v)
raise ValueError("a") from v
assert v\nreturn 1
assert k > 5, v
try: raise ValueError("a")\nexcept v: return 2
if v: return 1\nreturn 0
if v is not None and v: return 1\nreturn 0
if not v: return 1\nreturn 0
if v == 3: return 1\nelif v is None: return 2\nreturn 0
match v:\n    case None: return "none"\n    case _: return "other"
match v:\n    case [a, b]: return a\n    case [a, *rest]: return rest\n    case _: return "other"
match v:\n    case {"a": q, **rest}: return q, rest\n    case _: return "other"
match v:\n    case {"a": q}: return q\n    case _: return "other"
match v:\n    case int() | float(): return "number"\n    case str(): return "text"\n    case _: return "other"
match v:\n    case A(n=q): return q\n    case B(only_b=q): return q\n    case _: return "other"
match v:\n    case int(q) if q > 1: return q\n    case 2.5 | "3k": return "given"\n    case _: return "other"
match v, 1:\n    case [None, _]: return "none"\n    case [(3 | 2.5) as q, _]: return q\n    case _: return "other"
def inner(*args): return len(args)\nreturn inner(*v)
def inner(**named): return sorted(named)\nreturn inner(**v)
def inner(a, b=2): return a, b\nreturn inner(*v)
def inner(): yield from v\nreturn list(inner())
def inner(): return v\nreturn inner() is v
def inner(w=v): return w == v\nreturn inner()
return (lambda w: w == v)(v)
w = [a for a in [v, v] if a is not None]\nreturn len(w)
global_or = v or None\nreturn global_or == v
return x + 1 if v is None else x
if v is None: v = 1\nreturn v == 1
if isinstance(v, (list, tuple)): return sum(v)\nreturn 0
if isinstance(v, dict): return v["a"]\nreturn 0
if isinstance(v, A): return v.only_a\nreturn 0
if type(v) is int: return v + 1\nreturn 0
if isinstance(v, str): return v.upper()\nreturn "none"
if hasattr(v, "n"): return v.n\nreturn 0
if callable(v): return 1\nreturn 0
"""

def _uses() -> dict[str, str]:
    """The use as a user would write it in one line -> its lines of source."""
    found = {line: f"return {line}" for line in _EXPRESSIONS.strip().splitlines()}
    return found | {line: line.replace("\\n", "\n") for line in _STATEMENTS.strip().replace("\n", "\0").split("\0")}


USES = _uses()
