"""What is sent, and what the site answers."""
