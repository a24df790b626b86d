"""Files of this release for the tests of later ones: `python tests/saving/write_old_files.py`, once for each release.

They stay in tests/old_files/<release>/ as they are: `test_old_files.py` compares what they give with `answers.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

from kinds import answer, save_kind

from dy2st.config import VERSION

OLD_FILES = Path(__file__).resolve().parent.parent / "old_files"
NAMES = (
    *("perceptron", "looping", "remembering", "trying", "recursing", "many", "archive", "scripted", "traced"),
    *("traced_module", "state", "weights"),
)


def main(folder: Path) -> None:
    folder.mkdir(parents=True)
    paths = {name: save_kind(name, folder) for name in NAMES}
    answers = {name: {"path": path.name, "answer": answer(name, path)} for name, path in paths.items()}
    (folder / "answers.json").write_text(json.dumps(answers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(OLD_FILES / VERSION)
