"""Going on with runs that ended before they were done, and whether what was cut off took effect."""
