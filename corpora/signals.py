"""Signals of releases, for apps above."""

from django.dispatch import Signal

release_built = Signal()
"""Sent by ``Release`` with ``release`` once it is done, outside of any transaction."""
