"""f-strings, str, repr, format, `%`, join and print of what is known only when the Program runs."""

from __future__ import annotations

import collections
import dataclasses
import warnings

import pytest

from dy2st.errors import ConversionError

from .agreement import as_programs, assert_agrees, functions_of


@dataclasses.dataclass
class Point:
    a: object
    b: object


Pair = collections.namedtuple("Pair", "a b")


class Shown:
    def __init__(self, size):
        self.size = size

    def __repr__(self):
        return f"Shown<{self.size}>"


class Named:
    def __init__(self, size):
        self.size = size

    def __str__(self):
        return f"<{self.size}>"


def numbers(x, n):
    k = int(n)
    return f"{k:03d}|{k}|{k!r:>4}|{k:x}|{k + 1:+d}", f"{float(x.sum()):.2f}", f"{k=}", f"{k > 1}"


def shapes(x, n):
    return f"{x.shape[0]} of {x.shape}", f"{x.shape[0]:>4}|"


def tensors(x, n):
    return f"{x}", f"{n}", f"{n!r}", str(x), repr(x[0]), f"{x.sum():.3f}"


def width_known_at_run_time(x, n):
    k = int(n)
    return f"{7:{k + 2}d}|{k:>{k + 1}}|{'a':<{k + 1}}|"


def containers(x, n):
    k = int(n)
    items = [i for i in range(n)]
    return f"{[k, 'a']} {(k,)} { {'k': k} }", str([k, [k]]), f"{items}", repr((k, "a"))


def of_one_kind_or_another(x, n):
    v = None
    if n > 1:
        v = int(n)
    s = "a" if n > 0 else 2
    return f"{v} {s} {s!r}", str(v), repr(s)


def percent_of_reprs(x, n):
    items = [1]
    if n > 1:
        items.append(2)
    return "%r" % [items], "%r %s %5d %%" % (items, items, n), "%*d|%-8r|" % (5, n, "q"), "%.3r" % (items,)


def percent_by_name(x, n):
    values = {"k": int(n), "x": float(x.sum())}
    return "%(k)03d|%(x).2f|%(k)r|%%" % values, "%s" % {"k": int(n)}


def percent(x, n):
    k = int(n)
    return "%d of %s" % (k, x.shape[0]), "%05.1f|" % float(x.sum()), "%s %r %%" % (n, "a"), "%3d" % n


def str_format(x, n):
    k = int(n)
    return "{0} {1:>4} {a!r} {0}".format(k, k, a="z"), "{:{}d}|".format(k, 5)


def built_ins(x, n):
    k = int(n)
    return format(k, "04d"), format(k), str(k) + "!", repr(str(k)), str(k > 1)


def joined(x, n):
    k = int(n)
    return ",".join(str(i) for i in range(n)), "-".join([str(k), "b"]), " ".join(["a", "b"]), "".join((str(k), "c"))


def objects(x, n):
    k = int(n)
    return f"{Point(k, 1)}", str(Named(k)), f"{Named(k)}|{Named(3)!s:>5}|", repr(Point(x, [k])), f"{Shown(k)} {[Shown(k)]}"


def records(x, n):
    return f"{Pair(1, int(n))}", str(Pair(x, 1)), f"{(Shown(1),)} { {'a': Shown(int(n))} }"


def python_values(x, n):
    return f"{3:>4}|{'a'!r}|{[1, 2]}|{None}|{{}}", "%s %d" % ("a", 1), "{} {b}".format(1, b=2), str(1.5), repr("a")


def messages(x, n):
    if n >= 4:
        raise LookupError(f"n is {n}, more than {x.shape[0]}")
    if n == 2:
        raise ValueError(f"{int(n)} is bad")
    return n


def decides(x, n):
    name = f"step{int(n)}"
    table = {"step1": x, "step2": -x}
    return table[name] if name in table else name


def bad_format(x, n):
    return f"{float(x.sum()):d}" if n > 1 else f"{int(n):d}"


def bad_templates(x, n):
    k = int(n)
    if n == 0:
        return "{} {0}".format(k)  # noqa: F525
    if n == 1:
        return "{0} {}".format(k)  # noqa: F525
    if n == 2:
        return "{} {}".format(k)  # noqa: F524
    if n == 3:
        return "{3}".format(b=1)  # noqa: F522, F524
    return "{0} {1}".format(k, k)


def printed(x, n):
    k = int(n)
    print("a", k, x, [k, x.sum()], (k,), sep="|")
    print(f"{k:>3}", Named(k), None, end=".\n")
    for i in range(n):
        if i > 1:
            print(i)
    return x


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_agrees(function, capsys=capsys)


def staged_template(x, n):
    template = "%d" if n > 1 else "%s"
    return template % int(n)


def test_refused_in_words():
    with pytest.raises(ConversionError, match=rf"{__file__}:\d+: '%' with a template .* write an f-string on each path"):
        as_programs(staged_template)
