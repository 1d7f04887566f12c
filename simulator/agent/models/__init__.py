"""The models that an agent asks, and their prices."""
