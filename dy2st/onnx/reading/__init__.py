"""ONNX models as Programs: the graph is interpreted once while staging, node by node, in dy2st's own functions."""
