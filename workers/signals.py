"""Signals about accounts."""

from django.dispatch import Signal

# instance: User, about to be saved by a form or service; a receiver can refuse by raising a
# ValidationError for a field.
user_checked = Signal()
