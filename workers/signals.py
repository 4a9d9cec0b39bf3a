"""Signals about accounts."""

from django.dispatch import Signal

account_saved = Signal()
"""Sent by ``User`` in the transaction of each save, with ``instance``, ``is_password_new`` and
``before``: role and activity until then, or None if the save left them alone. Those of a new
account were an active worker's."""
