"""Replaying recorded runs, alone and as a batch, and what is learned from it."""
