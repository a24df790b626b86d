"""From a Program to a graph: the values of a graph, and the forms that types, lengths and failures have in it."""
