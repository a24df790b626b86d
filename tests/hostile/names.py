"""Every place of a file that takes a name, with names that mean something elsewhere: `python -m hostile.names`, from `tests`.

It prints what must not be: code that runs, a file that is opened, a failure that is no refusal and no honest error. Arguments are
the names to try.
"""

from __future__ import annotations

import copy
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import dy2st as paddle
from dy2st.errors import ModelFileError

from .attempt import Forbidden, judged, try_model, watch
from .by_hand import RETURN, TENSOR, YIELD, archive, block, does, function, gives, info, op, program

NAMES = (
    *("__import__('os').system('id')", "eval", "os.system", "x\nimport os", "lambda", "None", "np", "f0", "parameters"),
    *("__class__", "__reduce__", "__deepcopy__", "__init__", "__builtins__", "__array_interface__", "_parameters", "_program"),
    *("forward", "training", "state_dict", "{0.__class__}", "%s%n%(x)s", "/etc/passwd", "\ufb01", "\ud800", "\0", "a" * 5000),
)
METHOD = {"parameters": [{"name": "x", "type": "float32[2]"}]}
METHOD["variants"] = [{"function": "main", "dtypes": ["float32"], "training": None}]  # type: ignore[list-item]
INPUT = np.ones(2, "float32")


def raises(**attrs: Any) -> bytes:
    """An archive whose `forward` raises this."""
    return archive(program(function("main", op("raise", ["x"], [], **attrs))), info(outputs={"forward": []}))


def asks(handlers: list, *ops: Any) -> bytes:
    """An archive whose `forward` raises a ValueError, which the handlers catch."""
    body = block(op("raise", ["x"], [], exception="ValueError"))
    return does(op("try", [], [], body, block(*ops, YIELD), handlers=handlers))


def scripted(methods: dict, is_module: bool = True, attributes: Any = (), constants: Any = None, **tables: Any) -> bytes:
    script = {"methods": methods, "is_module": is_module, "attributes": list(attributes), "constants": constants or {}}
    about = info(entries={"m": "main"}, inputs={}, outputs={}, extra={"script": script})
    return archive(program(function("main", RETURN), **tables), about)


def held(type_: str, value: str, name: str = "s") -> bytes:
    """An archive whose `forward` gives its state."""
    return gives(type_, op("state.get", [], [["s", type_]], name=name), state=[{"name": name, "type": type_, "value": value}])


def made(type_: str, kind: str, **attrs: Any) -> bytes:
    """An archive whose `forward` gives what one operation makes of x."""
    return gives(type_, op(kind, ["x"], [["o", type_]], **attrs))


def formatted(kind: str, text: str, /, *operands: str, **attrs: Any) -> bytes:
    """An archive whose `forward` gives a text made of this one."""
    return gives("str", op("const", [], [["c", "str"]], value=text), op(kind, ["c", *operands], [["s", "str"]], **attrs))


def stored(name: str) -> bytes:
    parameters = [{"kind": "parameter", "name": name, "trainable": True, "type": "float32[2]"}]
    read = op("param", [], [["p", "float32[2]"]], name=name)
    main = function("main", read, op("add", ["p", "x"], [["r", "float32[2]"]]), op("return", ["r"]))
    return archive(program(main, parameters=parameters), None, {name: 2})


