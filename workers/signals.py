"""What apps above may want to know of accounts."""

from django.dispatch import Signal

# instance: User, about to be saved by a form or service; a receiver refuses by raising a
# ValidationError that names the field.
user_checked = Signal()
