"""What runs left on a site: looked for, and taken away."""
