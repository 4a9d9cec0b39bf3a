"""Signals for the apps above. Receivers run inside the sender's transaction."""

from django.dispatch import Signal

campaign_closed = Signal()  # campaign: Campaign
participant_left = Signal()  # worker: User, campaign: Campaign, or None for all; leases end now
