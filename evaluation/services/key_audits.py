"""Requests for audits of answer keys."""

from django.db import transaction

from corpora.models import ReferenceSet, Release, Snapshot
from corpora.services import refuse_unlabelled, usual_split
from evaluation.core.key_model import FEWEST_SYSTEMS
from evaluation.models import KeyAudit
from evaluation.selectors.key_audits import auditable
from evaluation.services.evaluations import SCORED_SPLITS
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def audit_keys(
    *,
    by: User | None,
    release: Release | None = None,
    reference_set: ReferenceSet | None = None,
    snapshot: Snapshot | None = None,
    split: str = "",
    seed: int = 0,
) -> KeyAudit:
    """Request an audit of the keys of a split of a set, or of a snapshot.

    An empty *split* means dev, the only split of a reference set, or all of a snapshot. Used are
    the finished evaluations that *by* may see.

    Raises
    ------
    DomainError
        When the split is unknown or not labelled, the release is of a campaign that *by* is no
        member of, or fewer than 5 systems were evaluated.
    ValidationError
        When not exactly one set is named, or the same audit is under way.
    """
    audit = KeyAudit(
        release=release,
        reference_set=reference_set,
        snapshot=snapshot,
        split=split or usual_split(reference_set, snapshot),
        seed=seed,
        created_by=by,
    )
    _refuse_unauditable(audit)
    evaluations = auditable(audit, by)
    if len(evaluations) < FEWEST_SYSTEMS:
        raise DomainError(
            "too_few_systems",
            f"An audit of keys needs evaluations by at least {FEWEST_SYSTEMS} systems; "
            f"these questions have {len(evaluations)}.",
        )
    start(audit)
    audit.evaluations.set(evaluations)
    return audit


def _refuse_unauditable(audit: KeyAudit) -> None:
    if audit.reference_set is not None:
        refuse_unlabelled(audit.reference_set, audit.split)
    elif audit.release is not None and audit.split not in SCORED_SPLITS:
        names = " and ".join(SCORED_SPLITS)
        raise DomainError("split_unknown", f"Of a release these can be audited: {names}.")
    set_of_campaign = audit.release or audit.snapshot
    if set_of_campaign and audit.created_by and not set_of_campaign.is_of_member(audit.created_by):
        raise DomainError(
            "not_a_member",
            "The keys of a campaign’s questions are audited by its members.",
            status=403,
        )
