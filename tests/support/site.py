"""What MkDocs is told beyond mkdocs.yml, so that one text serves a code host and the site.

Pages that lie elsewhere in the repository get a place on the site. Links lead to the page on the site where there is one,
and into the repository otherwise. The reference is made of docstrings. Nothing of this is written into the repository.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
from support import reference  # noqa: E402

# Their places in the repository, and on the site.
ELSEWHERE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"} | {
    f"benchmarks/{name}": f"benchmarks/{name}" for name in ("RESULTS.md", "MEMORY.md", "ratios.png", "growth.png")
}
_REFERENCE = {"Names, from docstrings": "reference/index.md"}  # its row of the navigation
FENCE = re.compile(r"^(```\w+) .*$", re.M)  # of a fence, the language alone
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.M | re.S)


def on_config(config: Any) -> Any:
    """Below the first page of the reference, list its others."""
    section = next(part for row in config.nav for part in row.values() if isinstance(part, list) and _REFERENCE in part)
    place = section.index(_REFERENCE)
    (title,) = _REFERENCE
    section[place] = {title: [f"reference/{name}" for name in reference.pages()]}
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that don't lie in docs/, and those of the reference."""
    for source, place in ELSEWHERE.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    for name, text in reference.pages().items():
        files.append(File.generated(config, f"reference/{name}", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """A page with links as they are on the site."""
    places = {place: source for source, place in ELSEWHERE.items()}
    here = page.file.src_uri
    folder = posixpath.dirname(places.get(here, f"docs/{here}"))

    def led(match: re.Match) -> str:
        return match[1] + _on_site(match[2], folder, posixpath.dirname(here), config.repo_url, files) + match[3]

    parts = CODE.split(FENCE.sub(r"\1", markdown))
    return "".join(part if at % 2 else LINK.sub(led, part) for at, part in enumerate(parts))


def _on_site(link: str, folder: str, here: str, repository: str, files: Files) -> str:
    """Where a link of a page leads. folder: of the page, in the repository; here: on the site."""
    address = f"{repository}/blob/main/"
    if "://" in link and not link.startswith(address):
        return link
    target = link.removeprefix(address) if "://" in link else posixpath.normpath(posixpath.join(folder, link))
    place = ELSEWHERE.get(target, target.removeprefix("docs/"))
    if (target in ELSEWHERE or target.startswith("docs/")) and place in files.src_uris:
        return posixpath.relpath(place, here or ".")
    return f"{repository}/{'blob' if (ROOT / target).is_file() else 'tree'}/main/{target}"
