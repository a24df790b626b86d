"""The three files at a path prefix, replaced as one: after a crash at any moment the old model loads or the new one, never a mix.

A save writes each new file under a name that carries its sha256 (`net.model.json.<sha>.new`), then renames the info file, the
moment that the new model comes to be, then renames the other two. A load reads the info file and takes, for each of the others,
whichever of `net.model.json` and `net.model.json.<sha>.new` has the sha256 that the info file states. One writer at a time.

    a crash                              what lies there                        what loads
    before the info file is renamed      old files, perhaps some `.new`         the old model, if there was one
    after that                           new info, others new or still `.new`   the new model
    at the end                           three new files                        the new model

The next save first finishes a save that was cut off, and removes what it left.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..errors import ModelFileError
from .info import Info, info_from_json, info_to_json
from .params import Buffer, map_file

MODEL, PARAMS, INFO = "model.json", "params.safetensors", "info.json"
DATA_FILES = (MODEL, PARAMS)
_ATTEMPTS = 3


def sha256(data: Buffer) -> str:
    return hashlib.sha256(data).hexdigest()


def seal(contents: Mapping[str, bytes], info: Info) -> dict[str, bytes]:
    """The contents of the data files together with the info file that names their sha256."""
    hashes = {suffix: sha256(contents[suffix]) for suffix in DATA_FILES}
    return {**contents, INFO: info_to_json(info, hashes).encode()}


def check_seal(files: Mapping[str, Buffer], hashes: Mapping[str, str], where: str) -> None:
    """ModelFileError unless each data file is the one that the info file names."""
    for suffix in DATA_FILES:
        if sha256(files[suffix]) != hashes.get(suffix):
            raise ModelFileError(
                f"{where}: {suffix} is not the file that {INFO} names: it is damaged, or of another save; copy all files of one"
            )


# --- writing --------------------------------------------------------------------------------------------------------


def write_model(prefix: str | os.PathLike, contents: Mapping[str, bytes]) -> None:
    """Replace the three files at `prefix`; `contents` maps each of their suffixes to its bytes, as `seal` gives them."""
    base = _base(prefix)
    base.parent.mkdir(parents=True, exist_ok=True)
    _finish(base)
    pending = {suffix: _pending(base, suffix, sha256(data)) for suffix, data in contents.items()}
    committed = False
    try:
        for suffix, data in contents.items():
            _write(pending[suffix], data)
        _sync_folder(base.parent)
        os.replace(pending[INFO], _file(base, INFO))
        committed = True
        _sync_folder(base.parent)
        for suffix in DATA_FILES:
            os.replace(pending[suffix], _file(base, suffix))
        _sync_folder(base.parent)
    finally:
        if not committed:
            _discard(pending.values())


def _base(prefix: str | os.PathLike) -> Path:
    text = os.fspath(prefix)
    if not isinstance(text, str) or os.path.basename(text) in ("", ".", ".."):
        raise ValueError(f"{text!r} is not a path prefix such as 'out/net'")
    return Path(text)


def _file(base: Path, suffix: str) -> Path:
    return base.with_name(f"{base.name}.{suffix}")


def _pending(base: Path, suffix: str, digest: str) -> Path:
    return base.with_name(f"{base.name}.{suffix}.{digest[:16]}.new")


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make renames durable, where the system lets a folder be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _discard(paths) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _finish(base: Path) -> None:
    """Complete a save that was cut off after its info file was in place, and remove what any other left."""
    try:
        _, hashes = info_from_json(_file(base, INFO).read_bytes())
    except (OSError, ModelFileError):
        hashes = {}
    for suffix in DATA_FILES:
        waiting = _pending(base, suffix, hashes.get(suffix, ""))
        if waiting.is_file() and sha256(waiting.read_bytes()) == hashes.get(suffix):
            os.replace(waiting, _file(base, suffix))
    ours = re.compile(rf"{re.escape(base.name)}\.({'|'.join(map(re.escape, (*DATA_FILES, INFO)))})\.[0-9a-f]{{16}}\.new")
    _discard(path for path in base.parent.iterdir() if ours.fullmatch(path.name))


# --- reading --------------------------------------------------------------------------------------------------------


def read_model(prefix: str | os.PathLike) -> tuple[Info, dict[str, Buffer]]:
    """The Info and the mapped data files at `prefix`, checked to belong together; ModelFileError otherwise."""
    base = _base(prefix)
    for attempt in range(_ATTEMPTS):
        text = bytes(map_file(_file(base, INFO)))
        info, hashes = info_from_json(text)
        found = {suffix: _matching(base, suffix, hashes.get(suffix, "")) for suffix in DATA_FILES}
        missing = [suffix for suffix, data in found.items() if data is None]
        if not missing:
            return info, {suffix: data for suffix, data in found.items() if data is not None}
        if attempt + 1 == _ATTEMPTS or bytes(map_file(_file(base, INFO))) == text:
            break  # otherwise a save came between: read again
    path = _file(base, missing[0])
    reason = "is not the file that the info file names: it is damaged, or of another save" if path.is_file() else "is missing"
    raise ModelFileError(f"{path} {reason}")


def _matching(base: Path, suffix: str, digest: str) -> Buffer | None:
    """The file with this sha256: in its place, or still waiting to be renamed."""
    for path in (_file(base, suffix), _pending(base, suffix, digest)):
        if path.is_file():
            data = map_file(path)
            if sha256(data) == digest:
                return data
    return None
