"""Tables for snapshots, splits, selections, releases and reference sets."""

from corpora.models.draws import Draw, DrawTable
from corpora.models.reference_sets import (
    OF_ONE_SET,
    WHOLE,
    ReferenceSet,
    ReferenceSplit,
    known_transformation,
)
from corpora.models.releases import (
    BlindSentence,
    PublishedFile,
    PublishedRun,
    Release,
    ReleaseFile,
    ReleasePlan,
    ReleasePreview,
    ReleaseQuerySet,
    ReleaseReport,
    SplitForm,
    new_key,
)
from corpora.models.snapshots import Selection, Snapshot
