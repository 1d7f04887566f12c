"""Commands about the sites of ``sim.toml``."""
