"""Tables and progress for a terminal."""
