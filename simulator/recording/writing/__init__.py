"""The parts of a run as they are written: exchanges, effects, calls of a model."""
