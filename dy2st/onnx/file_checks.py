"""ONNX files that anybody may have written, checked before onnxruntime sees them.

    checked(source, folder)    the ModelProto of a path or bytes, without weights, after all checks below
      count_nodes(model)       how many nodes, how deeply nested, no function that calls itself
      check_tensors(model)     the data of a tensor is as long as its shape and dtype say, in the file or in one beside it
    told_by(model)             the text of the metadata that `dy2st.onnx.export` wrote

Each check takes a ModelProto and raises ModelFileError. `config.file_limits` has the limits.
"""

from __future__ import annotations

import math
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import ModelFileError
from ..saving.altered import refuse_lfs_pointer
from ..saving.params import map_file
from ..saving.untrusted import brief, cut, within
from .metadata import KEY
from .node_counts import count_nodes, graphs_of
from .packages import onnx
from .wire import UnusualEncodingError, without_weights

SHARED = 8  # tensors of one file together take at most so many times its length: tied weights are stored once
DENSE = 1 << 28  # bytes of a sparse tensor that onnxruntime makes dense as it loads
_LONGEST_PATH = 4096
_SPECIAL = {"STRING": 0, "BOOL": 8, "FLOAT": 32, "DOUBLE": 64, "COMPLEX64": 64, "COMPLEX128": 128, "BFLOAT16": 16}
_FIELDS = {"FLOAT": "float_data", "COMPLEX64": "float_data", "DOUBLE": "double_data", "COMPLEX128": "double_data",
           "INT64": "int64_data", "UINT32": "uint64_data", "UINT64": "uint64_data", "STRING": "string_data"}  # fmt: skip
_DATA = ("float_data", "int32_data", "int64_data", "uint64_data", "double_data", "string_data")
_LOCATION, _OFFSET, _LENGTH = "location", "offset", "length"


def checked(source: str | bytes, folder: Path | None = None) -> Any:
    """The ModelProto of a file, by its path or its bytes, checked. Its weights are left out: they stay where they are.

    folder: where the files beside the model lie, if the path doesn't say so.
    """
    from .reading.files import decoded  # which imports this module

    what, data = ("the data", source) if isinstance(source, bytes) else (source, map_file(Path(source)))
    if not isinstance(source, bytes):
        folder = Path(os.path.dirname(os.path.abspath(source)))
    try:
        shortened, lengths = without_weights(memoryview(data))
    except UnusualEncodingError:
        shortened, lengths = bytes(data), {}
    model = decoded(onnx(), shortened, what)
    if not model.HasField("graph"):
        raise ModelFileError(f"{what} is no ONNX model: it has no graph")
    count_nodes(model, what)
    check_tensors(model, what, folder, lengths)
    return model


def told_by(model: Any) -> str | None:
    """The metadata that `dy2st.onnx.export` wrote; None where there is none."""
    texts = [prop.value for prop in model.metadata_props if prop.key == KEY]
    if len(texts) > 1:
        raise ModelFileError(f"the model has metadata called {KEY!r} {len(texts)} times")
    return texts[0] if texts else None


# --- tensors --------------------------------------------------------------------------------------------------------


