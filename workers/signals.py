"""Signals about accounts."""

from django.dispatch import Signal

# instance: User, saved with a new password; in the transaction of the save.
password_renewed = Signal()
# instance: User, saved with another role or activity than *before*, a pair of these; a new account
# differs from an active worker. In the transaction of the save.
account_changed = Signal()