PLACES: dict[str, Callable[[str, str], bytes]] = {  # of a name, and of the name in quotes
    "value": lambda n, q: archive(program(function("main", op("relu", ["x"], [[n, "float32[2]"]]), op("return", [n])))),
    "function": lambda n, q: archive(program(function(n, RETURN)), info(entries={"forward": n})),
    "location": lambda n, q: archive(program(function("main", {**RETURN, "path": n, "loc": [0, 1, n]}), files=[n])),
    "parameter": lambda n, q: stored(n),
    "parameter of a part": lambda n, q: stored(f"{n}.{n}"),
    "state": lambda n, q: held("int", "1", n),
    "exception": lambda n, q: raises(exception=n),
    "base": lambda n, q: raises(exception="A", bases=[n]),
    "field": lambda n, q: raises(exception="A", fields=[n]),
    "handler": lambda n, q: asks([[n]]),
    "caught field": lambda n, q: asks(
        [["ValueError"]], op("caught", [], [["c", "exception<ValueError>"]]), op("caught.field", ["c"], [["f", "str"]], name=n)),
    "attribute": lambda n, q: does(op("relu", ["x"], [["r", "float32[2]"]], **{n: 1})),
    "class": lambda n, q: made(f"class {q}{{{q}: float32[2]}}", "object.new", cls=n, fields=[n], text=n),
    "namedtuple": lambda n, q: held(f"tuple {q}<{q}: int>", f"record {q}({q}: 1)"),
    "field of another namedtuple": lambda n, q: held("tuple P<a: int>", f"record P({q}: 1)"),
    "namedtuple of no type": lambda n, q: held("class A", f"object A{{f: record {q}({q}: 1)}}"),
    "twice in other letters": lambda n, q: held("class A", f"object A{{f: record P(fi: 1, {q}: 1)}}"),
    "object": lambda n, q: gives(f"atom<{q}>", op("atom", [], [["o", f"atom<{q}>"]], text=n)),
    "text": lambda n, q: gives("str", op("const", [], [["o", "str"]], value=n)),
    "method": lambda n, q: archive(
        program(function("main", RETURN)), info(entries={n: "main"}, inputs={n: [["x", TENSOR]]}, outputs={n: ["float32[2]"]})),
    "model": lambda n, q: archive(program(function("main", RETURN)), info(name=n, versions={n: n})),
    "argument": lambda n, q: archive(program(function("main", RETURN)), info(inputs={"forward": [[n, TENSOR]]})),
    "namedtuple of arguments": lambda n, q: archive(
        program(function("main", RETURN)), info(inputs={"forward": [["x", {"namedtuple": n, "fields": [[n, TENSOR]]}]]})),
    **{key: lambda n, q, key=key: archive(program(function("main", RETURN)), info(extra={key: value(n)}))  # type: ignore[misc]
       for key, value in {"properties": lambda n: {n: n}, "called": str, "weights": str, "input_memory": lambda n: {"forward": n},
                          "other_mode": lambda n: {"forward": n}, "no_other_mode": lambda n: {n: n}}.items()},
    "script method": lambda n, q: scripted({n: METHOD, "forward": METHOD}, constants={n: n}),
    "script attribute": lambda n, q: scripted(
        {"forward": METHOD}, attributes=[n], state=[{"name": n, "type": "int", "value": "1"}]),
    "script function": lambda n, q: scripted({n: METHOD}, is_module=False),
    "script parameter": lambda n, q: scripted({"forward": {**METHOD, "parameters": [{"name": n, "type": "float32[2]"}]}}),
    "format": lambda n, q: made("str", "str.format", spec=n, conversion=n),
    "template": lambda n, q: formatted("str.percent", n, "x"),
    "str.method": lambda n, q: formatted("str.method", n, name=n),
    "dtype": lambda n, q: does(op("cast", ["x"], [["r", "float32[2]"]], dtype=n)),
    "equation": lambda n, q: does(op("einsum", ["x", "x"], [["r", "float32[]"]], equation=n)),
    **{f"collections.{k}": lambda n, q, k=k: held(f"class collections.{k}", f"object collections.{k}{{{q}: atom({q})}}")
       for k in ("Counter", "OrderedDict", "defaultdict", "deque")},  # type: ignore[misc]
}  # fmt: skip


def used(model: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What else is done with a model, beside calling it."""
    x = paddle.to_tensor(INPUT, stop_gradient=False)
    yield "copy", lambda: copy.deepcopy(model)
    yield "text", lambda: (repr(model), str(getattr(model, "code", "")), str(getattr(model, "graph", "")))
    yield "attributes", lambda: [getattr(model, name) for name in (*dir(model), *vars(model).get("_attributes", ()))
                                 if name in NAMES and hasattr(model, name)]  # fmt: skip
    yield "save", lambda: (model.save if hasattr(model, "contents") else lambda f: paddle.jit.save(model, f))(io.BytesIO())
    yield "stage", lambda: paddle.jit.to_static(lambda a: model(a))(x)


def failures(names: Iterable[str]) -> Iterator[str]:
    """What must not be."""
    for place, written in PLACES.items():
        for name in names:
            data = written(name, json.dumps(name))
            if (what := try_model(data, (INPUT,), False)).startswith("!"):
                yield f"{place} called {name[:40]!r}: {what}"
            try:
                model = paddle.jit.load(io.BytesIO(data))
            except ModelFileError:
                continue
            for use, act in used(model):
                try:
                    act()
                except (AttributeError, RuntimeError):
                    pass  # what a Layer or a recording says of a wrong use
                except (Exception, Forbidden) as error:
                    if (what := judged(model, error)).startswith("!"):
                        yield f"{place} called {name[:40]!r}, {use}: {what}"


if __name__ == "__main__":
    out, sys.stdout = sys.stdout, io.StringIO()
    paddle.jit.load(io.BytesIO(does()))  # which imports what reads archives
    watch()
    for failure in failures(sys.argv[1:] or NAMES):
        print(failure, file=out)
