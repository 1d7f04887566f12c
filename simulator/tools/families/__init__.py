"""The tools for pages, a module for each family."""
