"""One run of an agent, and what its calls go through."""
