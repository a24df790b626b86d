"""One side trains one model, in a process of its own, on one thread; losses, seconds and memory are printed as JSON.

python benchmarks/trained "dy2st static" ResNet-18 5
"""

import os
import sys
from pathlib import Path

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before NumPy is imported
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from trained.side import main  # noqa: E402

main(*sys.argv[1:])
