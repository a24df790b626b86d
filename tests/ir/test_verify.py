"""Each rule of the IR is broken once, and the message says which, where."""

import numpy as np
import pytest
from ir.programs import by_name

from dy2st.errors import DTypeError, VerifyError
from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc, Operation, Parameter, Program, Ref, State
from dy2st.ir.parser import parse_program
from dy2st.ir.types import INT, ListType, SumType, TensorType
from dy2st.ir.verify import verify
from dy2st.ops.registry import OPERATORS, OpDef

HEAD = "def main(%x: int, %c: bool, %s: sum<none | int>, %l: list<int>)"


def program(body: str, head: str = HEAD) -> Program:
    lines = "\n".join("  " + line for line in body.strip("\n").split("\n"))
    ending = "" if body.split("\n")[-1].startswith(("return", "raise", "yield")) else "\n  return %x"
    return parse_program(f"{head}:\n{lines}{ending}\n")


CASES = [
    ("%y = const value=1 : float", "the value is of type int, the result is declared float"),
    ("%y = const : int", "needs the attribute value"),
    ("%y = const %x, value=1 : int", "takes 0 operands, not 1"),
    ('%y = atom text="f" : atom<"g">', 'the result must be atom<"f">'),
    ('%y = param name="w" : float32[]', "there is no parameter 'w'"),
    ("%y = param name=[1] : float32[]", "there is no parameter [1]"),
    ("%y = if %x : int\n  then:\n    yield %x\n  else:\n    yield %x", "the condition is int, not bool"),
    ("%y = if %c : int\n  then:\n    yield %x\n  else:\n    yield", "what the else block yields: 0 values for 1"),
    (
        "%y = if %c : int\n  then:\n    yield %x\n  else:\n    yield %c",
        "what the else block yields 0: bool doesn't flow into int",
    ),
    ("%y = if %c : int\n  then:\n    yield %x", "takes 2 blocks, not 1"),
    ("if %c\n  then:\n    sum.tag %x\n  else:\n    yield", "a nested block must end in yield or raise"),
    ("%y = if %c : int\n  then(%z: int):\n    yield %z\n  else:\n    yield %x", "the then block takes no arguments"),
    (
        "%y = while %x : int\n  cond(%i: int):\n    yield %i\n  body(%j: int):\n    yield %j",
        "what the condition yields 0: int doesn't flow into bool",
    ),
    (
        "%y = while %x : int\n  cond(%i: int):\n    yield %c\n  body(%j: int):\n    yield %c",
        "what the body yields 0: bool doesn't flow into int",
    ),
    (
        "%y = while %x : int\n  cond(%i: bool):\n    yield %c\n  body(%j: int):\n    yield %j",
        "initial value 0: int doesn't flow into bool",
    ),
    (
        "%y = while %x : bool\n  cond(%i: int):\n    yield %c\n  body(%j: int):\n    yield %j",
        "carried value 0: int doesn't flow into bool",
    ),
    ("try\n  body:\n    yield", "needs the attributes handlers"),
    ('try handlers=[["A"]]\n  body:\n    yield', "has 1 blocks for a body, 1 handlers and no finally"),
    ("try handlers=[[]]\n  body:\n    yield\n  except:\n    yield", "needs the attributes handlers"),
    (
        "try finally=True, handlers=[]\n  body:\n    yield\n  finally:\n    yield %x",
        "what the finally block yields: 1 values for 0",
    ),
    ("raise", "stands outside of a handler"),
    ("%y = caught : exception<KeyError>", "stands outside of a handler"),
    ("%y = caught.text %x, repr=False : str", "asks an exception, not int"),
    ("raise %x", "raises one exception"),
    ('%y = exception.new %x, exception="A" : int', "gives an exception, not int"),
    ('raise exception="A", fields=["x"]', "more fields than operands"),
    ("raise bases=[]", "needs the attribute exception"),
    ('raise bases=[1], exception="A"', "bases is a list of names"),
    ('%y = call %x, function="f" : int', "there is no function 'f'"),
    ('%y = call %x, function="main" : int', "argument: 1 values for 4"),
    ("%y = cell.new : cell<int>", "starts empty, so its type must include unbound"),
    ("%y = cell.new %c : cell<int>", "first value 0: bool doesn't flow into int"),
    ("%y = cell.new %x : int", "makes a cell from one value or none, not int from 1"),
    ("%y = cell.get %x : int", "the operand must be a cell"),
    ("%y = cell.new %x : cell<int>\ncell.set %y, %c", "value 0: bool doesn't flow into int"),
    ("%y = cell.new %x : cell<number>\n%z = cell.get %y : int", "cell<number> doesn't flow into int"),
    ('%y = state.get name="n" : int', "there is no state 'n'"),
    ('state.set %x, name="n"', "there is no state 'n'"),
    ("%y = sum.make %x, index=0 : sum<none | int>", "value 0: int doesn't flow into none"),
    ("%y = sum.make %x, index=2 : sum<none | int>", "index 2 is out of range"),
    ("%y = sum.make %x, index=0 : int", "int is not a sum"),
    ("%y = sum.tag %x : int", "takes a sum and gives an int"),
    ("%y = sum.get %s, index=True : int", "index True is out of range"),
    ("%y = sum.get %s, index=0 : int", "alternative 0 is none, the result int"),
    ("yield %x\nreturn %x", "yield must be the last of its block"),
    ("yield %x", "a function must end in return or raise"),
    ("return %x, %x", "takes 1 operands, not 2"),
    ("%y = op %x, shape=[$1] : int", "$1 is out of range: there are 1 operands"),
    ("%y = op ; %x, shape=[1] : int", "operands [0] are neither positional nor reached by a Ref"),
    ("%y = op : sum<int | float>", "needs alternatives of different kinds"),
    ("%y = op : sum<int>", "needs alternatives of different kinds"),
    ("%y = op : sum<int | sum<none | str>>", "has a sum or never among its alternatives"),
    ("%y = op : list<class A{x: int, x: int}>", "names a field twice"),
]


