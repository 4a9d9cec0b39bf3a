"""Whether a twin is returned for revision."""

from collection.models import Twin
from validation.models import TwinReturn


def is_returned(twin: Twin) -> bool:
    """Return whether a curator has returned *twin*, so that it may be revised despite its votes."""
    return TwinReturn.objects.filter(twin=twin).exists()
