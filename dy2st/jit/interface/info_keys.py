"""The keys of `Info.extra`: what a file says of a model beside its Program."""

SCRIPT = "script"  # the methods, attributes and constants of what `script` or `trace` gave
PROPERTIES = "properties"  # method -> the value that it gives
CALLED = "called"  # the method that a call of the model runs
OTHER_MODE = "other_mode"  # method -> its Function in the mode that the model wasn't saved in
NO_OTHER_MODE = "no_other_mode"  # method -> why it has none
WHOLE_MODE = "whole_mode"  # method -> its Function once all parts, which were in several modes, are in the mode of the file
NO_WHOLE_MODE = "no_whole_mode"  # method -> why it has none
INPUT_MEMORY = "input_memory"  # method -> what it takes for granted of the memory of its inputs
TIED = "tied"  # a further name in the `state_dict` -> the name under which the Program has that tensor
MODES = (OTHER_MODE, NO_OTHER_MODE, WHOLE_MODE, NO_WHOLE_MODE)
