"""Other definitions that change: modules, functions, variables, Enums, dataclasses. Each group: a module, reads, changes."""

HEAD = """
import enum, functools, sys, types
from dataclasses import dataclass
import dy2st as paddle
from dy2st import nn

LOG = []
"""

NET = """


class Net(nn.Layer):
    def forward(self, x, flag=False):
        if flag:
            return x * other.never.read
        return x * (READ)


net = Net()
"""

MODULE = (
    HEAD
    + """
other = types.ModuleType("a_module_of_the_users")
sys.modules[other.__name__] = other
exec('''
SIZE, TEXT = 3, "abc"
''', vars(other))


def twice(k):
    return SIZE * k


other.twice = types.FunctionType(twice.__code__, vars(other))
holder = types.SimpleNamespace(module=other)


def given(name):
    if name == "late":
        return 4
    raise AttributeError(name)


def logged(name):
    LOG.append(name)
    return given(name)


class Lazy(types.ModuleType):
    @property
    def SIZE(self):
        return 8

    def __getattr__(self, name):
        return given(name)
"""
    + NET
)

FUNCTION = (
    HEAD
    + """
def function(k=2, *, more=1):
    return k * 10 + more


def outer(size):
    def inner(k=1):
        return k + size + len("ab")

    return inner


inner = outer(3)
passed = functools.partial(function, 4)
other = None
"""
    + NET
)

KINDS = (
    HEAD
    + """
class Color(enum.Enum):
    RED, BLUE = 1, 2


@dataclass
class Point:
    a: int = 1
    b: int = 2


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a, self.b = 3, 4


class Plain:
    size = 5

    def method(self):
        return 6

    @property
    def computed(self):
        return 7

    @staticmethod
    def static():
        return 8

    @classmethod
    def of_class(cls):
        return cls.size


class Derived(Plain):
    pass


p, s, o, d = Point(), Slotted(), Plain(), Derived()
o.own = 9
other = None


@functools.singledispatch
def told(value):
    return 1


def matched(value):
    match value:
        case Point(a, b):
            return a * 10 + b
        case _:
            return 3


def caught():
    try:
        return o.absent
    except AttributeError:
        return 2
"""
    + NET
)

ENUMS = (
    HEAD
    + """
class Color(enum.Enum):
    RED, BLUE = 1, 2


class Access(enum.Flag):
    LOOK, WRITE = 1, 2


other = None
"""
    + NET
)

MODULE_READS = (
    "other.SIZE",
    "len(other.TEXT)",
    "other.twice(2)",
    "getattr(other, 'late', 9)",
    "2 if hasattr(other, 'late') else 3",
    "other.late",
    "holder.module.SIZE",
    "getattr(holder.module, 'late', 9)",
    "len([n for n in dir(other) if n == 'late'])",
    "2 if 'late' in vars(other) else 3",
    "other.late + other.SIZE",
)
MODULE_CHANGES = (
    "other.SIZE = 5",
    "other.late = 7",
    "del other.SIZE",
    "other.__getattr__ = given",
    "other.__getattr__ = logged",
    "other.__getattr__ = given; del other.SIZE",
    "del other.TEXT; other.__getattr__ = given",
    "other.__class__ = Lazy",
    "other.twice.__code__ = (lambda k: k * 100).__code__",
    "del other.TEXT; other.late = 7",
    "other = types.ModuleType('new')",
    "holder.module = types.SimpleNamespace(SIZE=4, late=5)",
    "other.__getattr__ = given; given.__code__ = (lambda name: 6).__code__",
    "other.__dict__['late'] = 2",
    "holder.module.__class__ = Lazy; del other.SIZE",
)
FUNCTION_READS = (
    "function()",
    "function(3)",
    "function(k=2, more=3)",
    "inner()",
    "passed()",
    "len('abc')",
    "abs(-2)",
    "max(2, 3)",
    "sum([1, 2])",
    "int('3')",
    "function.__defaults__[0]",
    "len(function.__name__)",
    "2 if callable(inner) else 3",
    "[*map(function, [1])][0]",
    "getattr(function, 'late', 5)",
    "sum(k for k in range(3))",
)
FUNCTION_CHANGES = (
    "function.__code__ = (lambda k, *, more: 7).__code__",
    "function.__defaults__ = (5,)",
    "function.__defaults__ = None",
    "function.__kwdefaults__ = {'more': 4}",
    "function.__kwdefaults__['more'] = 6",
    "function.__kwdefaults__ = None",
    "inner.__closure__[0].cell_contents = 8",
    "inner = outer(5)",
    "inner.__code__ = outer(1).__code__.replace(co_name='new')",
    "inner.__defaults__ = (9,)",
    "del inner.__closure__[0].cell_contents",
    "passed = functools.partial(function, 5)",
    "len = lambda value: 7",
    "abs = lambda value: 8",
    "max = min",
    "sum = lambda values: 9",
    "int = float",
    "del function",
    "function = 3",
    "function.late = 4",
    "function.__name__ = 'f'",
    "callable = lambda value: False",
    "map = lambda *a: [6]",
    "range = lambda k: [5]",
    "globals()['len'] = lambda value: 4",
    "import builtins as b; old = b.len; LEN = len; len = lambda v: 5",
)
KIND_READS = (
    "Color.RED.value",
    "Color(1).value",
    "len(Color)",
    "len(Color.RED.name)",
    "2 if Color.RED is Color(1) else 3",
    "2 if Color.RED == Color.BLUE else 3",
    "p.a",
    "Point().a",
    "Point(4).b",
    "matched(p)",
    "2 if p == Point() else 3",
    "len(repr(p)) % 7",
    "s.a + s.b",
    "Slotted().a",
    "o.size",
    "o.method()",
    "o.computed",
    "o.static()",
    "o.of_class()",
    "o.own",
    "Plain.size",
    "Plain().method()",
    "Plain.static()",
    "Derived.of_class()",
    "d.size",
    "d.method()",
    "super(Derived, d).method()",
    "getattr(o, 'absent', 9)",
    "caught()",
    "told(3)",
    "told('a')",
    "2 if isinstance(d, Plain) else 3",
    "2 if issubclass(Derived, Plain) else 3",
    "len(Derived.__mro__)",
    "len(o.__dict__)",
    "type(o).size",
    "o.__class__.size",
)
KIND_CHANGES = (
    "Color.RED._value_ = 5",
    "Color.__len__ = lambda cls: 9",
    "Color._value2member_map_[1] = Color.BLUE",
    "Color.RED._name_ = 'R'",
    "Color.__eq__ = lambda a, b: True",
    "Color._missing_ = classmethod(lambda cls, v: cls.RED)",
    "del Point.__eq__; Point.late = 1",
    "Point.__match_args__ = ('b', 'a')",
    "Point.__match_args__ = ('a',)",
    "del Point.__match_args__",
    "Point.__init__.__defaults__ = (6, 7)",
    "Point.a = property(lambda self: 8)",
    "Point.__repr__ = lambda self: 'p'",
    "Slotted.a = property(lambda self: 9)",
    "del Slotted.a",
    "s.a = 6",
    "del s.a",
    "Slotted.a = 5",
    "Plain.size = 6",
    "o.size = 7",
    "Plain.size = property(lambda self: 8)",
    "del Plain.size",
    "Plain.method = lambda self: 1",
    "Plain.method = property(lambda self: lambda: 2)",
    "Plain.method = staticmethod(lambda: 3)",
    "Plain.method = classmethod(lambda cls: 4)",
    "o.method = lambda: 5",
    "Plain.method.__code__ = (lambda self: 6).__code__",
    "Plain.computed = 8",
    "Plain.computed = property(lambda self: 9)",
    "del Plain.computed",
    "Plain.static = staticmethod(lambda: 1)",
    "Plain.static = lambda self=None: 2",
    "Plain.of_class = classmethod(lambda cls: 3)",
    "Derived.size = 4",
    "Derived.method = len",
    "Plain.own = property(lambda self: 3)",
    "del Plain.size; Plain.own = property(lambda self: 3)",
    "del Plain.static; Plain.absent = 4",
    "Plain.__getattr__ = lambda self, name: 5",
    "del Plain.static; Plain.__getattr__ = lambda self, name: 5",
    "o.absent = 6",
    "o.__dict__ = {'own': 2, 'size': 3}",
    "o.__class__ = Derived; Derived.size = 9",
    "Derived.__bases__ = (type('Other', (), {'size': 1, 'method': lambda self: 2}),)",
    "d.__class__ = Plain",
    "told.register(int, lambda value: 4)",
    "told.register(str)(lambda value: 5)",
    "Plain = Derived",
)

