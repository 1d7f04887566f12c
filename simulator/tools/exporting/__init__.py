"""Writing tests for pytest-playwright: what an agent has written, or what a run has done so far."""
