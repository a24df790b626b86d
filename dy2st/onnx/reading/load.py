"""`onnx.load`: from an ONNX model to a Layer that runs its Program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...config import VERSION
from ...errors import ConversionError, ShapeError
from ...ir.core import Loc, Program
from ...ir.names import free
from ...jit.interface import argument_tree
from ...jit.loading.translated_layer import TranslatedLayer
from ...jit.static.concrete import ConcreteProgram, settled
from ...nn.parameter import Parameter
from ...runtime.stage.stage import stage
from ...runtime.tensors.spec import InputSpec, ValueSpec
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.running import working
from ...runtime.where.tracebacks import shows_users_frames
from ...saving import Info
from ..metadata import kinds_in
from ..node_counts import count_nodes, functions_of
from .budget import limited
from .checks import check, opsets_of, statistics_in
from .external import ExternalData
from .files import read
from .graph import Graph, Node, OncePerProto, Reader, all_nodes
from .interpreter import Scope
from .tensors import spec_of
from .values import as_result

WEIGHTS = "fcV"  # kinds of NumPy's dtypes that are parameters
BYTES = 1  # how wide an integer is that isn't a shape, an axis or an index


class Held:
    """The tensors that a model holds, and what they are called.

    statistics: the names of those that nobody trains. kinds: what they are, where the model tells. value_of: a TensorProto as an
    array or a text.
    """

    def __init__(self, statistics: set[str], kinds: Mapping[str, str], value_of: Callable[[Any], Any]) -> None:
        self.names: dict[int, str] = {}
        self._tensors: dict[str, Tensor] = {}
        self._statistics, self._kinds, self._value_of = statistics, kinds, value_of

    def __call__(self, proto: Any) -> Any:
        """What an initialiser is: a parameter of floats, a buffer of statistics or single bytes, else a constant."""
        array = self._value_of(proto)
        if isinstance(array, str):
            return array
        kind = self._kinds.get(proto.name) or self._kind(proto.name, array)
        if kind == "constant":
            return array
        return self._hold(proto.name, Parameter(array) if kind == "parameter" else Tensor(array))

    def _kind(self, name: str, array: Any) -> str:
        """What an initialiser is where the model doesn't tell."""
        if array.dtype.kind in WEIGHTS:
            return "buffer" if name in self._statistics else "parameter"
        return "buffer" if array.dtype.kind in "iu" and array.itemsize == BYTES else "constant"

    def _hold(self, name: str, tensor: Tensor) -> Tensor:
        tensor.name = free(name, self._tensors)
        self._tensors[tensor.name] = tensor
        self.names[id(tensor)] = tensor.name
        return tensor


@shows_users_frames
def load(source: Any) -> TranslatedLayer:
    """A model from ONNX, as a Layer that runs its Program: as `jit.load` gives it, with the names of the initialisers.

    source: the path of an `.onnx` file, its bytes, or an `onnx.ModelProto`.

    The parameters are the initialisers of floats; running statistics and single bytes are buffers, other integers and bools
    constants. Of a model that `export` has written, they are those of the exported one. A call takes the inputs of the graph,
    tensors or arrays, in their order, and gives its output, or a tuple of them.

    ImportError: the package onnx isn't installed. ModelFileError: a file that is missing, damaged or hostile. ConversionError:
    what dy2st lacks; of operators, all of them are named at once. TypeError: a source of another kind.

    >>> model = dy2st.onnx.load("model.onnx")  # doctest: +SKIP
    >>> model(dy2st.ones([1, 3, 224, 224])).shape  # doctest: +SKIP
    [1, 1000]
    """
    model, name, path = read(source)
    files = ExternalData(None if path is None else path.parent)
    files.check(model)
    check(model, path)
    value_of = OncePerProto(files.value)
    held = Held(statistics_in(model), kinds_in(model), value_of)
    graph = Reader(name, functions_of(model), OncePerProto(held), value_of).graph(model.graph, opsets_of(model))
    inputs = set(graph.inputs)
    specs = [spec_of(one) for one in model.graph.input if one.name in inputs]
    with working(f"reading {name}"), limited(count_nodes(model)):
        program = _program(graph, specs, held, name)
    info = Info(
        entries={"forward": program.entry.name},
        inputs={"forward": [[spec.name, argument_tree.encode(spec)] for spec in specs]},
        outputs={"forward": [str(t) for t in program.entry.result_types]},
        name=name,
        versions={"dy2st": VERSION},
    )
    return TranslatedLayer(program, info, nested=False)


def _program(graph: Graph, specs: list[InputSpec | ValueSpec], held: Held, name: str) -> Program:
    """The Program that the interpreter records. Its Operations tell the nodes that they come from, as places in the model."""
    nodes: dict[str, Node] = {}
    for node in all_nodes(graph):
        nodes[free(node.name, nodes)] = node
    names = {**held.names, **{id(node): path for path, node in nodes.items()}}

    def forward(*inputs: Any) -> Any:
        try:
            found = tuple(map(as_result, Scope().run(graph, inputs)))
        except ShapeError as error:  # whatever the inputs are
            raise ConversionError(str(error)) from error
        return found[0] if len(found) == 1 else found

    staged = stage(forward, None, tuple(specs), {}, names)
    for op in staged.program.walk():
        op.loc = nodes[op.path].loc if op.path in nodes else Loc(name, 1)
    return settled(ConcreteProgram(staged, {spec.name or "": spec for spec in specs}, training=False))
