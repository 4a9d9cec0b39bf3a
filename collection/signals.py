"""What rooms above may want to know. Receivers run inside the sender's transaction."""

from django.dispatch import Signal

twin_submitted = Signal()  # twin: Twin, with its questions stored
twin_withdrawn = Signal()  # twin: Twin; a receiver refuses by raising DomainError
# campaign, text: TwinText, leave_out: Twin | None; a receiver returns findings of its own
advice_wanted = Signal()
participant_left = Signal()  # worker: User, campaign: Campaign; leases end now
