"""A file of twice the length takes about twice the steps and twice the memory to load or to refuse, whatever stands in it."""

from __future__ import annotations

import io
import sys
import tracemalloc

import pytest

import dy2st as paddle
from dy2st.errors import ModelFileError

from .by_hand import RETURN, TENSOR, YIELD, archive, beside, block, does, function, info, op, program

ONE = op("const", [], [["one", "int"]], value=1)
FILES = {}


def grows(steps=210):
    """A kind of file: `steps` is the length to begin with."""

    def register(made):
        FILES[made.__name__] = (made, steps)
        return made

    return register


def tuple_of(n):
    return f"tuple<{', '.join(['int'] * n)}>"


def on(type_, *ops):
    """A Function of a value `a` of this type."""
    return function("g", *ops, op("return", ["a"]), args=[["a", type_]])


@grows()
def operations_on_one_large_type(n):
    return beside(on(tuple_of(n), *(op("tuple.len", ["a"], [[f"r{i}", "int"]]) for i in range(n))))


@grows()
def equal_large_types(n):
    args = [["a", tuple_of(n)], ["l", f"list<{tuple_of(n)}>"], ["c", f"cell<{tuple_of(n)}>"]]
    ops = [o for _ in range(n) for o in (op("list.append", ["l", "a"]), op("cell.set", ["c", "a"]))]
    return beside(function("g", *ops, op("return", ["a"]), args=args))


@grows()
def calls_with_large_types(n):
    wide = tuple_of(n).replace("int", "number")
    callee = function("h", ONE, op("return", ["one"]), args=[["a", wide]])
    return beside(callee, on(tuple_of(n), *(op("call", ["a"], [[f"r{i}", "int"]], function="h") for i in range(n))))


@grows()
def wrong_uses_of_a_large_type(n):
    return beside(on(tuple_of(n), *(op("cell.get", ["a"], [[f"r{i}", "int"]]) for i in range(n))))


@grows()
def alternatives_in_another_order(n):
    kinds = [f"list<class A{i}>" for i in range(n)]
    there, back = (f"sum<{' | '.join(order)}>" for order in (kinds, kinds[::-1]))
    return beside(on(there, op("call", ["a"], [["r", back]], function="g")))


@grows()
def kinds_of_exceptions(n):
    def kinds(count):
        return f"exception<{' | '.join(f'E{i}(int)' for i in range(count))}>"

    callee = function("h", op("return", ["a"]), args=[["a", kinds(2 * n)]])
    return beside(callee, on(kinds(n), *(op("call", ["a"], function="h") for _ in range(n))))


@grows()
def a_chain_of_methods(n):
    calls = [function(f"f{i}", op("call", ["x"], [["r", "float32[2]"]], function=f"f{i + 1}"), RETURN) for i in range(n)]
    names = [f"f{i}" for i in range(n + 1)]
    tables = {"entries": {k: k for k in names}, "inputs": dict.fromkeys(names, [["x", TENSOR]])}
    return archive(program(*calls, function(f"f{n}", RETURN)), info(outputs=dict.fromkeys(names, ["float32[2]"]), **tables))


@grows()
def methods_and_parameters(n):
    names = [f"f{i}" for i in range(n)]
    method = {"parameters": [{"name": "x", "type": "float32[2]"}]}
    methods = {k: {**method, "variants": [{"function": k, "dtypes": ["float32"], "training": None}]} for k in names}
    script = {"methods": methods, "is_module": True, "attributes": [], "constants": {}}
    stored = [{"kind": "parameter", "name": k, "trainable": True, "type": "float32[0]"} for k in names]
    about = info(entries={k: k for k in names}, inputs={}, outputs={}, extra={"script": script})
    return archive(program(*(function(k, RETURN) for k in names), parameters=stored), about, dict.fromkeys(names, 0))


@grows()
def exceptions_caught(n):
    caught = [op("caught", [], [[f"c{i}", "exception<Exception>"]]) for i in range(n)]
    return does(op("try", [], [], block(YIELD), block(*caught, YIELD), handlers=[["ValueError"]]))


@grows()
def handlers(n):
    caught = [block(op("caught", [], [[f"c{i}", "exception<Exception>"]]), YIELD) for i in range(n)]
    return does(op("try", [], [], block(YIELD), *caught, handlers=[["ValueError"]] * n))


