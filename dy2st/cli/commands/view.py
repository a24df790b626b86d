"""`dy2st view`: a saved model or an object as a page, in the browser."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from ..command import Command
from ..naming.models import model_path
from ..naming.objects import is_object, target_object
from ..naming.specs import specs_for
from ..options import FILES, add_specs, offer
from ..output.progress import working
from ..output.report import Lines, Report
from ..usage import UsageError


def add_options(parser: argparse.ArgumentParser) -> None:
    help = "a saved model or traced module; or an object, as for code"
    offer(parser.add_argument("target", metavar="MODEL|FILE:OBJECT", help=help), FILES)
    add_specs(parser)
    parser.add_argument("--output", metavar="FILE", help="where the page is written (a new folder for temporary files)")
    parser.add_argument("--no-browser", action="store_true", help="only write the page")


def run(options: argparse.Namespace) -> Report:
    from ...viewer import write_page

    if is_object(options.target):
        name = options.target.rpartition(":")[2]
        text = _page_of_object(options.target, name, options.spec)
    elif options.spec:
        raise UsageError("--spec belongs to FILE:OBJECT; a saved model has its own")
    else:
        path = model_path(options.target)
        text, name = _page_of_file(path), Path(path).stem
    page = os.path.abspath(options.output or Path(tempfile.mkdtemp(prefix="dy2st-view-"), f"{name}.html"))
    write_page(text, page)
    is_opened = not options.no_browser and _opened(page)
    said = "" if options.no_browser else ", open in the browser" if is_opened else ", for a browser: none was found here"
    return Report({"target": options.target, "page": page, "opened": is_opened}, [Lines([f"{page}{said}"])])


def _page_of_object(target: str, name: str, specs: list[str]) -> str:
    """The page of the object itself, or of the Program that it becomes."""
    from ...ir.core import Program
    from ...jit import TranslatedLayer
    from ...jit.static.concrete import ConcreteProgram
    from ...traced_module import TracedModule
    from ...viewer import program_page
    from ..naming.pytorch import concrete_program

    found = target_object(target)
    if isinstance(found, Program | ConcreteProgram | TranslatedLayer | TracedModule):
        if specs:
            raise UsageError(f"--spec belongs to what is converted; {target} is a {type(found).__name__} already")
        return found.to_html()
    if not callable(found):
        raise UsageError(f"{target} is {type(found).__name__}, not a function, a method, a layer or a Program")
    with working(f"converting {target}"):
        return program_page(concrete_program(found, specs_for(found, specs, target)).program, name)


def _page_of_file(path: str) -> str:
    from ...saving import read_files
    from ...saving.archive import read_archive
    from ...viewer import program_page

    if os.path.isfile(path):
        info, files = read_archive(path)
        if info.extra.get("kind") == "traced_module":
            from ...traced_module.files import from_archive

            return from_archive(info, files).to_html()
    program, info = read_files(path)
    return program_page(program, info.name, info.entries)


def _opened(page: str) -> bool:
    import webbrowser

    return webbrowser.open(Path(page).as_uri())


COMMAND = Command("show a saved model or an object as a page in the browser", add_options, run)
