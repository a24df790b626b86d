"""An archive taken apart and put together again, with the sha256 that its changed files have."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

MODEL, PARAMS, INFO = "model.json", "params.safetensors", "info.json"


def taken_apart(data: bytes) -> dict[str, bytes]:
    """Member -> its bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put_together(members: dict[str, bytes]) -> bytes:
    """The archive of these members. The info file names the sha256 of the others, if it is an object still."""
    members = dict(members)
    try:
        info = json.loads(members[INFO])
        info["sha256"] = {name: hashlib.sha256(members[name]).hexdigest() for name in (MODEL, PARAMS)}
        members[INFO] = json.dumps(info).encode()
    except (ValueError, TypeError):
        pass  # what isn't JSON any more stays as it is
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()
