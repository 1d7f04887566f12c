"""What is shown of batches, replays and recordings. Not responsible for: making or storing any of them."""
