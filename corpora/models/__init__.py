"""Tables for snapshots, splits, selections, releases and reference sets."""

from corpora.models.draws import Draw, DrawTable
from corpora.models.one_set import OF_ONE_SET, WHOLE, known_transformation
from corpora.models.reference_sets import ReferenceSet, ReferenceSplit
from corpora.models.releases import (
    PUBLIC,
    BlindSentence,
    Erratum,
    PublishedFile,
    PublishedRun,
    PublishedRunQuerySet,
    Release,
    ReleaseFile,
    ReleasePlan,
    ReleasePreview,
    ReleaseReport,
    SplitForm,
    new_key,
)
from corpora.models.snapshots import Selection, Snapshot
