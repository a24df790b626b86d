"""ONNX: Programs as models that other runtimes run, with real If and Loop, and ONNX models as Programs.

Nothing here imports onnx or onnxruntime before it is used: `pip install 'dy2st[onnx]'` brings both.
"""
