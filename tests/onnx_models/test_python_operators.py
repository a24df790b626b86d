"""Python's operators in onnxruntime against their kernels, at the edges too: what Python raises, the output `error` tells.

Operands are arguments of the graph or constants of it, and numbers are of a known class or of one that only the run knows.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.running import SCALARS, Model, assert_same, of_one_operator
from ops.samples import collect
from support.sampling import case_in_failure, sampled

from dy2st.errors import DTypeError
from dy2st.graphs.lowering.primitives import NEWEST
from dy2st.ir.join import sequence_of
from dy2st.ir.native import Instance
from dy2st.ir.types import BOOL, FLOAT, INT, NONE, NUMBER, NUMERIC, STR, SumType, TensorType, TupleType, Type
from dy2st.onnx.lowering.refusal import OnnxError
from dy2st.ops.registry import OPERATORS, lookup

INTS = [0, 1, -1, 2, 7, -7, 63, 64, 2**31, 2**53 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 2.5, -0.5, 7.0, 1e-300, 1e308, -1e308, 2.0**53, 2.0**63, math.inf, -math.inf, math.nan]
BOOLS = [False, True]
NUMBERS = [*INTS, *FLOATS, *BOOLS]
INEXACT = "ints are divided as in Python up to 2**53"
REFUSED = ("an int is beyond 64 bits", INEXACT, "is a complex number", "takes ints, not a float")


def as_it_is(type_: Type) -> Type:
    """The type of a value."""
    return type_


def number(type_: Type) -> Type:
    """The type of numbers of unknown class for each number."""
    return NUMBER if type_ in NUMERIC else type_


def outcome(ask) -> tuple[object, Exception | None]:
    """What a call gives, or the exception that it raises."""
    try:
        return ask(), None
    except Exception as error:
        return None, error


def is_beyond(value: object) -> bool:
    """Whether it is an int, or holds one, of more than 64 bits."""
    parts = value if isinstance(value, tuple) else (value,)
    return any(isinstance(x, int) and not -(2**63) <= x < 2**63 for x in parts)


class Checked:
    """One operator as a model for operands of the same classes as `operands`; constants stay what they are."""

    def __init__(self, name: str, operands: tuple, attrs: dict | None = None, blur=as_it_is, constant: int | None = None):
        self.name, self.attrs, self.constant = name, attrs or {}, constant
        fixed = () if constant is None else (type(operands[constant]),)
        assert constant is None or [type(x) for x in operands].count(*fixed) == 1
        program, self.values = of_one_operator(name, operands, self.attrs, blur, constants=fixed or (type(None),))
        self.model = Model(program)

    def __call__(self, *operands) -> None:
        expected, raised = outcome(lambda: lookup(self.name).kernel(*operands, **self.attrs))
        given, told = outcome(lambda: self.model(*(x for k, x in enumerate(operands) if k != self.constant)))
        where = f"{self.name}{operands}: {told or given!r}, expected {raised or expected!r}"
        if told is not None and any(part in str(told) for part in REFUSED):
            assert raised or is_beyond(expected) or INEXACT in str(told), where
        elif raised or told:
            assert (type(told), str(told)) == (type(raised), str(raised)), where
        else:
            assert_same(expected, given, where)


def cases(columns: list[list], limit: int = 150) -> list[tuple]:
    """Operands of all combinations of classes, by class; of each, some."""
    found: dict[tuple, list] = {}
    for operands in product(*columns):
        found.setdefault(tuple(map(type, operands)), []).append(operands)
    return [(rows[0], sampled(rows, limit)) for rows in found.values()]


BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "lt", "le", "gt", "ge", "eq", "ne", "min", "max"]
ON_INTS = ["and", "or", "xor", "lshift", "rshift"]
UNARY = ["neg", "pos", "abs", "not", "int", "float", "bool", "round"]


@pytest.mark.long
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("blur", [as_it_is, number], ids=["known", "number"])
def test_two_numbers(name, blur):
    for first, rows in cases([NUMBERS, NUMBERS]):
        run = Checked(f"py.{name}", first, blur=blur)
        for operands in rows:
            run(*operands)


@pytest.mark.parametrize("name", ON_INTS)
@pytest.mark.parametrize("blur", [as_it_is, number], ids=["known", "number"])
def test_two_ints(name, blur):
    ints = [[*INTS, *BOOLS], [x for x in (*INTS, *BOOLS) if x < 2**31]]
    for first, rows in cases(ints):
        run = Checked(f"py.{name}", first, blur=blur)
        for operands in rows:
            run(*operands)


@pytest.mark.parametrize("blur", [as_it_is, number], ids=["known", "number"])
def test_power(blur):
    exponents = [0, 1, 2, 3, 5, 61, 62, 63, 64, 65, -1, -2, -63, *FLOATS, *BOOLS]
    for first, rows in cases([[*NUMBERS, 3, -2, -3, 2097151, 3037000499, 3037000500, -3037000500], exponents]):
        run = Checked("py.pow", first, blur=blur)
        for operands in rows:
            run(*operands)


@pytest.mark.parametrize("blur", [as_it_is, number], ids=["known", "number"])
def test_power_by_a_modulus(blur):
    bases, exponents = [*INTS, 3, 10**18 + 9, True], [0, 1, 2, 3, 64, 2**62 + 1, 2**63 - 1, -1, -2, -(2**63)]
    moduli = [0, 1, -1, 2, 7, -7, 97, 2**31 - 1, 2**61 - 1, -(2**61 - 1), 2**63 - 1, 2**63 - 25, -(2**63)]
    for first, rows in cases([bases, exponents, moduli], 60):
        run = Checked("py.powmod", first, blur=blur)
        for operands in rows:
            run(*operands)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("blur", [as_it_is, number], ids=["known", "number"])
def test_one_number(name, blur):
    for first, rows in cases([NUMBERS]):
        run = Checked(f"py.{name}", first, blur=blur)
        for operands in rows:
            run(*operands)


OF_ONE = "sqrt exp exp2 log log2 log10 fabs sin cos tan cosh tanh degrees radians isnan isinf isfinite floor ceil trunc".split()


@pytest.mark.parametrize("name", OF_ONE)
def test_function_of_math(name):
    if not hasattr(math, name):
        pytest.skip(f"this Python has no math.{name}")
    for first, rows in cases([[*NUMBERS, 1000, 8, 1024.0, 1e22, 0.3, -700.5, 20.0]]):
        run = Checked("math.call", first, {"name": name})
        for operands in rows:
            run(*operands)


@pytest.mark.parametrize("name", ["pow", "fmod", "copysign", "isclose", "log"])
def test_function_of_math_of_two(name):
    for first, rows in cases([NUMBERS, FLOATS]):
        run = Checked("math.call", first, {"name": name})
        for operands in rows:
            run(*operands)


def test_factorial():
    run = Checked("math.call", (3,), {"name": "factorial"})
    for n in (-1, 0, 1, 5, 20, 21):
        run(n)


@pytest.mark.parametrize("constant", [7, -7, 1, -1, 2**40, 2.5, -0.5])
def test_divisors_and_factors_that_are_known(constant):
    for name in ("floordiv", "mod", "divmod", "truediv", "mul", "add", "sub", "lt", "eq", "pow"):
        for other in (FLOATS, INTS) if name != "pow" or constant == 2.5 else (FLOATS,):
            if type(other[0]) is not type(constant):
                run = Checked(f"py.{name}", (other[0], constant), constant=1)
                for x in other:
                    run(x, constant)


@pytest.mark.long
def test_range():
    ends = [0, 1, -1, 5, 10, -10, 2**62, -(2**62), 2**63 - 1, -(2**63)]
    run = Checked("range.len", (0, 5, 1))
    for operands in sampled([*product(ends, ends, [1, 2, 3, -1, -4, 0, 2**62, -(2**63)])], 400):
        if not is_beyond(operands[1] - operands[0]):  # which is refused
            run(*operands)


# --- samples -----------------------------------------------------------------------------------------------------------------

SAMPLES = {name: rows for name, rows in collect().items() if "." in name and callable(OPERATORS[name].onnx)}


def of_any_length(type_: Type) -> Type:
    """The type of a tuple with as many items as a run tells."""
    return sequence_of(type_) if isinstance(type_, TupleType) and not type_.name and type_.elems else type_


@pytest.mark.parametrize("constants", [SCALARS, (type(None),)], ids=["constants", "arguments"])
@pytest.mark.parametrize("blur", [as_it_is, of_any_length], ids=["tuples", "sequences"])
@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name, blur, constants):
    check_samples(name, blur, constants)


@pytest.mark.parametrize("opset", [17, 21, NEWEST])
@pytest.mark.parametrize("name", SAMPLES)
def test_opsets(name, opset):
    check_samples(name, of_any_length, (type(None),), opset)


def check_samples(name, blur, constants, opset=None):
    """Hold each sample against the kernel; skip where all are refused."""
    refused = []
    for k, case in enumerate(SAMPLES[name]):
        with case_in_failure(f"sample {k}"):
            if any(is_beyond(x) or isinstance(x, dict | set | Instance) for x in case.operands):
                refused.append("ints beyond 64 bits, or what a pass makes values of")
                continue
            try:
                program, values = of_one_operator(name, case.operands, case.attrs, blur, constants)
                model = Model(program, opset)
            except (OnnxError, DTypeError) as error:
                refused.append(str(error))
                continue
            assert_same(lookup(name).kernel(*case.operands, **case.attrs), model(*values), name)
    if len(refused) == len(SAMPLES[name]):
        pytest.skip(refused[0])


# --- values of several kinds -------------------------------------------------------------------------------------------------

KINDS = SumType((NONE, NUMBER, STR, TupleType((INT, STR))))
OF_KINDS = [None, 0, 1, 1.0, True, 2.5, "", "a", (1, "a"), (1, "b")]


def with_types(name: str, types: list[Type], operands: tuple, **attrs) -> Model:
    """One operator on arguments of these types."""
    rest = iter(types)
    return Model(of_one_operator(name, operands, attrs, lambda _: next(rest), constants=())[0])


@pytest.mark.parametrize("name", ["eq", "ne"])
@pytest.mark.parametrize("second", [KINDS, NUMBER, STR], ids=["sum", "number", "str"])
def test_sums_are_compared(name, second):
    others = {KINDS: OF_KINDS, NUMBER: [0, 1.0, True, 2.5], STR: ["", "a"]}[second]
    run = with_types(f"py.{name}", [KINDS, second], (None, others[0]))
    for a, b in product(OF_KINDS, others):
        assert run(a, b) == lookup(f"py.{name}").kernel(a, b), f"{a!r}, {b!r}"


@pytest.mark.parametrize("name", ["not", "truth"])
def test_the_truth_of_sums(name):
    run = with_types(f"py.{name}", [KINDS], (None,))
    for x in OF_KINDS:
        assert run(x) is lookup(f"py.{name}").kernel(x), repr(x)


def test_a_sum_is_none():
    program, _ = of_one_operator("py.is", (1, None), {}, lambda _: KINDS, constants=(type(None),))
    run = Model(program)
    for x in OF_KINDS:
        assert run(x) is (x is None), repr(x)


@pytest.mark.parametrize("classes", [["int"], ["bool"], ["float"], ["int", "float"]])
def test_the_class_of_a_sum(classes):
    run = with_types("py.isinstance", [KINDS], (None,), classes=classes)
    for x in OF_KINDS:
        assert run(x) == lookup("py.isinstance").kernel(x, classes), repr(x)


def test_items_of_several_kinds():
    items, types = (1, "a", None, (2.5, True)), TupleType((INT, STR, NONE, TupleType((FLOAT, BOOL))))
    run = with_types("tuple.get_dynamic", [types, INT], (items, 0))
    for index in range(-4, 4):
        assert_same(items[index], run(items, index), str(index))
    for index in (4, -5):
        with pytest.raises(IndexError, match="tuple index out of range"):
            run(items, index)
    run = with_types("tuple.contains", [types, KINDS], (items, 1))
    for x in OF_KINDS:
        assert run(items, x) == (x in items), repr(x)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (0,), (2,)])
@pytest.mark.parametrize("dtype", ["float32", "int32", "bool", "float16"])
def test_the_element_of_a_tensor_of_any_length(shape, dtype):
    array = np.ones(shape, dtype)
    for name, declared in product(("item", "truth"), [TensorType(dtype, shape), TensorType(dtype, (None,) * len(shape))]):
        run = with_types(f"py.{name}", [declared], (array,))
        if array.size == 1:
            assert_same(lookup(f"py.{name}").kernel(array), run(array), name)
            continue
        with pytest.raises(ValueError, match="takes a tensor of one element"):
            run(array)
