"""The toolset ``computer``: the page as a screen with a mouse and a keyboard."""
