"""Graph engines: the part that is the same for all engines whose graphs only compute, as those of ONNX and JAX do.

Operators have one lowering, `onnx=` in `define`, whose nodes are operators of ONNX: `g.Relu(x)`. The package has all else that an
engine needs between a Program and such nodes:

- `preparing` takes writes, heap and exceptions out of a Program;
- `lowering.walk` takes its operations in order, with `if`, `while`, tuples, sequences and unions, and hands `g` to lowerings;
- `lowering.writer` is that `g`, but for its primitives: casts, constants of operands, lengths, checks in place of exceptions;
- `ports` and `calls` take native values to the arrays of a graph and back;
- `engine` keeps parameters and state around it, shares memory with the caller, and raises what Python raises.

An engine brings a `Writer` with the methods of `lowering.primitives`, a `Walk` with its name, a `GraphBody`, which runs one
Function, and a `GraphExecutable`, which makes it. Nothing here imports onnx, onnxruntime or jax.
"""
