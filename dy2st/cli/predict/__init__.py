"""`dy2st predict`: a saved model on all rows of many files, in batches that one can stop, and go on with.

A row is an item along the first axis of a file's arrays. A batch is rows of one file, the same ones in every run: so what is
there after a run that was cut off and went on is what one run gives, to the byte. Each batch leaves a part in the output folder;
the parts of a file become its result, at once.
"""
