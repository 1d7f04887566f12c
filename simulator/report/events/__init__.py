"""Events of a run as lines of JSON, as a log, and as traces."""
