"""Signals of releases, for apps above."""

from django.dispatch import Signal

release_built = Signal()
"""Sent by ``Release`` with ``release`` once it is done, outside of any transaction."""

facts_wanted = Signal()
"""Sent by ``Release`` or ``ReleasePreview`` with ``plan``, when the facts of its manifest are
collected. A receiver returns a dict of further facts, such as people's performance (``human``)."""
