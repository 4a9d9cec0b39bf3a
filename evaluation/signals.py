"""Signals of the runner, which may not call the services."""

from django.dispatch import Signal

starter_loaded = Signal()  # campaign: Campaign; sent again if an attempt was killed
