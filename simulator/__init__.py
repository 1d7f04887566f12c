"""Record-and-replay synthetic users for a web site."""

DISTRIBUTION = "persona-replay"
"""What the package is installed as; its import name is that of somebody else's package there."""
__version__ = "0.1.0"
