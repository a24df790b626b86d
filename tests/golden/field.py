"""What Paddle and AutoGraph make of the twelve functions; each in an environment of its own, without dy2st.

    python tests/golden/field.py paddle          where paddlepaddle is installed
    python tests/golden/field.py autograph       where tensorflow-cpu is installed

Either writes its counts into `field.json`, which `table.py` puts into the page. A function that is refused has none.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import types
from pathlib import Path

from counting import counts

HERE = Path(__file__).parent
KEPT = HERE / "field.json"


def by_paddle():
    import paddle

    return f"Paddle {paddle.__version__}", "_jst", lambda function: paddle.jit.to_static(function, full_graph=True).code


def by_autograph():
    import tensorflow

    return f"AutoGraph of TensorFlow {tensorflow.__version__}", "ag__", tensorflow.autograph.to_code


def main(which: str) -> None:
    name, runtime, code_of = {"paddle": by_paddle, "autograph": by_autograph}[which]()
    sys.modules["dy2st"] = types.ModuleType("dy2st")      # which no function needs to be rewritten
    spec = importlib.util.spec_from_file_location("twelve", HERE / "twelve.py")
    twelve = importlib.util.module_from_spec(spec)
    sys.modules["twelve"] = twelve
    spec.loader.exec_module(twelve)
    found = {}
    for function in twelve.TWELVE:
        try:
            text = code_of(function)
            print(text)
            found[function.__name__] = counts(text, runtime)
        except Exception as error:  # noqa: BLE001 - whatever it refuses with
            print(f"{function.__name__}: {type(error).__name__}: {error}")
            found[function.__name__] = None
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    KEPT.write_text(json.dumps({**kept, which: {"name": name, "counts": found}}, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
