"""A model does one task anew where a replay cannot go on, and what it did is checked."""
