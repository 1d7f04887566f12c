"""The bookshop's pages and form submissions, one module a part of the site; each lists its `ROUTES`."""
