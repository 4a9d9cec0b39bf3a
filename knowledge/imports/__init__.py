"""Readers of published knowledge sets."""
