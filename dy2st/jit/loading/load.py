"""`jit.load`: from files to a Layer. Imports nothing that stages or rewrites source."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from ...errors import DTypeError, Dy2stWarning, EngineError, ModelFileError
from ...ir.core import Program
from ...runtime.engines import NUMPY, Engine, engine_named
from ...runtime.where.running import working
from ...runtime.where.tracebacks import shows_users_frames
from ...saving import Info, read_files
from ...saving.files import BY_HASH, BY_HEADER
from ..interface.info_keys import CALLED, SCRIPT
from ..interface.options import check_names, check_path, named
from .info_checks import check_info
from .no_model import refuse_missing, refuse_part
from .translated_layer import TranslatedLayer

INFO = ".info.json"


@shows_users_frames
def load(
    path: Any, map_location: Any = None, _extra_files: dict | None = None, flat: bool = False, verify: str = "hash",
    backend: str | None = None, **configs: Any,
) -> TranslatedLayer | Any:  # fmt: skip
    """Load what `save` wrote. The result is a Layer that runs the Program; weights are mapped from the file, not copied.

    path: what `save` was given. `<path>.<method>` is that method alone. A folder with one model in it is that model.
    map_location: the device to load to: "cpu". _extra_files: a dict whose keys name files of the archive. Their contents, as
    bytes, become the values. A result of `script` or `trace` comes back as a ScriptModule, or a function.
    flat: tensors go in and come out as Paddle's loaded models take and give them: by position, one for each entry of
    `input_spec` (those of a dict by sorted keys), and as a list, or the only one; other values of the result are left out.
    verify: "hash" reads all bytes once, to see that none has changed. "header" reads no weights: it still refuses files of two
    saves and a file that is cut off, but doesn't see a changed byte among the weights.
    backend: the engine that runs the Program, as for `to_static`; the file doesn't say which.
    configs: `model_filename` tells the models of a folder apart; `params_filename` is accepted, the model knows its own.

    ModelFileError, a ValueError, says what is wrong with a file that is missing, damaged or mixed. ValueError: another device,
    an unknown option, engine or `verify`, `flat` for a model that changes a list or for what `script` and `trace` saved.
    TypeError: a path or an option of another kind. EngineError: the engine of `backend` can't run the Program.
    """
    check_path(path)
    if map_location is not None and not str(map_location).startswith(("cpu", "Place(cpu")):
        raise ValueError(f"tensors live on the CPU; there is no device {str(map_location)!r}")
    if verify not in (BY_HASH, BY_HEADER):
        raise ValueError(f"verify is {BY_HASH!r} or {BY_HEADER!r}, not {verify!r}")
    engine = engine_named(backend)
    path, method = _located(path, _checked(configs))
    try:
        with working(f"loading {named(path)}"):
            return _loaded(path, method, _extra_files, flat, verify, engine)
    except (EngineError, DTypeError) as error:
        if engine is not NUMPY:
            raise  # what only this engine can't run is no fault of the file
        raise ModelFileError(f"the Program in the file can't be run: {error}") from None
    except RecursionError:
        raise ModelFileError(
            "the file nests its blocks or types too deeply for what is left of Python's stack: load it where fewer calls are "
            "open, or after sys.setrecursionlimit"
        ) from None


def _loaded(
    path: Any, method: str | None, _extra_files: dict | None, flat: bool, verify: str, engine: Engine
) -> Any:  # fmt: skip
    program, info = read_files(path, verify)
    check_info(program, info)
    for name in _extra_files or ():
        if name in info.extra_files:
            _extra_files[name] = info.extra_files[name]  # type: ignore[index]
    if method is not None and SCRIPT not in info.extra:
        if method not in info.entries:
            raise ModelFileError(f"{path} holds no method {method!r}, but {', '.join(info.entries)}")
        info.extra[CALLED] = method
    return made_of(program, info, flat, engine)


def made_of(program: Program, info: Info, flat: bool, engine: Engine) -> Any:
    """What `load` gives for a Program and its Info. ValueError: `flat`, for what `script` or `trace` saved."""
    if SCRIPT not in info.extra:
        return TranslatedLayer(program, info, flat=flat, engine=engine)
    if flat:
        raise ValueError(f"flat=True is for what to_static made; {info.name} was saved by script or trace: load it without")
    from .compiled import loaded  # which only such files need: others load quicker without

    return loaded(program, info, engine)


def _checked(configs: dict[str, Any]) -> dict[str, Any]:
    """The options; ValueError or TypeError for what is no file name."""
    check_names("load", configs, ["model_filename", "params_filename"])
    for name, value in configs.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is a str, not {type(value).__name__}")
        if value == "":
            raise ValueError(f"{name} is empty")
    return configs


def _located(path: Any, configs: dict[str, Any]) -> tuple[Any, str | None]:
    """The prefix or the archive that `path` stands for, and the method that it names."""
    if not isinstance(path, str | os.PathLike):
        return path, None
    prefix = os.fspath(path)
    is_prefix = os.path.isfile(prefix + INFO)
    if os.path.isfile(path):
        refuse_part(prefix)
        if is_prefix:
            raise ModelFileError(
                f"{prefix} is an archive, and {prefix}{INFO} another model: rename one, so that it is clear which is meant"
            )
        return path, None
    if is_prefix and os.path.isdir(prefix):
        raise ModelFileError(f"{prefix} is a folder, and {prefix}{INFO} a model: rename one, so that it is clear which is meant")
    if os.path.isdir(prefix):
        return _in_folder(Path(prefix), configs.get("model_filename")), None
    if configs.get("model_filename") is not None or configs.get("params_filename") is not None:
        warnings.warn(f"{prefix} names one model: model_filename and params_filename don't count", Dy2stWarning, stacklevel=4)
    base, _, method = prefix.rpartition(".")
    if not is_prefix and base and method.isidentifier() and os.path.isfile(base + INFO):
        return base, method
    if not is_prefix:
        refuse_missing(prefix)
    return path, None


def _in_folder(folder: Path, model_filename: str | None) -> str:
    """The prefix of the only model of a folder, or of the one that this file belongs to."""
    found = sorted(file.name.removesuffix(INFO) for file in folder.glob("*" + INFO))
    if model_filename is not None:
        found = [name for name in found if model_filename in (name, f"{name}.model.json")]
    if len(found) != 1:
        which = f"{len(found)} models ({', '.join(found)}): name one with model_filename" if found else "no such model"
        raise ModelFileError(f"{folder} is a folder with {which}")
    return str(folder / found[0])
