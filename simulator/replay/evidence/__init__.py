"""Which element an action is done on: by strict evidence, by weaker evidence, and in words where it is none."""
