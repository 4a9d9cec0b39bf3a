"""Signals for the apps above. Receivers run inside the sender's transaction."""

from django.dispatch import Signal

twin_submitted = Signal()  # twin: Twin, with its questions stored
# twin: Twin, is_revised: bool (another text takes its place); a receiver refuses by raising
# DomainError
twin_withdrawn = Signal()
campaign_closed = Signal()  # campaign: Campaign
# a receiver returns a Q on Twin: those whose answers are public
public_labels_wanted = Signal()
# twin: Twin, is_revised: bool, as above; a receiver refuses by raising DomainError
change_asked = Signal()
# twin: Twin; a receiver returns whether a curator waits for another text of it
return_asked = Signal()
participant_left = Signal()  # worker: User, campaign: Campaign; leases end now
