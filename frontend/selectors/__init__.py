"""Reads that pages need and that span tables."""
