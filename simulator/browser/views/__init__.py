"""Reading a page: its frames, its elements, its texts and its refusals."""
