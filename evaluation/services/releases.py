"""Releases and previews that tell how people did on their questions."""

from typing import Any

from django.db import transaction

from corpora import services as corpora
from corpora.models import Release, ReleasePreview, Snapshot
from evaluation.selectors.people_facts import people_facts


@transaction.atomic
def build_release(*, snapshot: Snapshot, **asked: Any) -> Release:
    """As `corpora.services.build_release`, with people's performance so far."""
    return corpora.build_release(snapshot=snapshot, human=people_facts(snapshot), **asked)


@transaction.atomic
def preview_release(*, snapshot: Snapshot, **asked: Any) -> ReleasePreview:
    """As `corpora.services.preview_release`, with people's performance so far."""
    return corpora.preview_release(snapshot=snapshot, human=people_facts(snapshot), **asked)
