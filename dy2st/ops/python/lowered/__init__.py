"""How operators on Python values become nodes of ONNX: functions of the builder `g` and the operands (`OpDef.onnx`)."""
