"""t-strings (Python 3.14): converted where they stand; the text of rewritten source shows the converted expressions."""

import ast
import sys

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

if sys.version_info < (3, 14):
    pytest.skip("Python 3.14 has t-strings", allow_module_level=True)

SOURCE = '''
from string.templatelib import Interpolation


def spelled(template):
    out = []
    for part in template:
        match part:
            case str():
                out.append(part)
            case Interpolation(value, _, None, spec):
                out.append(format(value, spec))
            case Interpolation(value):
                out.append(repr(value))
    return "".join(out)


def by_path(x):
    template = t"{x} b"
    if x.sum() > 0:
        template = t"c {x}"
    return template.interpolations[0].value + 1, template.strings


def with_a_format_of_its_own(x):
    n = int(x.sum())
    template = t"{n:>{n + 1}}"
    return x, template.interpolations[0].format_spec


def of_a_number(x):
    n = int(x.sum())
    return x, spelled(t"n = {n} {'a'!r}")


def in_a_loop(x):
    return x, [spelled(t"{i} {i + 1:03d}") for i in range(3)]


def put_together(x):
    template = t"a{1}" + t"b{x.sum()=}"
    return template.values[1], template.strings, template.interpolations[1].expression


class Keeper:
    def method(self, x):
        return t"{self.__kept(x)} {[v for v in (1, 2)]}".values

    def __kept(self, x):
        return x * 2


def of_a_private_method(x):
    return Keeper().method(x)


def returned(x):
    return t"{x}"


def carried_by_a_loop(x):
    template, left = t"", x.sum()
    while left > 0:
        template, left = t"{left}", left - 1
    return template.values
'''
REFUSED = ["returned", "carried_by_a_loop", "by_path"]


def plain(value):
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    return type(value)(map(plain, value)) if isinstance(value, (tuple, list)) else value


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    path = tmp_path_factory.mktemp("templates") / "templates.py"
    path.write_text(SOURCE)
    namespace = {"__name__": "templates", "__file__": str(path)}
    exec(compile(SOURCE, str(path), "exec"), namespace)
    return namespace


NAMES = "with_a_format_of_its_own of_a_number in_a_loop put_together of_a_private_method".split()


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_plain_python(functions, name):
    function = functions[name]
    for static in (jit.to_static(function), jit.to_static(function, input_spec=[InputSpec([None])])):
        for x in ([1.0, 2.0], [-1.0, -3.0], [4.0, 1.0]):
            assert plain(static(paddle.to_tensor(x))) == plain(function(paddle.to_tensor(x)))
        tree = ast.parse(static.code)
        assert any(isinstance(node, ast.TemplateStr) for node in ast.walk(tree)) or "_jst.call" in static.code


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_program_cannot_hold_is_refused_at_the_line(functions, name):
    with pytest.raises(ConversionError, match=r"templates\.py:\d+: .*Template.* return"):
        jit.to_static(functions[name], input_spec=[InputSpec([None])])(paddle.to_tensor([1.0, 2.0]))
