"""Replays of a site that does what it says: each passes, and the site holds what it is to hold."""
