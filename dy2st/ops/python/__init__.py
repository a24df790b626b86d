"""Operators on Python values: staged scalars, lists, tuples, dicts, sets, objects, text; in Python's own meaning.

Operands and results are in native form (`dy2st.ir.native`).
"""
