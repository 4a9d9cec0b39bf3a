"""The requests for all runs from a campaign's votes to a release and its first evaluations."""

import io
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from collection.models import Campaign
from corpora import selectors
from corpora import services as corpora
from corpora.core.bundle.layout import DEV
from corpora.models import Release, ReleasePlan, ReleasePreview, ReleaseReport, Snapshot
from corpora.services import attach_report
from evaluation.core.published_tables import WRITERS
from evaluation.methods.baselines import LINEAR
from evaluation.models import Evaluation
from evaluation.selectors.knowledge import people_facts
from evaluation.selectors.paper_tables import paper_table
from evaluation.services.evaluations import evaluate
from filtering import services as filtering
from filtering.models import Encoding, FilterRun
from winoplatform.errors import Conflict
from winoplatform.runs.models import Run
from workers.models import User

# An attached file is for everyone, and exact scores on a blind test are equations for its labels.
ANY_USER = User()


def attach_paper_table(
    *, release: Release, table: str, ending: str, by: User | None
) -> ReleaseReport:
    """Attach a table of `TABLES` as csv or tex, with the figures that every user may see.

    Raises
    ------
    DomainError, ValidationError
        As for `attach_report`.
    """
    write, _media_type = WRITERS[ending]
    text = write(paper_table(ANY_USER, table))
    file = io.BytesIO(text.encode())
    return attach_report(release=release, name=f"{table}.{ending}", file=file, by=by)


@transaction.atomic
def build_release(*, snapshot: Snapshot, **asked: Any) -> Release:
    """As `corpora.services.build_release`, with people's performance so far."""
    return corpora.build_release(snapshot=snapshot, human=people_facts(snapshot), **asked)


@transaction.atomic
def preview_release(*, snapshot: Snapshot, **asked: Any) -> ReleasePreview:
    """As `corpora.services.preview_release`, with people's performance so far."""
    return corpora.preview_release(snapshot=snapshot, human=people_facts(snapshot), **asked)


STARTING_METHODS = ("majority", LINEAR)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The runs from a campaign's votes to a first evaluation, in order."""

    snapshot: Snapshot
    encoding: Encoding
    filter_run: FilterRun
    release: Release
    evaluations: tuple[Evaluation, ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        return (self.snapshot, self.encoding, self.filter_run, self.release, *self.evaluations)


@transaction.atomic
def start_pipeline(
    *, campaign: Campaign, release_name: str, by: User | None, without_repeats: bool = False
) -> Pipeline:
    """Queue every stage, unattended; each starts when the one before it is done.

    Nobody reads the preview of the release: for scripts and the starter. *without_repeats* is that
    of `corpora.services.take_snapshot`.

    Raises
    ------
    DomainError
        When there are too few valid pairs, as `refuse_few_pairs`.
    """
    filter_run = _filtered(campaign, by=by, without_repeats=without_repeats)
    snapshot = filter_run.encoding.snapshot
    release = build_release(
        snapshot=snapshot, selection=filter_run.selection, name=release_name, by=by
    )
    has_dev = selectors.expected_pairs(campaign).of("dev") >= 1
    evaluations = first_evaluations(release=release, by=by) if has_dev else ()
    return Pipeline(snapshot, filter_run.encoding, filter_run, release, evaluations)


@transaction.atomic
def prepare_release(
    *, campaign: Campaign, by: User | None, without_repeats: bool = False
) -> ReleasePreview:
    """Queue what a release is made from, and its preview, which a curator reads before the build.

    The snapshot draws the splits of new twins: later stages must know which questions are blind.

    Raises
    ------
    DomainError
        When there are too few valid pairs, as `refuse_few_pairs`.
    """
    filter_run = _filtered(campaign, by=by, without_repeats=without_repeats)
    return preview_release(
        snapshot=filter_run.encoding.snapshot, selection=filter_run.selection, by=by
    )


@transaction.atomic
def build_previewed(*, preview: ReleasePreview, by: User | None, **published: Any) -> Release:
    """Request the release of a preview that is done, and its first evaluations.

    *published* is what `build_release` takes. Without questions in dev no
    evaluation is requested: it could only fail.
    """
    release = build_release(
        snapshot=preview.snapshot,
        selection=preview.selection,
        min_pairs=preview.min_pairs,
        by=by,
        **published,
    )
    if n_dev(preview):
        first_evaluations(release=release, by=by)
    return release


def n_dev(preview: ReleasePreview) -> int:
    """Return how many questions dev would have; 0 before the preview is done."""
    splits = (preview.facts or {}).get("splits", {})
    return int(splits.get(DEV, {}).get("questions", 0))


def first_evaluations(*, release: Release, by: User | None) -> tuple[Evaluation, ...]:
    """Request the baselines on dev that fit the release: the linear one reads an encoding."""
    fitting = [name for name in STARTING_METHODS if name != LINEAR or _has_encoding(release)]
    return tuple(evaluate(release=release, method=method, split="dev", by=by) for method in fitting)


def refuse_few_pairs(campaign: Campaign) -> None:
    """Refuse a campaign of which dev or the blind test could stay empty: splits are permanent."""
    expected = selectors.expected_pairs(campaign)
    if expected.empty:
        raise Conflict(
            "too_few_pairs",
            f"Valid pairs so far: {expected.total:,}. At least {expected.needed(1):,} are needed, "
            f"so that {' and '.join(expected.empty)} cannot stay empty: splits are permanent.",
        )


def _filtered(campaign: Campaign, *, by: User | None, without_repeats: bool) -> FilterRun:
    snapshot = corpora.take_snapshot(campaign=campaign, by=by, without_repeats=without_repeats)
    refuse_few_pairs(campaign)
    encoding = filtering.encode(snapshot=snapshot, by=by)
    return filtering.start_filter_run(encoding=encoding, by=by)


def _has_encoding(plan: ReleasePlan) -> bool:
    return plan.selection is not None and hasattr(plan.selection, "filter_run")
