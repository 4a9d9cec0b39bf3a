"""Signals about accounts."""

from django.dispatch import Signal

# instance: User, about to be saved by a form or service; a receiver can refuse by raising a
# ValidationError for a field.
user_checked = Signal()
# instance: User, saved with a new password; in the transaction of the save.
password_renewed = Signal()
# instance: User, saved with another role or activity than *before*, a pair of these; a new account
# differs from an active worker. In the transaction of the save.
account_changed = Signal()
