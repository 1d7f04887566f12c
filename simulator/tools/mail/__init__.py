"""The mail that a site sends to its users."""
