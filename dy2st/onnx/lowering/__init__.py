"""From a Program to an ONNX model: `walk.py` walks, `nodes.py` writes nodes, `program.py` puts the model together."""