@pytest.mark.parametrize("body, reason", CASES, ids=[c[1][:40] for c in CASES])
def test_broken_rules(body, reason):
    with pytest.raises(VerifyError) as error:
        verify(program(body))
    assert reason in str(error.value)
    assert str(error.value).startswith("in main: ")


def test_the_message_names_operation_function_and_line():
    built = by_name("if_yields").build()
    built.entry.block.ops[0].operands[0] = built.entry.block.args[1]
    with pytest.raises(VerifyError) as error:
        verify(built)
    assert str(error.value) == "in main: %0 = if %x : float32[2] (net.py:7): the condition is float32[2], not bool"


@pytest.mark.parametrize(
    "text",
    [
        "%y = if %c : int\n  then:\n    %z = const value=1 : int\n    yield %z\n  else:\n    yield %z",
        "if %c\n  then:\n    %z = const value=1 : int\n    yield\n  else:\n    yield\nreturn %z",
        "%w = while %x : int\n  cond(%i: int):\n    yield %c\n  body(%j: int):\n    yield %i",
    ],
)
def test_a_value_is_visible_only_in_its_block_and_deeper(text):
    head = "def main(%x: int, %c: bool)"
    with pytest.raises(VerifyError, match="isn't defined before it, or not visible here"):
        verify(program(text, head))


def test_captures_from_outer_blocks_are_fine():
    verify(by_name("eight_nested_loops").build())


def test_structure_links():
    built = by_name("if_yields").build()
    op = built.entry.block.ops[0]
    op.blocks[0].parent = None
    with pytest.raises(VerifyError, match="the parent of a block"):
        verify(built)
    op.blocks[0].parent = op
    op.blocks[0].ops.append(op.blocks[1].ops[-1])
    with pytest.raises(VerifyError, match="must be the last"):
        verify(built)
    built = by_name("if_yields").build()
    built.entry.block.ops[0].results.append(built.entry.block.ops[0].results[0])
    with pytest.raises(VerifyError, match="defined twice"):
        verify(built)


def test_attributes_are_data():
    b = Builder()
    with b.function("main", x="int") as (x,):
        b.return_(x)
    for bad in (object(), np.int64(3), {1: 2}, [b"x"]):
        b.program.entry.block.ops.insert(0, Operation("op", attrs={"a": bad}))
        b.program.entry.block.ops[0].parent = b.program.entry.block
        with pytest.raises(VerifyError, match="attributes h"):
            verify(b.program)
        del b.program.entry.block.ops[0]
    b.program.entry.block.append(Operation("op", attrs={"a": (Ref(0), None, 1.5, "s", {"k": [True]})}))


