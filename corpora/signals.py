"""Signals of releases, for apps above."""

from django.dispatch import Signal

release_built = Signal()
"""Sent by ``Release`` with ``release`` once it is done, outside of any transaction."""

release_retracted = Signal()
"""Sent by its class with ``release`` when one is retracted, in the transaction that does it."""

erratum_added = Signal()
"""Sent by ``Release`` with ``release`` when it has an erratum more, in the transaction of it."""
