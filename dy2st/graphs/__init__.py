"""Graph engines: the part of an engine that is the same for each one whose graphs only compute, as ONNX's and JAX's do.

Nothing here imports onnx, onnxruntime or jax.
"""
