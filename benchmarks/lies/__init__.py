"""Lies of a site: it says that it did what it was asked, and did something else. Generated from what was recorded."""
