"""What curators can ask of filtering: freeze, encode, filter, release. Workers carry it out."""

from typing import Any

from django.conf import settings
from django.db import transaction

from collection.models import Campaign
from filtering import selectors
from filtering.core.encoders import EncoderSpec
from filtering.models import Encoding, FilterRun, Release, Snapshot
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def take_snapshot(*, campaign: Campaign, by: User | None) -> Snapshot:
    """Freeze the campaign's questions that are valid now, whenever a worker comes to it."""
    snapshot = Snapshot(campaign=campaign, created_by=by)
    if not selectors.valid_questions(campaign, at=snapshot.created_at).exists():
        raise DomainError(
            "no_valid_questions", "This campaign has no valid question to freeze yet.", status=409
        )
    start(snapshot)
    return snapshot


@transaction.atomic
def encode(
    *,
    snapshot: Snapshot,
    by: User | None,
    encoder: str = "",
    pooling: str = "",
    features: str = Encoding.Features.DIFFERENCE,
) -> Encoding:
    """Encode every question of a snapshot; an empty *encoder* means the installation's own."""
    spec = encoder or settings.ENCODER
    try:
        EncoderSpec.parse(spec)
    except ValueError as error:
        raise DomainError("encoder_unknown", f"This encoder cannot be used: {error}") from error
    encoding = Encoding(
        snapshot=snapshot, encoder=spec, pooling=pooling, features=features, created_by=by
    )
    start(encoding)
    return encoding


def settings_for(n_questions: int) -> dict[str, Any]:
    """Suggest AFLite settings for a set of *n_questions*.

    m and k are the paper's 10,000 and 500 of 47,000 (WinoGrande §3) in proportion. A small set
    gets a larger part to learn from, half of it up to 400 questions, since a linear model over
    hundreds of features learns nothing from a fifth of three hundred; and k is at least 5, so that
    chance alone does not keep a run going. Twins stay on one side of every part (``grouped``): with
    a question's twin among the examples, predictions fall below chance and little is ever removed.
    """
    share = min(1.0, n_questions / 47_000)
    return {
        "m": max(2, round(10_000 * share), min(n_questions // 2, 400)),
        "k": max(5, round(500 * share)),
        "partition": FilterRun.Partition.GROUPED,
    }


@transaction.atomic
def start_filter_run(*, encoding: Encoding, by: User | None, **parameters: Any) -> FilterRun:
    """Start AFLite over an encoding; *parameters* are fields of ``FilterRun``."""
    run = FilterRun(encoding=encoding, created_by=by, **parameters)
    start(run)
    return run


@transaction.atomic
def build_release(
    *, filter_run: FilterRun, name: str, by: User | None, dev: float = 0.1, test: float = 0.1
) -> Release:
    """Publish what a filter run kept, under a name that no other release holds.

    The name stays with the release; only one that fails or is cancelled lets it go.
    """
    release = Release(filter_run=filter_run, name=name, dev=dev, test=test, created_by=by)
    start(release)
    return release
