"""What goes over the network: heard, redacted, and told."""
