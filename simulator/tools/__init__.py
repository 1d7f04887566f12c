"""Tools: what an agent may call, and the dispatch that validates, authorises and executes a call."""
