"""Record-and-replay synthetic users for a web site."""
