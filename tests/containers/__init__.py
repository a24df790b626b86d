"""Every class of container, in every place where a function can meet one, in every way of running it: as plain Python."""
