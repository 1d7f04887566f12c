"""Toolset ``elements``: discover elements, act on them by what was discovered, and open the browser for it."""
