"""A Django database backend for the embedded PostgreSQL; see ``base.py``."""
