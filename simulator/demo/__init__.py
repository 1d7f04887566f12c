"""The bundled bookshop: a small, real web site to act on. It knows nothing of the rest of the package."""
