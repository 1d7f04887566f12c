"""A model does one task again where a replay cannot go on, and what it did is checked."""
