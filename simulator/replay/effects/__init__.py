"""What a recording saw of writes, and whether it is seen again."""
