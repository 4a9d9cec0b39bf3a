"""Benchmarks: ``python -m benchmarks.NAME [--quick]``; each ends with one ``RESULT`` line."""
