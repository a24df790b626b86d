"""Changed files by the thousand: `python -m hostile.campaign --count 5000 --log fuzz.log` from the folder `tests`.

`--onnx` changes ONNX files; without it, those of dy2st.

A run goes on where its log ends, so it can be stopped at any time. A seed is one changed file; files are tried in processes with
little memory, so that a crash is one line of the log. `--page ../docs/security.md` writes the table of the log into that page.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

from support.sections import write_section

MEMORY = 3 << 30  # bytes of address space
BATCH = 500
SECONDS = 4  # of a file, on average, before its worker is ended
COMMAND = "cd tests && python -m hostile.campaign --count 200000 --page ../docs/security.md"
ONNX_COMMAND = "cd tests && python -m hostile.campaign --onnx --count 50000 --page ../docs/security.md"


def worker(start: int, stop: int, is_onnx: bool) -> None:
    """Try these seeds: a line of JSON for each, first its number, then what it came to."""
    from .attempt import watch

    warnings.simplefilter("ignore")
    if is_onnx:
        from .onnx_sources import sources
    else:
        from .sources import sources
    known = sources()
    out, sys.stdout = sys.stdout, open("/dev/null", "w")  # what models print
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    watch()
    for seed in range(start, stop):
        source = random.Random(seed)
        name, tried = source.choice(known)
        print(json.dumps([seed, name]), file=out, flush=True)
        print(json.dumps([seed, name, tried(source)]), file=out, flush=True)


def _results(log: Path) -> dict[int, tuple[str, str]]:
    lines = log.read_text().splitlines() if log.exists() else []
    entries = [json.loads(line) for line in lines]
    return {entry[0]: (entry[1], entry[2]) for entry in entries}


def _run_batch(start: int, stop: int, log: Path, is_onnx: bool) -> int:
    """Try seeds until all are tried, or the process ends; the first seed that wasn't."""
    command = [sys.executable, "-m", "hostile.campaign", "--worker", str(start), str(stop), *(["--onnx"] if is_onnx else [])]
    process = _run(command)
    entries = [json.loads(line) for line in process.stdout.splitlines() if line.endswith(b"]")]
    done = [entry for entry in entries if len(entry) == 3]
    if process.returncode:
        reason = process.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit status {process.returncode}"]
        begun = entries[-1] if entries and len(entries[-1]) == 2 else [start, "?"]
        done.append([*begun, f"! the process ends ({process.returncode}): {reason[0][:150]}"])
    with log.open("a") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in done)
    return done[-1][0] + 1


def _run(command: list[str]) -> subprocess.CompletedProcess:
    """Run a worker; one that code of C keeps busy is ended."""
    try:
        return subprocess.run(command, capture_output=True, cwd=Path(__file__).resolve().parents[1], timeout=BATCH * SECONDS)
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(command, -9, error.stdout or b"", b"it never ends")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worker", nargs=2, type=int)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--log", type=Path, default=Path("fuzz.log"))
    parser.add_argument("--page", type=Path)
    parser.add_argument("--onnx", action="store_true")
    options = parser.parse_args()
    if options.worker:
        worker(*options.worker, options.onnx)
        return 0
    stop = options.start + options.count
    at = max((seed + 1 for seed in _results(options.log) if seed < stop), default=options.start)
    while at < stop:
        at = _run_batch(at, min(at + BATCH, stop), options.log, options.onnx)
    results = _results(options.log)
    for what, count in Counter(what for _, what in results.values()).most_common():
        print(f"{count:8,} {what}")
    failures = [seed for seed, (_, what) in results.items() if what.startswith("!")]
    print(f"{len(results):8,} files, {len(failures)} that must not be: {failures[:20]}")
    if options.page:
        write_section(options.page, ONNX_COMMAND if options.onnx else COMMAND, _table(results))
    return bool(failures)


def _table(results: dict[int, tuple[str, str]]) -> str:
    """What the changed files came to, in Markdown."""
    kinds = ("refused at load", "loaded, and the call gives an answer", "loaded, and the call raises an error in words",
             "loaded, and the call ran for two seconds", "a crash, a hang at load, code that ran, any other error")  # fmt: skip
    numbers = Counter(_kind(what) for _, what in results.values())
    rows = "".join(f"| {what} | {numbers[k]:,} |\n" for k, what in enumerate(kinds))
    models = len({model for model, _ in results.values()})
    head = f"{len(results):,} files of {models} kinds, each changed in one to three places:"
    return f"\n{head}\n\n| came to | files |\n|---|---|\n{rows}\n"


def _kind(what: str) -> int:
    if what in ("answered", "loaded"):
        return 1
    return 0 if what == "refused" else 4 if what.startswith("!") else 3 if what == "endless" else 2


if __name__ == "__main__":
    sys.exit(main())