def check_tensors(
    model: Any, what: str = "the model", folder: Path | None = None, left_out: Mapping[int, int] | None = None
) -> None:
    """ModelFileError where the data of a tensor isn't as long as its shape and dtype say.

    folder: of the files beside the model; None: there are none. left_out: the length of the data that was left out of the
    initializers of the graph, by their index.
    """
    taken: Counter[Path] = Counter()
    removed, found = left_out or {}, None if folder is None else FilesBeside(folder)
    kept = [(tensor, removed.get(i)) for i, tensor in enumerate(model.graph.initializer)]
    for tensor, removed_length in (*kept, *((tensor, None) for tensor in _tensors_elsewhere(model))):
        where = f"{what}: the tensor {brief(tensor.name)}"
        bits = _bits(tensor.data_type, where)
        length = (count_elements(tensor.dims, where) * bits + 7) // 8
        if tensor.data_location == tensor.EXTERNAL:
            place, _ = place_beside(tensor, length, found, where, removed_length is not None)
            taken[place] += length
        else:
            _check_data(tensor, length, where, removed_length)
    for place, total in taken.items():
        if total > SHARED * place.stat().st_size:
            raise ModelFileError(f"{what}: tensors take {total} bytes of {place.name}, which has {place.stat().st_size}")
    for sparse in _sparse_in(model):
        where = f"{what}: the sparse tensor {brief(sparse.values.name)}"
        dense = count_elements(sparse.dims, where) * max(_bits(sparse.values.data_type, where), 8) // 8
        if dense > DENSE:
            raise ModelFileError(f"{where} takes {dense} bytes once it is dense")


def _holders(model: Any) -> Iterator[Any]:
    """The graphs and functions of a model, at any depth, the main graph first."""
    waiting = [*model.functions, model.graph]
    while waiting:
        holder = waiting.pop()
        yield holder
        waiting.extend(graph for node in holder.node for graph in graphs_of(node))
        waiting.extend(graph for attribute in _defaults(holder) for graph in (attribute.g, *attribute.graphs))


def _defaults(holder: Any) -> Iterable[Any]:
    """The attributes of a function with their default values."""
    return getattr(holder, "attribute_proto", ())


def _attributes(holder: Any) -> Iterator[Any]:
    for node in holder.node:
        yield from node.attribute
    yield from _defaults(holder)


def _tensors_elsewhere(model: Any) -> Iterator[Any]:
    """The tensors but for the initializers of the main graph: those of other graphs and of attributes, parts of sparse ones."""
    for i, holder in enumerate(_holders(model)):
        yield from getattr(holder, "initializer", ()) if i else ()
        for attribute in _attributes(holder):
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
    for sparse in _sparse_in(model):
        yield from (sparse.values, sparse.indices)


def _sparse_in(model: Any) -> Iterator[Any]:
    for holder in _holders(model):
        yield from getattr(holder, "sparse_initializer", ())
        for attribute in _attributes(holder):
            if attribute.HasField("sparse_tensor"):
                yield attribute.sparse_tensor
            yield from attribute.sparse_tensors


def _bits(code: int, where: str) -> int:
    """The bits of an element; 0 of texts."""
    try:
        name = onnx().TensorProto.DataType.Name(code)
    except ValueError:
        name = "UNDEFINED"
    if name in _SPECIAL:
        return _SPECIAL[name]
    digits = "".join(c if c.isdigit() else " " for c in name).split()  # UINT16, FLOAT8E4M3FN, INT4
    if not digits:
        raise ModelFileError(f"{where} has no dtype that ONNX has ({code})")
    return int(digits[0])


def count_elements(dims: Iterable[int], where: str) -> int:
    """The elements of a tensor. ModelFileError: it has too many of them, or of axes, or a negative length; `where` names it."""
    lengths = list(dims)
    if any(length < 0 for length in lengths):
        raise ModelFileError(f"{where} has a negative length: {lengths[:10]}")
    within("depth", len(lengths), f"{where}: axes")
    count = math.prod(lengths)
    within("elements", count, f"{where}: elements")
    return count


