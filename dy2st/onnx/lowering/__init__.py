"""From a Program to an ONNX model: `program.py` walks, `builder.py` writes nodes, the operators say which."""
