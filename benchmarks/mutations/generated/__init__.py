"""Mutations that are generated: seeded combinations of changes over any page of any site, judged by the site."""
