"""What the program costs, each time against a named alternative measured in the same run. Nothing imports this."""
