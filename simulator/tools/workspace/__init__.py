"""The toolset ``workspace``: a shell, an editor and read-only SQL in the folder of a run. Off unless it is allowed."""
