"""Calls every operator with hostile operands and attributes, in a process of its own, and says what went wrong.

    python tests/ops/hostile                      every case; takes a while
    python tests/ops/hostile --each 20 --seed 3   so many of each operator
    python tests/ops/hostile as_strided conv2d    all cases of these operators
    python tests/ops/hostile --way kernel         those that call kernels
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from ops.hostile.watched import watched
from ops.hostile.ways import WAYS

parser = argparse.ArgumentParser()
parser.add_argument("operators", nargs="*")
parser.add_argument("--each", type=int)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--way", action="append", choices=list(WAYS))
given = parser.parse_args()
report = watched(given.each, given.seed, given.operators, given.way or list(WAYS))
print(report)
sys.exit(bool(report.faults))
