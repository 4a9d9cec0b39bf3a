"""Signals of publications."""

from django.dispatch import Signal

publication_done = Signal()
"""Sent by ``Publication`` with ``publication`` once a copy stands, outside of any transaction."""
