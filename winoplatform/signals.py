"""A signal about runs, for the apps whose work begins when one is done."""

from django.dispatch import Signal

run_done = Signal()
"""Sent by a run's class with ``run`` once it is done, outside of any transaction.

The run is done whatever a receiver does: its failure is logged. A process that dies in between
sends nothing, so what has to follow a run is a run that needs it.
"""
