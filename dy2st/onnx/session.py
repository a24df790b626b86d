"""An exported model in onnxruntime, called as the Python function was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Dy2stError, EngineError, ModelFileError
from ..graphs.calls import Answer, GraphCall
from ..graphs.exceptions import raised
from ..graphs.shared_memory import with_twins
from ..runtime.heap.natives import Mirror, Revival, revive_error
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.faults import speaks_for_the_user
from .arguments import inputs_of
from .file_checks import checked, told_by
from .inquiry import Inquiry
from .metadata import KEY, Metadata
from .metadata_checks import check_metadata
from .opening import CPU, opened
from .packages import onnx, onnxruntime
from .runs import Runner

_WEIGHTS = "session.model_external_initializers_file_folder_path"


class Session:
    """A model that `dy2st.onnx.export` wrote, as a function with the arguments and the result of the exported one.

    path: of the file, or its bytes. options: an `onnxruntime.SessionOptions`. providers: names of execution providers, by default
        the CPU's.

    State, such as counters, caches and buffers that a call changes, is kept between calls: each Session has its own.
    A `raise` or `assert` of the user's raises that exception, with its message and line; state is what Python has left there. An
    index out of range, a division by zero and the like raise as in Python, too; state is then what it was before the call.
    Tensors or arrays go in, Tensors come out.

    The file is checked before onnxruntime reads it (`docs/security.md` says for what). ModelFileError: a file that breaks such a
    rule, that onnxruntime doesn't load, or that `export` hasn't written. EngineError, at a call: the outputs aren't what the file
    says of them.

    >>> session = dy2st.onnx.Session("out/linear.onnx")  # doctest: +SKIP
    >>> session(dy2st.ones([4, 3])).shape  # doctest: +SKIP
    [4, 2]
    """

    def __init__(self, path: Any, options: Any = None, providers: Any = CPU):
        onnxruntime()
        source = path if isinstance(path, bytes) else os.fspath(path)
        told = _checked_metadata(source, options)
        self.session = opened(source, options, providers)
        self.metadata = _metadata_of(self.session) if told is None else told
        check_metadata(self.metadata, self.session)
        self._run = Runner(self.session)
        self._inquiry = Inquiry(source, self.metadata)
        self._call = GraphCall(self.metadata.inputs, self.metadata.outputs)
        self._state: dict[str, dict[str, Any]] = {"state": {}, "parameter": {}}

    def __repr__(self) -> str:
        return f"<Session {self.metadata.name}>"

    @property
    def state(self) -> dict[str, Any]:
        """The state that calls have left, by name; what none has changed is as the file has it, and isn't in here."""
        return {name: Revival({})(value) for held in self._state.values() for name, value in held.items()}

    def reset(self) -> None:
        """Let the state be as it is in the file."""
        for held in self._state.values():
            held.clear()

    @speaks_for_the_user
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the model; arguments and result are those of the exported function."""
        inputs = inputs_of(self.metadata.name, self.metadata.arguments, args, kwargs)
        natives = list(map(Mirror({}, {}).to_native, inputs))
        self.metadata.memory.check([x for x in natives if isinstance(x, np.ndarray)], ())
        feeds = self._call.feeds(natives, self._state["state"], self._state["parameter"])
        try:
            arrays = self._run(self._call.names, feeds)
        except EngineError as told:
            raise self._inquiry.exception(told, feeds) from None
        answer = self._answer(arrays)
        error = self.metadata.errors[answer.error - 1] if answer.error else None
        if error is None or error.leaves:
            self._keep(answer, inputs)
        if error is not None:
            raise revive_error(raised(error, answer.details), Revival({}))
        return Revival({})(with_twins(answer.result, self.metadata.twins))

    def _answer(self, arrays: list[Any]) -> Answer:
        """What the outputs mean. EngineError: they aren't what the metadata says, which only a run can show."""
        try:
            answer = self._call.answer(arrays)
        except (Dy2stError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise EngineError(f"an output of {self.metadata.name} isn't what the model's metadata says: {error}") from None
        known = len(self.metadata.errors)
        if not 0 <= answer.error <= known:
            raise EngineError(f"{self.metadata.name} reports the error {answer.error}; the model's metadata has {known}")
        return answer

    def _keep(self, answer: Answer, inputs: list[Any]) -> None:
        """Keep what the call leaves in the state, and write what it leaves in its arguments."""
        for port, value in answer.left:
            if port.role == "argument":
                _write(inputs[int(port.key)], value)
            else:
                self._state[port.role][str(port.key)] = value


def _checked_metadata(source: Any, options: Any) -> Metadata | None:
    """The metadata of a file that was checked; None without the package onnx, which reads the file for the checks."""
    try:
        onnx()
    except ImportError:
        return None
    return _metadata(told_by(checked(source, _folder(options))))


def _metadata_of(session: Any) -> Metadata:
    """The metadata as onnxruntime reads it."""
    try:
        return _metadata(session.get_modelmeta().custom_metadata_map.get(KEY))
    except UnicodeDecodeError as error:
        raise ModelFileError(f"the model's metadata is no text: {error}") from None


def _metadata(text: str | None) -> Metadata:
    if text is None:
        raise ModelFileError("the model wasn't written by dy2st.onnx.export: use onnxruntime.InferenceSession for it")
    return Metadata.of_json(text)


def _folder(options: Any) -> Path | None:
    """The folder of the weights beside a model that is given as bytes, where the options say so."""
    try:
        return None if options is None else Path(options.get_session_config_entry(_WEIGHTS))
    except Exception:  # onnxruntime has no exception of its own for an entry that isn't there
        return None


def _write(target: Any, value: Any) -> None:
    """Write into an argument of the caller's."""
    if isinstance(target, list):
        target[:] = map(Revival({}), value)
    else:
        (target._data if isinstance(target, Tensor) else target)[...] = value