def test_tables():
    with pytest.raises(VerifyError, match="there is no function"):
        verify(Program())
    built = by_name("int_arithmetic").build()
    built.functions["other"] = built.functions["main"]
    with pytest.raises(VerifyError, match="stands in the table as 'other'"):
        verify(built)
    del built.functions["other"]
    built.parameters["w"] = Parameter(TensorType("float32", (3,)), np.zeros(2, np.float32), "weight")
    built.parameters["v"] = Parameter(INT)
    built.state["n"] = State(INT, "text")
    with pytest.raises(VerifyError) as error:
        verify(built)
    for reason in ("its data is float32[2]", "is of kind 'weight'", "is int, not a tensor", "starts from 'text'"):
        assert reason in str(error.value)


def _infer_doubled(x, by=2):
    if x != INT:
        raise DTypeError(f"double takes an int, not {x}")
    return INT


_DOUBLED = OpDef("double", kernel=lambda x, by=2, out=None: x * by, infer=_infer_doubled)


def test_operators_are_checked_against_their_inference():
    operators = {"double": _DOUBLED}
    verify(program("%y = double %x : int"), operators)
    for body, reason in [
        ("%y = double %x : str", "gives int, the result is declared str"),
        ("%y = double %c : int", "DTypeError: double takes an int, not bool"),
        ("%y = double %x, to=3 : int", "has no attribute 'to'"),
        ("%y = double %x, out=$0 : int", "has no attribute 'out'"),
        ("%y = double %x, %x, %x : int", "takes 2 operands at most"),
        ("%y = double : int", "lacks x"),
        ("%y = double %x, x=3 : int", "is given x twice"),
        ("double %x", "gives 1 results, 0 are declared"),
        ("%y = triple %x : int", "there is no operator 'triple'"),
    ]:
        with pytest.raises(VerifyError) as error:
            verify(program(body), operators)
        assert reason in str(error.value)


@pytest.mark.parametrize(
    "body, reason",
    [
        ("list.append %l, %c", "stores bool in list<int>"),
        ("list.set %l, %x, %c", "stores bool in list<int>"),
        ("dict.set %d, %x, %c", "stores bool in dict<int, int>"),
        ("dict.set %d, %c, %x", "stores bool in dict<int, int>"),
        ('object.set %o, %c, field="f"', "stores bool in class A{f: int}"),
        ('object.set %o, %x, field="g"', "stores int in class A{f: int}"),
    ],
)
def test_what_is_stored_fits(body, reason):
    made = '%d = dict.new %x, %x : dict<int, int>\n%o = object.new %x, cls="A", fields=["f"] : class A{f: int}\n'
    with pytest.raises(VerifyError) as error:
        verify(program(made + body), OPERATORS)
    assert reason in str(error.value)


def test_results_may_be_declared_wider_or_better_known():
    def new(type_):
        return OpDef("new", kernel=lambda: None, infer=lambda: type_)

    wide = ListType(SumType((INT, TensorType("float32", ()))))
    verify(program(f"%y = new : {wide}"), {"new": new(ListType(INT))})
    verify(program("%y = new : float32[2,?]"), {"new": new(TensorType("float32", (None, 3)))})
    for text in ("float32[2,4]", "float32[2]", "float64[2,3]"):
        with pytest.raises(VerifyError, match="is declared"):
            verify(program(f"%y = new : {text}"), {"new": new(TensorType("float32", (None, 3)))})


def test_of_many_problems_the_first_are_told():
    with pytest.raises(VerifyError, match="and more"):
        verify(program("\n".join(f"%y{k} = const : int" for k in range(12))))


def test_an_operation_is_judged_alike_however_often_it_stands_there():
    verify(program("%y = double %x : int\n%z = double %y : int"), {"double": _DOUBLED})
    for body in ("%y = double %c : int\n%z = double %c : int", "%y = double %x : bool\n%z = double %x : bool"):
        with pytest.raises(VerifyError) as error:
            verify(program("%a = double %x : int\n" + body), {"double": _DOUBLED})
        assert str(error.value).count("in main:") == 2


def test_a_location_is_optional():
    assert str(Loc("a.py", 3)) == "a.py:3"
