"""Lowerings to ONNX that are longer than a line, a family per file: functions of a builder, which `dy2st.onnx` hands to them."""
