"""Installed packages are found before the folders of the repository: at its root a link is called `transformers`, too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.sort(key=lambda folder: (Path(folder) / "dy2st").is_dir())
