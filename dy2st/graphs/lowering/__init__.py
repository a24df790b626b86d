"""From a Program to a graph: `walk.py` walks, the operators say which nodes, `writer.py` is the `g` that they are given."""
