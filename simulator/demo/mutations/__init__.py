"""The bookshop changed, as sites change between two visits: in its pages, in its addresses, in what it does.

``catalogue`` names every mutation. Not responsible for: what a replay should make of one.
"""
