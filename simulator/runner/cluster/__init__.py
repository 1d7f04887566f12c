"""Seeding past one machine: casts are performed by the workers of a Dask.distributed cluster."""
