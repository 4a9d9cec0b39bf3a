"""Actions of curators: snapshots, releases, reference sets."""

from corpora.services.proposals import ask_again, confirm
from corpora.services.reference_sets import (
    change_reference_set,
    delete_reference_set,
    derive_reference_set,
    import_reference_set,
)
from corpora.services.releases import (
    add_erratum,
    attach_report,
    build_release,
    needs_second,
    preview_release,
    publish_or_propose,
    refuse_unlabelled,
    refuse_unpermitted,
    retract_release,
    take_snapshot,
    usual_split,
)
from corpora.services.split_forms import make_forms, split_as
