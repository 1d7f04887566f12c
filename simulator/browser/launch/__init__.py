"""The browser itself: which one, how it starts, and what it may reach."""
