"""What curators can ask of evaluation."""

from dataclasses import dataclass

from django.db import transaction

from collection.models import Campaign
from evaluation.models import Evaluation
from filtering import services as filtering
from filtering.models import Encoding, FilterRun, Release, Snapshot
from winoplatform.runs.models import Run
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def evaluate(*, release: Release, model: str, split: str, by: User | None) -> Evaluation:
    """Score a model on one split of a release."""
    evaluation = Evaluation(release=release, model=model, split=split, created_by=by)
    start(evaluation)
    return evaluation


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The runs that lead from a campaign's votes to a first evaluation, in order."""

    snapshot: Snapshot
    encoding: Encoding
    filter_run: FilterRun
    release: Release
    evaluations: tuple[Evaluation, ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        return (self.snapshot, self.encoding, self.filter_run, self.release, *self.evaluations)


@transaction.atomic
def start_pipeline(*, campaign: Campaign, release_name: str, by: User | None) -> Pipeline:
    """Queue every stage at once; each starts by itself when the one before it is done."""
    snapshot = filtering.take_snapshot(campaign=campaign, by=by)
    encoding = filtering.encode(snapshot=snapshot, by=by)
    filter_run = filtering.start_filter_run(encoding=encoding, by=by)
    release = filtering.build_release(filter_run=filter_run, name=release_name, by=by)
    evaluations = tuple(
        evaluate(release=release, model=model, split=Evaluation.Split.DEV, by=by)
        for model in Evaluation.Model.values
    )
    return Pipeline(snapshot, encoding, filter_run, release, evaluations)
