"""What rooms above may want to know. Receivers run inside the sender's transaction."""

from django.dispatch import Signal

twin_submitted = Signal()  # twin: Twin, with its questions stored
