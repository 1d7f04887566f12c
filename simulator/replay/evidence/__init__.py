"""Which element an action is done on: by strict evidence, by weaker evidence, and in words why there is none."""
