"""Seeding: many fresh users of a few recorded ones."""
