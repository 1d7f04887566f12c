"""A first look at a site: what it asks for and lists, written as a section of ``sim.toml``."""
