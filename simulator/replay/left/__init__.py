"""What a run left on the site, and whether a page shows it."""
