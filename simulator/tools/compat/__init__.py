"""Tools by the names, and in the ways, of other designs."""
