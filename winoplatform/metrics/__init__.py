"""Figures of the platform for Prometheus: events of all processes, counted in Redis."""
