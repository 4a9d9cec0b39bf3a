"""What the services, which a runner must not know, may want to know of it."""

from django.dispatch import Signal

starter_loaded = Signal()  # campaign: Campaign; sent again by an attempt after one that was killed
