"""A run on a small real site, for every test of the tools."""

from tests.small_run import policy, pool, run, served_site, site_section, site_url, small_site

__all__ = ["policy", "pool", "run", "served_site", "site_section", "site_url", "small_site"]
