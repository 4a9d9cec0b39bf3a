"""Signals for the apps above. Receivers run inside the sender's transaction."""

from django.dispatch import Signal

campaign_closed = Signal()  # campaign: Campaign
# a receiver returns a Q on Twin: those whose answers are public
public_labels_wanted = Signal()
participant_left = Signal()  # worker: User, campaign: Campaign; leases end now
