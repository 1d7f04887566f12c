"""Filling forms that nobody described: which field a value goes into, what else is asked for, what the site refuses.

Not responsible for: pressing or typing, which the tool ``fill_form`` does.
"""
