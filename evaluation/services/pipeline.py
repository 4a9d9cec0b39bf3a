"""The request for all runs from a campaign's votes to a first evaluation."""

from dataclasses import dataclass

from django.db import transaction

from collection.models import Campaign
from corpora import services as corpora
from corpora.models import Release, Snapshot
from evaluation.models import Evaluation
from evaluation.services.evaluations import evaluate
from evaluation.services.releases import build_release
from filtering import services as filtering
from filtering.models import Encoding, FilterRun
from winoplatform.runs.models import Run
from workers.models import User

STARTING_METHODS = ("majority", "linear")


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
    """Queue every stage; each starts when the one before it is done.

    *without_repeats* is that of `corpora.services.take_snapshot`.
    """
    snapshot = corpora.take_snapshot(campaign=campaign, by=by, without_repeats=without_repeats)
    encoding = filtering.encode(snapshot=snapshot, by=by)
    filter_run = filtering.start_filter_run(encoding=encoding, by=by)
    release = build_release(
        snapshot=snapshot, selection=filter_run.selection, name=release_name, by=by
    )
    evaluations = tuple(
        evaluate(release=release, method=method, split="dev", by=by) for method in STARTING_METHODS
    )
    return Pipeline(snapshot, encoding, filter_run, release, evaluations)
