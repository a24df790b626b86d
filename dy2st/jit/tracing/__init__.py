"""`trace`: what a function does with example inputs, recorded."""
