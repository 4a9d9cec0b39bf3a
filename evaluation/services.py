"""What curators can ask of evaluation."""

from dataclasses import dataclass

from django.db import transaction

from collection.models import Campaign
from corpora import services as corpora
from corpora.models import Release, Snapshot
from evaluation.models import Evaluation
from filtering import services as filtering
from filtering.models import Encoding, FilterRun
from winoplatform.errors import DomainError
from winoplatform.runs.models import Run
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def evaluate(*, release: Release, model: str, split: str, by: User | None) -> Evaluation:
    """Score a model on one split of a release."""
    evaluation = Evaluation(release=release, model=model, split=split, created_by=by)
    if model == Evaluation.Model.LINEAR:
        evaluation.encoding = _encoding_of(release)
    start(evaluation)
    return evaluation


def _encoding_of(release: Release) -> Encoding:
    """The encoding that a release was filtered with; of one that was not, the snapshot's latest."""
    if release.selection is not None:
        return FilterRun.objects.get(selection=release.selection).encoding
    encodings = release.snapshot.encodings.exclude(status__in=Encoding.RESUMABLE)
    encoding = encodings.filter(tuning=None).order_by("-pk").first()
    if encoding is None:
        raise DomainError(
            "no_encoding",
            "The linear model reads an encoding; encode the snapshot first.",
            status=409,
        )
    return encoding


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
    snapshot = corpora.take_snapshot(campaign=campaign, by=by)
    encoding = filtering.encode(snapshot=snapshot, by=by)
    filter_run = filtering.start_filter_run(encoding=encoding, by=by)
    release = corpora.build_release(
        snapshot=snapshot, selection=filter_run.selection, name=release_name, by=by
    )
    evaluations = tuple(
        evaluate(release=release, model=model, split=Evaluation.Split.DEV, by=by)
        for model in Evaluation.Model.values
    )
    return Pipeline(snapshot, encoding, filter_run, release, evaluations)
