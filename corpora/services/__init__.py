"""Actions of curators: snapshots, releases, reference sets."""

from corpora.services.reference_sets import (
    change_reference_set,
    delete_reference_set,
    import_reference_set,
)
from corpora.services.snapshots import build_release, take_snapshot
