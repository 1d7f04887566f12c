"""Acting on a page: finding the element, guarding the act, following it to its end."""
