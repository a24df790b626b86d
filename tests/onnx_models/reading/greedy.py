"""Small ONNX models that ask for much: memory, nodes, iterations, axes. Each name gives a function that makes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.helper import make_node as node

GREEDY: dict[str, Callable[[], ModelProto]] = {}
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
LARGE = 1 << 33


def greedy(function: Callable[[], ModelProto]) -> Callable[[], ModelProto]:
    GREEDY[function.__name__] = function
    return function


def value(name: str, lengths: Any = (), dtype: int = FLOAT) -> Any:
    return helper.make_tensor_value_info(name, dtype, lengths)


def made(nodes: list[Any], lengths: Any = (2,), opset: int = 18, functions: Any = (), **constants: Any) -> ModelProto:
    """A model of an input x and an output y. constants: values of Constant nodes, which are folded."""
    tensors = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
    first = [node("Constant", [], [tensor.name], value=tensor) for tensor in tensors]
    graph = helper.make_graph([*first, *nodes], "greedy", [value("x", lengths)], [value("y", ["N"])])
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    return helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=10)


def added(name: str, dtype: int | None = None) -> list[Any]:
    """Nodes that add all elements of a value to x, so that the output needs it."""
    cast = [node("Cast", [name], [f"{name}_cast"], to=FLOAT)] if dtype else []
    return [
        *cast,
        node("ReduceSum", [f"{name}_cast" if dtype else name], ["total"], keepdims=0),
        node("Add", ["x", "total"], ["y"]),
    ]


def rows(count: int, rank: int = 4, dtype: Any = "float32") -> dict[str, np.ndarray]:
    """Arrays, each of which is long along another axis: they broadcast to `count ** rank` elements."""
    return {f"a{k}": np.ones([count if axis == k else 1 for axis in range(rank)], dtype) for k in range(rank)}


# --- results that are larger than what they are made of -------------------------------------------------------------------


@greedy
def one_hot() -> ModelProto:
    return made(
        [node("OneHot", ["i", "depth", "values"], ["o"]), *added("o")],
        i=[1],
        depth=300_000_000,
        values=np.array([0, 1], "float32"),
    )


@greedy
def unused() -> ModelProto:
    return made(
        [node("OneHot", ["i", "depth", "values"], ["o"]), node("Neg", ["x"], ["y"])], i=[1], depth=300_000_000, values=[0, 1]
    )


@greedy
def maximum() -> ModelProto:
    return made([node("Max", [*rows(1024)], ["o"]), *added("o")], **rows(1024))


@greedy
def where() -> ModelProto:
    given = rows(1024) | {"a0": rows(1024, dtype="bool")["a0"]}
    return made([node("Where", ["a0", "a1", "a2"], ["o"]), *added("o")], **given)


@greedy
def outer_product() -> ModelProto:
    return made([node("Einsum", ["a"] * 3, ["o"], equation="i,j,k->ijk"), *added("o")], a=np.ones(1300, "float32"))


@greedy
def sum_of_products() -> ModelProto:
    return made(
        [node("Einsum", ["a"] * 4, ["o"], equation="i,j,k,l->"), node("Add", ["x", "o"], ["y"])], a=np.ones(1024, "float32")
    )


@greedy
def padded() -> ModelProto:
    return made([node("Pad", ["a", "pads"], ["o"]), *added("o")], a=np.ones(1, "float32"), pads=[0, LARGE])


@greedy
def pooled() -> ModelProto:
    pool = node("MaxPool", ["a"], ["o"], kernel_shape=[LARGE], pads=[LARGE, LARGE])
    return made([pool, *added("o")], a=np.ones([1, 1, 4], "float32"))


@greedy
def averaged() -> ModelProto:
    pool = node("AveragePool", ["a"], ["o"], kernel_shape=[30_000] * 2, pads=[29_999] * 4, count_include_pad=1)
    return made([pool, *added("o")], a=np.ones([1, 1, 4, 4], "float32"))


@greedy
def convolved() -> ModelProto:
    return made(
        [node("Conv", ["a", "w"], ["o"], pads=[30_000] * 4, strides=[30_000] * 2), *added("o")],
        a=np.ones([1, 1, 4, 4], "float32"),
        w=np.ones([1, 1, 2, 2], "float32"),
    )


@greedy
def transformed() -> ModelProto:
    return made([node("DFT", ["a", "n"], ["o"], axis=1), *added("o")], a=np.ones([1, 4, 1], "float32"), n=1 << 31)


def doubled(dtype: Any) -> ModelProto:
    nodes = [node("Concat", [f"a{k}" if k else "a"] * 2, [f"a{k + 1}"], axis=0) for k in range(40)]
    return made([*nodes, *added("a40", FLOAT)], a=np.ones(1000, dtype))


@greedy
def doubled_ints() -> ModelProto:
    return doubled("int64")


@greedy
def doubled_floats() -> ModelProto:
    return doubled("float32")


@greedy
def doubled_lengths() -> ModelProto:
    nodes = [node("Concat", [f"a{k}" if k else "a"] * 2, [f"a{k + 1}"], axis=0) for k in range(30)]
    return made([node("Shape", ["x"], ["a"]), *nodes, *added("a30", FLOAT)], ["N"])


@greedy
def gathered() -> ModelProto:
    nodes = [node("Gather", [f"a{k}" if k else "a", "i"], [f"a{k + 1}"], axis=k) for k in range(3)]
    return made([*nodes, *added("a3", FLOAT)], a=np.ones([1, 1, 1], "int64"), i=np.zeros(4000, "int64"))


@greedy
def expanded() -> ModelProto:
    return made([node("Expand", ["a", "shape"], ["o"]), *added("o")], a=np.ones(1, "float32"), shape=[1 << 17, 1 << 17])


@greedy
def tiled() -> ModelProto:
    return made([node("Tile", ["a", "n"], ["o"]), *added("o", FLOAT)], a=np.ones(100, "int64"), n=[1 << 32])


@greedy
def counted() -> ModelProto:
    return made([node("Range", ["a", "b", "c"], ["o"]), *added("o", FLOAT)], a=0, b=1 << 40, c=1)


@greedy
def larger_image() -> ModelProto:
    return made(
        [node("Resize", ["x", "", "scales"], ["o"], mode="linear"), *added("o")],
        [1, 1, 4],
        scales=np.array([1, 1, 1e9], "float32"),
    )


@greedy
def smaller_image() -> ModelProto:
    resize = node("Resize", ["x", "", "scales"], ["o"], mode="linear", antialias=1)
    return made([resize, *added("o")], [1, 1, 4], scales=np.array([1, 1, 1e-9], "float32"))


@greedy
def image_of_a_size() -> ModelProto:
    return made([node("Resize", ["x", "", "", "sizes"], ["o"], mode="cubic"), *added("o")], [1, 1, 4], sizes=[1, 1, LARGE])


@greedy
def columns() -> ModelProto:
    return made([node("Col2Im", ["x", "image", "block"], ["o"]), *added("o")], [1, 1, 1 << 40], image=[1 << 20] * 2, block=[1, 1])


@greedy
def sparse() -> ModelProto:
    values, indices = (numpy_helper.from_array(np.array([1], dtype), "") for dtype in ("float32", "int64"))
    tensor = helper.make_sparse_tensor(values, indices, [1 << 17, 1 << 17])
    return made([node("Constant", [], ["o"], sparse_value=tensor), *added("o")])


@greedy
def function_constants() -> ModelProto:
    """A function with a large constant is called many times: the constant is made once."""
    constant = node("Constant", [], ["c"], value=numpy_helper.from_array(np.ones(50_000, "float32"), "c"))
    body = [constant, node("ReduceSum", ["c"], ["s"], keepdims=0), node("Add", ["a", "s"], ["b"])]
    function = helper.make_function("own", "f", ["a"], ["b"], body, [helper.make_opsetid("", 18)])
    calls = [node("f", [f"x{k}" if k else "x"], [f"x{k + 1}"], domain="own") for k in range(1000)]
    return made([*calls, node("Identity", ["x1000"], ["y"])], functions=[function])


# --- as many nodes, iterations, axes, steps as a number says ---------------------------------------------------------------


def loop(trips: int, is_collected: bool = False) -> ModelProto:
    body = [node("Identity", ["before"], ["after"]), node("Sin", ["s"], ["t"]), node("Identity", ["t"], ["u"])]
    outputs = [value("after", (), TensorProto.BOOL), value("t", [2]), value("u", [2])]
    graph = helper.make_graph(
        body, "body", [value("i", (), INT64), value("before", (), TensorProto.BOOL), value("s", [2])], outputs
    )
    collected = node("ReduceSum", ["rows" if is_collected else "last"], ["sum"], keepdims=0)
    nodes = [node("Loop", ["n", "", "x"], ["last", "rows"], body=graph), collected, node("Add", ["last", "sum"], ["y"])]
    return made(nodes, n=trips)


@greedy
def trips() -> ModelProto:
    return loop(1000)


@greedy
def endless_trips() -> ModelProto:
    return loop(1 << 60, is_collected=True)


@greedy
def nested_loops() -> ModelProto:
    graph = None
    for depth in range(12):
        inner = node("Sin", ["s0"], ["t0"]) if graph is None else node("Loop", ["n", "", f"s{depth}"], [f"t{depth}"], body=graph)
        inputs = [value(f"i{depth}", (), INT64), value(f"c{depth}", (), TensorProto.BOOL), value(f"s{depth}", [2])]
        outputs = [value(f"d{depth}", (), TensorProto.BOOL), value(f"t{depth}", [2])]
        graph = helper.make_graph([node("Identity", [f"c{depth}"], [f"d{depth}"]), inner], "body", inputs, outputs)
    return made([node("Loop", ["n", "", "x"], ["y"], body=graph)], n=10)


def scan(count: int) -> ModelProto:
    body = helper.make_graph([node("Neg", ["p"], ["q"])], "body", [value("p")], [value("q")])
    return made([node("Scan", ["x"], ["y"], body=body, num_scan_inputs=count)])


@greedy
def scan_of_many() -> ModelProto:
    return scan(400_000_000)


@greedy
def scan_of_none() -> ModelProto:
    return scan(-3)


@greedy
def squared_lengths() -> ModelProto:
    nodes = [node("Mul", [f"s{k}"] * 2, [f"s{k + 1}"]) for k in range(60)]
    return made(
        [node("Shape", ["x"], ["n"]), node("Concat", ["n", "three"], ["s0"], axis=0), *nodes, *added("s60", FLOAT)],
        ["N"],
        three=[3],
    )


def chain(count: int, calls: int) -> ModelProto:
    """Functions of which each calls the one before."""
    made_of = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    functions = [helper.make_function("own", "f0", ["a0"], ["b"], [node("Neg", ["a0"], ["b"])], made_of)]
    for k in range(1, count):
        names = [f"a{at}" for at in range(calls)] + ["b"]
        body = [node(f"f{k - 1}", [names[at]], [names[at + 1]], domain="own") for at in range(calls)]
        functions.append(helper.make_function("own", f"f{k}", ["a0"], ["b"], body, made_of))
    return made([node(f"f{count - 1}", ["x"], ["y"], domain="own")], functions=functions)


@greedy
def chain_of_functions() -> ModelProto:
    return chain(5000, 1)


@greedy
def functions_that_double() -> ModelProto:
    return chain(40, 2)


@greedy
def one_name() -> ModelProto:
    nodes = [node("Neg", [f"x{k}" if k else "x"], [f"x{k + 1}"], name="same") for k in range(5000)]
    return made([*nodes, node("Identity", ["x5000"], ["y"])])


@greedy
def constants_without_names() -> ModelProto:
    nodes = [node("Add", [f"x{k}" if k else "x", f"c{k}"], [f"x{k + 1}"]) for k in range(2000)]
    return made([*nodes, node("Identity", ["x2000"], ["y"])], **{f"c{k}": np.ones(2, "float32") for k in range(2000)})


@greedy
def axes() -> ModelProto:
    return made([node("Reshape", ["x", "shape"], ["o"]), *added("o")], [1], shape=np.ones(1_000_000, "int64"))


@greedy
def axes_of_an_array() -> ModelProto:
    return made([node("Unsqueeze", ["a", "axes"], ["o"]), *added("o", FLOAT)], [1], a=[1], axes=np.arange(100_000))


@greedy
def axes_of_lengths() -> ModelProto:
    shape = [node("Shape", ["x"], ["n"]), node("Concat", ["n"] * 3000, ["shape"], axis=0)]
    return made([*shape, *[node("Reshape", ["x", "shape"], ["o"]), *added("o")]], ["N"])


@greedy
def columns_of_indices() -> ModelProto:
    model = made([node("GatherND", ["x", "i"], ["y"])], [2, 2])
    model.graph.input.append(value("i", [2, 1 << 31], INT64))
    return model


@greedy
def corners() -> ModelProto:
    model = made([node("GridSample", ["x", "grid"], ["y"])], [1] * 40, opset=20)
    model.graph.input.append(value("grid", [*[1] * 39, 38]))
    return model


@greedy
def neighbours() -> ModelProto:
    return made([node("LRN", ["x"], ["o"], size=1 << 40), *added("o")], [1, 1, 4, 4])
