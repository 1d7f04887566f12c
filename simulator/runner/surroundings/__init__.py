"""What a run stands in: the site and its state, the browser, sessions, and what other hosts answer."""
