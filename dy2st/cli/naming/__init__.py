"""What a word of the command line names: a saved model, an object of the user's, arrays, the type of an input."""