def _check_data(tensor: Any, length: int, where: str, left_out: int | None = None) -> None:
    """Data in the file is in one field, which fits the dtype and has the right length. left_out: that of data which was there."""
    name = onnx().TensorProto.DataType.Name(tensor.data_type)
    fields = [field for field in _DATA if len(getattr(tensor, field))]
    if tensor.HasField("segment"):
        raise ModelFileError(f"{where} is stored in segments, which onnxruntime doesn't read")
    count = math.prod(tensor.dims)
    if left_out is not None or tensor.HasField("raw_data"):
        if fields or name == "STRING":
            raise ModelFileError(f"{where} has data twice, or texts as bytes")
        found, wanted, kind = len(tensor.raw_data) if left_out is None else left_out, length, "bytes"
    else:
        field = _FIELDS.get(name, "int32_data")
        if fields not in ([], [field]):
            raise ModelFileError(f"{where} of {name} has its data in {', '.join(fields)}")
        found, wanted, kind = len(getattr(tensor, field)), count * (2 if name.startswith("COMPLEX") else 1), "numbers"
    is_narrow = length < count and name != "STRING"  # less than a byte wide: several in a byte, or one in each
    if found != wanted and not (is_narrow and found in (length, count)):
        shape = list(tensor.dims)[:10]
        raise ModelFileError(f"{where} of {name} and shape {shape} has {found} {kind} of data; it needs {wanted}")


# --- files beside the model -----------------------------------------------------------------------------------------


class FilesBeside:
    """The files in the folder of a model that its tensors name; each is looked for once."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._places: dict[str, tuple[Path, int]] = {}

    def place(self, location: str, what: str) -> tuple[Path, int]:
        """The file and its length; ModelFileError as of `place_of`."""
        if location not in self._places:
            place = place_of(self._folder, location, what)
            self._places[location] = place, place.stat().st_size
        return self._places[location]


def place_beside(
    tensor: Any, length: int, files: FilesBeside | None, where: str, is_inside: bool = False
) -> tuple[Path, int]:
    """The file in which the data of a tensor lies, and the offset; it has so many bytes there. ModelFileError: it hasn't.

    is_inside: whether the model has data of the tensor, too.
    """
    told = {entry.key: entry.value for entry in tensor.external_data}
    what = f"{where} lies in the file {brief(told.get(_LOCATION, ''))}"
    if files is None:
        raise ModelFileError(f"{what}, which only the path of the model leads to: load it by its path")
    if is_inside or any(len(getattr(tensor, field)) for field in (*_DATA, "raw_data")) or tensor.data_type == tensor.STRING:
        raise ModelFileError(f"{what}, and in the model as well, or holds texts")
    place, size = files.place(told.get(_LOCATION, ""), what)
    offset, claimed = _number(told, _OFFSET, 0, what), _number(told, _LENGTH, length, what)
    if claimed != length or offset + length > size:
        raise ModelFileError(f"{what}, from {offset} on, where {length} bytes are needed; it has {size} (length: {claimed})")
    return place, offset


def _number(told: dict[str, str], key: str, default: int, what: str) -> int:
    text = told.get(key, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ModelFileError(f"{what}, at no place: its {key} is {brief(text)}")
    return int(text)


def place_of(folder: Path, location: str, what: str) -> Path:
    """The regular file of this name in the folder of a model, or in one below it, and no link to one elsewhere.

    what: names the tensor and the file, in messages.
    """
    what = cut(what, 200)
    if not location or "\0" in location or len(location) > _LONGEST_PATH or Path(location).is_absolute():
        raise ModelFileError(f"{what}, which isn't in the folder of the model")
    try:
        inside = folder.resolve()
        place = (inside / location).resolve()
        is_inside = place.is_relative_to(inside)
        mode = place.stat().st_mode if is_inside else 0
    except FileNotFoundError:
        raise ModelFileError(f"{what}, which isn't there") from None
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        raise ModelFileError(f"{what}, which can't be read: {getattr(error, 'strerror', None) or error}") from None
    if not is_inside:
        raise ModelFileError(f"{what}, which isn't in the folder of the model")
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or device"
        raise ModelFileError(f"{what}, which isn't there: it is {kind}")
    _refuse_pointer(place)
    return place


def _refuse_pointer(place: Path) -> None:
    """ModelFileError for a Git LFS pointer, which is short."""
    try:
        with place.open("rb") as file:
            refuse_lfs_pointer(file.read(1025), str(place))
    except OSError as error:
        raise ModelFileError(f"can't read {place}: {error.strerror}") from None
