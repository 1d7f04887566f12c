"""Applications that nobody tuned anything for, populated from what ``sim site learn`` says of them."""
