"""Whether a twin waits for its author, who may write it anew although it was validated."""

from collection.models import Twin
from validation.models import TwinReturn


def is_returned(twin: Twin) -> bool:
    """Tell whether a curator has sent *twin* back; asked where votes would block a revision."""
    return TwinReturn.objects.filter(twin=twin).exists()
