"""The reference that the site makes of docstrings has every public name, and shows what a docstring says as Markdown."""

from __future__ import annotations

import re

from support import reference
from support.docstrings import SPACES, public_names


def test_every_package_has_a_page_and_every_public_name_an_entry():
    assert sorted(set(SPACES) - set(reference.SPACES)) == []
    entries = re.findall(r"^#{2,3} ([\w.]+) \{", "\n".join(reference.pages().values()), re.M)
    told = {entry.rpartition(".")[2] for entry in entries}
    assert [public.path for public in public_names() if public.path.rpartition(".")[2] not in told] == []


def test_a_pointer_leads_to_an_entry():
    pages = reference.pages()
    for text in pages.values():
        for name, anchor in re.findall(r"\]\((dy2st[\w.]*\.md)#(\w+)\)", text):
            assert anchor in [found.replace(".", "").lower() for found in re.findall(r"^#+ ([\w.]+)", pages[name], re.M)], anchor


def test_a_docstring_as_markdown():
    doc = """Add numbers.

x, y: what is added, a number < 10. out: takes
    the result. TypeError: no number, see: `add_`.

>>> add(1, 2)
3

    indented
"""
    assert reference.markdown(doc, ["x", "y", "out"]) == """Add numbers.

- `x, y`: what is added, a number &lt; 10.
- `out`: takes the result.
- `TypeError`: no number, see: `add_`.

```pycon
>>> add(1, 2)
3
```

    indented"""


def test_a_package_that_cannot_be_imported_is_read_from_its_source():
    text = "\n".join(reference._of_source("dy2st.torch"))
    assert "## torch.to_static" in text and "## torch.register" in text and "input_spec" in text
