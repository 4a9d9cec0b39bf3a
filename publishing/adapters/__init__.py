"""One adapter for each target; `adapter_for` returns the one of a place."""

from publishing.adapters.hub import Hub
from publishing.adapters.protocol import Adapter
from publishing.adapters.zenodo import Zenodo
from publishing.core.places import HUB


def adapter_for(target: str, *, repository: str, endpoint: str, token: str) -> Adapter:
    """Return what talks to a target; use it as a context."""
    if target == HUB:
        return Hub(repository, endpoint=endpoint, token=token)
    return Zenodo(endpoint=endpoint, token=token)