ENUM_READS = (
    "Color(1).value",
    "Color(int(x.sum()) % 2 + 1).value",
    "len(str(Color(1)))",
    "[*map(Color, [1, 2])][0].value",
    "Color['RED'].value",
    "Color.__members__['RED'].value",
    "len(Color.__members__)",
    "len(Color)",
    "sum(color.value * (i + 1) for i, color in enumerate(Color))",
    "[*reversed(Color)][0].value",
    "2 if Color.RED in Color else 3",
    "Access(3).value",
    "(Access.LOOK | Access.WRITE).value",
    "2 if Access.LOOK in Access(3) else 3",
    "len(f'{Access(3)}')",
    "len(Access(3))",
    "sum(access.value for access in Access)",
)
ENUM_CHANGES = (
    "Color._value2member_map_[1] = Color.BLUE",
    "Color._value2member_map_ = {1: Color.BLUE}",
    "Color._value2member_map_.clear()",
    "Color._member_map_['RED'] = Color.BLUE",
    "Color._member_map_ = {'RED': Color.BLUE}",
    "del Color._member_map_['RED']",
    "Color._member_names_.reverse()",
    "Color._member_names_.append('RED')",
    "Color.RED._value_ = 5",
    "Color.BLUE._value_ = 5",
    "Color.RED._name_ = 'Scarlet'",
    "Access._value2member_map_[3] = Access.WRITE",
    "Access._value2member_map_[1] = Access.WRITE",
    "Access._member_map_['LOOK'] = Access.WRITE",
    "Access._member_names_.pop()",
    "Access.LOOK._value_ = 4",
)

OTHERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "a module": (MODULE, MODULE_READS, MODULE_CHANGES),
    "a module with a __getattr__": (
        MODULE + "\nother.__getattr__ = given\n",
        MODULE_READS,
        (
            *MODULE_CHANGES,
            "del other.__getattr__",
            "del other.__getattr__; other.never = 1",
            "given.__code__ = (lambda name: 7).__code__",
        ),
    ),
    "a module with a __getattr__ that keeps a log": (
        MODULE + "\nother.__getattr__ = logged\n",
        MODULE_READS,
        MODULE_CHANGES,
    ),
    "a function": (FUNCTION, FUNCTION_READS, FUNCTION_CHANGES),
    "kinds of classes": (KINDS, KIND_READS, KIND_CHANGES),
    "tables of Enums": (ENUMS, ENUM_READS, ENUM_CHANGES),
}
