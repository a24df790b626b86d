"""`dy2st graph`: the Program of a saved model, or of an object."""

from __future__ import annotations

import argparse
import json

from ..command import Command
from ..naming.models import model_path
from ..naming.objects import is_object, target_callable
from ..naming.specs import specs_for
from ..options import FILES, add_specs, offer
from ..output.progress import working
from ..output.report import Report, Source
from ..usage import UsageError


def add_options(parser: argparse.ArgumentParser) -> None:
    offer(parser.add_argument("target", metavar="MODEL|FILE:OBJECT", help="a saved model; or an object, as for code"), FILES)
    add_specs(parser)


def run(options: argparse.Namespace) -> Report:
    from ...saving import read_files
    from ...saving.model_json import program_to_json

    if is_object(options.target):
        from ..naming.pytorch import concrete_program

        found = target_callable(options.target)
        specs = specs_for(found, options.spec, options.target)
        with working(f"converting {options.target}"):
            program = concrete_program(found, specs).main_program
    elif options.spec:
        raise UsageError("--spec belongs to FILE:OBJECT; a saved model has its own")
    else:
        program = read_files(model_path(options.target))[0]
    return Report(json.loads(program_to_json(program)) if options.json else None, [Source(str(program), "program")])


COMMAND = Command("print the Program of a saved model or of an object", add_options, run)
