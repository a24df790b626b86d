"""Changed files by the thousand: `python -m hostile.campaign --count 200000 --log /tmp/fuzz.log` from the folder `tests`.

A run goes on where its log ends, so it can be stopped at any time. A seed is one changed file; files are tried in processes with
little memory, so that a crash is one line of the log. The table at the end is what docs/security.md shows.
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

MEMORY = 3 << 30  # bytes of address space
BATCH = 500


def worker(start: int, stop: int) -> None:
    """Try these seeds: a line of JSON for each, first its number, then what it came to."""
    from .attempt import attempt, watch
    from .models import models
    from .mutate import Mutator

    warnings.simplefilter("ignore")
    known = models()
    mutator = Mutator(known)
    out, sys.stdout = sys.stdout, open("/dev/null", "w")  # what models print
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    watch()
    for seed in range(start, stop):
        source = random.Random(seed)
        k = source.randrange(len(known))
        data = mutator.changed(k, source)
        print(json.dumps([seed, known[k].name]), file=out, flush=True)
        print(json.dumps([seed, known[k].name, attempt(data, known[k].inputs)]), file=out, flush=True)


def _results(log: Path) -> dict[int, tuple[str, str]]:
    lines = log.read_text().splitlines() if log.exists() else []
    entries = [json.loads(line) for line in lines]
    return {entry[0]: (entry[1], entry[2]) for entry in entries}


def _run_batch(start: int, stop: int, log: Path) -> int:
    """Try seeds until all are tried, or the process ends; the first seed that wasn't."""
    process = subprocess.run([sys.executable, "-m", "hostile.campaign", "--worker", str(start), str(stop)], capture_output=True)
    entries = [json.loads(line) for line in process.stdout.splitlines()]
    done = [entry for entry in entries if len(entry) == 3]
    if process.returncode:
        reason = process.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit status {process.returncode}"]
        begun = entries[-1] if entries and len(entries[-1]) == 2 else [start, "?"]
        done.append([*begun, f"! the process ends ({process.returncode}): {reason[0][:150]}"])
    with log.open("a") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in done)
    return done[-1][0] + 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worker", nargs=2, type=int)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--log", type=Path, default=Path("fuzz.log"))
    options = parser.parse_args()
    if options.worker:
        worker(*options.worker)
        return 0
    stop = options.start + options.count
    at = max((seed + 1 for seed in _results(options.log) if seed < stop), default=options.start)
    while at < stop:
        at = _run_batch(at, min(at + BATCH, stop), options.log)
    results = _results(options.log)
    table = Counter(what if what.startswith("!") else what for _, what in results.values())
    for what, count in table.most_common():
        print(f"{count:8,} {what}")
    failures = [seed for seed, (_, what) in results.items() if what.startswith("!")]
    print(f"{len(results):8,} files, {len(failures)} that must not be: {failures[:20]}")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
