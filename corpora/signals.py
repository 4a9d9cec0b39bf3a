"""A signal of releases, for apps above."""

from django.dispatch import Signal

notice_added = Signal()
"""Sent by its class with ``release`` when one is retracted or has an erratum more, in the
transaction that does it."""
