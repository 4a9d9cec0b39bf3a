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
# now: datetime; a receiver returns a condition on CrowdSession: whose participants hold its work
work_held_wanted = Signal()
# worker: User, now: datetime; a receiver returns the campaigns in which the worker holds its work
held_campaigns_wanted = Signal()
participant_left = Signal()  # worker: User, campaign: Campaign; leases end now
# campaign: Campaign, now: datetime; a receiver returns an expression of what it has promised
promises_wanted = Signal()
