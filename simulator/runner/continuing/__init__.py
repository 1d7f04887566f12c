"""An agent goes on from a recorded beginning, live or offline."""
