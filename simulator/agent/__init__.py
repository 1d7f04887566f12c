"""Agents: what decides the next tool call of a run, and the loop that lets them act."""
