"""The commands that begin with a recording: perform it, plan it, accept what has changed, go on from it."""