@grows(1000)
def bases_of_an_exception(n):
    bases = [f"E{i}" for i in range(n)]
    return does(op("exception.new", [], [["e", "exception<E0>"]], exception="E0", bases=bases))


@grows(300)
def exceptions_that_derive_from_each_other(n):
    chain = [{"exception": f"E{i}", "bases": [f"E{max(i - 1, 0)}"]} for i in range(n)]
    return does(*(op("exception.new", [], [[f"e{i}", f"exception<E{i}>"]], **attrs) for i, attrs in enumerate(chain)))


@grows(1000)
def keys_of_one_hash(n):
    keys = [hex(i * ((1 << 61) - 1)) for i in range(2 * n)]
    state = [{"name": "s", "type": "dict<int, int>", "value": f"{{{', '.join(f'{k}: 1' for k in keys)}}}"},
             {"name": "t", "type": "set<int>", "value": f"set({', '.join(keys)})"}]  # fmt: skip
    return does(state=state)


@grows(100_000)
def a_long_text(n):
    return does(state=[{"name": "s", "type": "str", "value": f'"{"a" * n}"'}])


@grows(10_000)
def a_text_of_escapes(n):
    return does(state=[{"name": "s", "type": "str", "value": f'"{chr(92) * 2 * n}"'}])


@grows()
def shared_state(n):
    lists = ", ".join(f"&{i} [*{i - 1}]" if i % 50 else f"&{i} []" for i in range(n))
    return does(state=[{"name": "s", "type": "class A", "value": f"object A{{x: [{lists}]}}"}])


@grows()
def state_of_one_large_type(n):
    value = f"[{', '.join(['object A{a: 1}'] * n)}]"
    return does(state=[{"name": "s", "type": f"list<class A{{a: sum<int | {tuple_of(n)}>}}>", "value": value}])


@grows()
def integers_in_a_chain(n):
    steps = [op("py.add", [f"v{i}", "one"], [[f"v{i + 1}", "int"]]) for i in range(n)]
    state = [{"name": "s", "type": "int", "value": "1"}]
    return does(ONE, op("state.get", [], [["v0", "int"]], name="s"), *steps, state=state)


@grows(20)
def steps_of_a_counter(n):
    """Each turn adds one on both paths of n branches."""
    zero = [ONE, op("py.to_tensor", ["one"], [["k", "int64[]"]], dtype="int64"), op("const", [], [["c", "bool"]], value=True)]

    def path(i, before):
        return block(op("add", [before, "k"], [[f"{i}", "int64[]"]]), op("yield", [i]))

    turns = [op("if", ["c"], [[f"v{i + 1}", "int64[]"]], path(f"y{i}", f"v{i}"), path(f"z{i}", f"v{i}")) for i in range(n)]
    test = [op("less_than", ["w", "k"], [["lt", "bool[]"]]), op("py.truth", ["lt"], [["b", "bool"]]), op("yield", ["b"])]
    body = block(*turns, op("yield", [f"v{n}"]), args=[["v0", "int64[]"]])
    return does(*zero, op("while", ["k"], [["end", "int64[]"]], block(*test, args=[["w", "int64[]"]]), body))


@grows(20)
def parts_of_the_model(n):
    names = [".".join([f"q{i}"] * 50) for i in range(n)]
    stored = [{"kind": "buffer", "name": name, "trainable": False, "type": "float32[0]"} for name in names]
    return archive(program(function("main", RETURN), parameters=stored), None, dict.fromkeys(names, 0))


def loaded(data):
    try:
        return paddle.jit.load(io.BytesIO(data))
    except ModelFileError as error:
        assert len(str(error)) <= ModelFileError.LONGEST
        return None


def steps(data):
    """How many calls Python makes while it loads a file."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        loaded(data)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", FILES)
def test_steps_grow_with_the_length(name):
    made, n = FILES[name]
    loaded(made(n))  # imports what it needs
    short, long = made(n), made(2 * n)
    assert steps(long) <= 1.25 * steps(short) * len(long) / len(short) + 1000


def memory(data):
    """The most bytes that Python holds at once for a load."""
    tracemalloc.start()
    loaded(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("name", FILES)
def test_memory_grows_with_the_length(name):
    """Imports, and a table of the process that doubles in one of the loads, are no part of it."""
    made, n = FILES[name]
    data = made(2 * n)
    most = min(memory(made(2 * n + 1)), memory(data))
    assert most < 100 * len(data) + 500_000

