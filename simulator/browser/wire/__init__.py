"""What goes over the network: heard, redacted, and reported."""
