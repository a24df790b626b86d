"""The three files at a path prefix, replaced as one. After a crash at any moment the old model loads or the new one, never a mix.

A save writes each new file beside its target (`net.model.json.0123456789abcdef.new`). Then it renames the info file: from that
moment on, there is the new model. Then it renames the other two. A load reads the info file. Of each of the others, it takes the
file at the target or a new one beside it: whichever has the sha256 that the info file states. It is of all bytes or, where the
caller asks for that, of the header of the parameters. Savers wait for each other, loads don't.

    a crash                              what lies there                        what loads
    before the info file is renamed      old files, perhaps some `.new`         the old model, if there was one
    after that                           new info, others new or still `.new`   the new model
    at the end                           three new files                        the new model

The next save first finishes a save that was cut off, and removes what it left.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..errors import ModelFileError
from .altered import crlf_problem
from .content import Content, Pieces
from .info import Info, info_from_json, info_to_json
from .params import Buffer, header_of, map_file
from .writer import beside, leftovers, remove_leftovers, saving, sync_folders, target_of

MODEL, PARAMS, INFO = "model.json", "params.safetensors", "info.json"
DATA_FILES = (MODEL, PARAMS)
PARAMS_HEADER = "params.header"  # whose sha256 stands in the info file beside those of the data files
BY_HASH, BY_HEADER = "hash", "header"  # how a load verifies the parameters


def sha256(data: Buffer) -> str:
    return hashlib.sha256(data).hexdigest()


def seal(pieces: Mapping[str, Pieces], info: Info) -> dict[str, Content]:
    """The contents of the data files together with the info file that names their sha256."""
    contents = {suffix: Content(pieces[suffix]) for suffix in DATA_FILES}
    hashes = {suffix: content.sha256 for suffix, content in contents.items()}
    hashes[PARAMS_HEADER] = sha256(header_of(next(iter(pieces[PARAMS]))))
    return {**contents, INFO: Content([info_to_json(info, hashes).encode()])}


def check_seal(files: Mapping[str, Buffer], hashes: Mapping[str, str], where: str, verify: str = BY_HASH) -> None:
    """ModelFileError unless each data file is the one that the info file names."""
    check_header_is_named(hashes, where, verify)
    for suffix in DATA_FILES:
        if not _is_named(suffix, files[suffix], hashes, verify):
            raise ModelFileError(
                f"{where}: {suffix} is not the file that {INFO} names: it is damaged, or of another save; copy all files of one"
            )


def _is_named(suffix: str, data: Buffer, hashes: Mapping[str, str], verify: str) -> bool:
    """Whether a data file is the one that the info file names: by all its bytes or, of parameters, by their header."""
    if verify == BY_HEADER and suffix == PARAMS:
        return sha256(header_of(data)) == hashes[PARAMS_HEADER]
    return sha256(data) == hashes.get(suffix)


def check_header_is_named(hashes: Mapping[str, str], where: str, verify: str) -> None:
    """ModelFileError where parameters are to be verified by a header that the info file doesn't name: older ones don't."""
    if verify == BY_HEADER and PARAMS_HEADER not in hashes:
        raise ModelFileError(
            f"{where}: {INFO} doesn't name the header of the parameters, as an older dy2st wrote it; load with "
            f"verify={BY_HASH!r}, or save the model again"
        )


# --- writing --------------------------------------------------------------------------------------------------------


def write_model(prefix: str | os.PathLike, contents: Mapping[str, Content]) -> None:
    """Replace the three files at `prefix`; `contents` maps each of their suffixes to its content, as `seal` gives them."""
    targets = {suffix: target_of(path) for suffix, path in _paths(prefix).items()}
    with saving(prefix, targets[INFO], lambda: _finish(targets)):
        new = {suffix: _write(targets[suffix], content) for suffix, content in contents.items()}
        sync_folders(targets.values())
        os.replace(new[INFO], targets[INFO])
        sync_folders([targets[INFO]])
        for suffix in DATA_FILES:
            os.replace(new[suffix], targets[suffix])
        sync_folders(targets.values())


def _paths(prefix: str | os.PathLike) -> dict[str, Path]:
    text = os.fspath(prefix)
    if not isinstance(text, str) or os.path.basename(text) in ("", ".", ".."):
        raise ValueError(f"{text!r} is not a path prefix such as 'out/net'")
    return {suffix: Path(f"{text}.{suffix}") for suffix in (*DATA_FILES, INFO)}


def _write(target: Path, content: Content) -> str:
    with beside(target) as file:
        file.writelines(content)
    return file.name


def _finish(targets: Mapping[str, Path]) -> None:
    """Complete a save that was cut off after its info file was in place, and remove what any other left."""
    try:
        _, hashes = info_from_json(targets[INFO].read_bytes())
    except (FileNotFoundError, ModelFileError):
        hashes = {}
    for suffix in DATA_FILES:
        waiting = (new for new in leftovers(targets[suffix]) if sha256(map_file(new)) == hashes.get(suffix))
        if found := next(waiting, None):
            os.replace(found, targets[suffix])
    for target in targets.values():
        remove_leftovers(target)


# --- reading --------------------------------------------------------------------------------------------------------


def read_model(prefix: str | os.PathLike, verify: str = BY_HASH) -> tuple[Info, dict[str, Buffer]]:
    """The Info and the mapped data files at `prefix`, checked to belong together; ModelFileError otherwise."""
    paths = _paths(prefix)
    text = bytes(map_file(paths[INFO]))
    while True:
        info, hashes = info_from_json(text, os.fspath(paths[INFO]))
        check_header_is_named(hashes, os.fspath(prefix), verify)
        contents = {suffix: _matching(paths[suffix], suffix, hashes, verify) for suffix in DATA_FILES}
        missing = [suffix for suffix, data in contents.items() if data is None]
        if not missing:
            return info, {suffix: data for suffix, data in contents.items() if data is not None}
        before, text = text, bytes(map_file(paths[INFO]))
        if text == before:
            break  # otherwise a save came between: read again
    path = paths[missing[0]]
    if path.is_file() and (problem := crlf_problem(map_file(path), os.fspath(path))):
        raise ModelFileError(problem)
    reason = "is not the file that the info file names: it is damaged, or of another save" if path.is_file() else "is missing"
    raise ModelFileError(f"{path} {reason}; copy the files of one save together")


def _matching(path: Path, suffix: str, hashes: Mapping[str, str], verify: str) -> Buffer | None:
    """The data file that the info file names: in its place, or still waiting to be renamed."""
    for candidate in filter(Path.is_file, _candidates(path)):
        try:
            data = map_file(candidate)
        except ModelFileError:
            if candidate.is_file():
                raise
            continue  # it has been renamed meanwhile
        if _is_named(suffix, data, hashes, verify):
            return data
    return None


def _candidates(path: Path) -> Iterator[Path]:
    yield path
    yield from leftovers(path)
    yield path  # where a save may have put it meanwhile
