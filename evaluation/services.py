"""Actions of curators: evaluations and the pipeline."""

from dataclasses import dataclass

from django.db import transaction

from collection.models import Campaign
from corpora import services as corpora
from corpora.models import ReferenceSet, Release, Snapshot
from evaluation.models import Evaluation
from filtering import services as filtering
from filtering.models import Encoding, FilterRun
from winoplatform.errors import DomainError
from winoplatform.runs.models import Run
from winoplatform.runs.start import start
from workers.models import User

SCORED_SPLITS = ("dev", "test")
# The models that a pipeline evaluates.
STARTING_MODELS = (Evaluation.Model.MAJORITY, Evaluation.Model.LINEAR)


@transaction.atomic
def evaluate(
    *,
    model: str,
    split: str,
    by: User | None,
    release: Release | None = None,
    reference_set: ReferenceSet | None = None,
    seed: int = 0,
) -> Evaluation:
    """Request the evaluation of a model on one split of a release or reference set."""
    if reference_set is not None:
        _refuse_unscorable(reference_set, model=model, split=split)
    elif split not in SCORED_SPLITS:
        raise DomainError("split_unknown", "A release is scored on its split dev or test.")
    evaluation = Evaluation(
        release=release,
        reference_set=reference_set,
        model=model,
        split=split,
        seed=seed,
        created_by=by,
    )
    if release is not None and model == Evaluation.Model.LINEAR:
        evaluation.encoding = _encoding_of(release)
    start(evaluation)
    return evaluation


def _refuse_unscorable(reference_set: ReferenceSet, *, model: str, split: str) -> None:
    if model == Evaluation.Model.LINEAR:
        raise DomainError(
            "no_encoding", "The linear model reads an encoding; reference sets have none."
        )
    row = reference_set.splits.filter(name=split).first()
    if row is None:
        raise DomainError("split_unknown", f"{reference_set} has no split “{split}”.")
    if row.n_labelled < row.n_items:
        raise DomainError(
            "labels_unknown", f"The answers of {row} are not all known, so it cannot be scored."
        )


def _encoding_of(release: Release) -> Encoding:
    """Return the encoding that a release was filtered with, else the snapshot's latest."""
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
def start_pipeline(*, campaign: Campaign, release_name: str, by: User | None) -> Pipeline:
    """Queue every stage; each starts when the one before it is done."""
    snapshot = corpora.take_snapshot(campaign=campaign, by=by)
    encoding = filtering.encode(snapshot=snapshot, by=by)
    filter_run = filtering.start_filter_run(encoding=encoding, by=by)
    release = corpora.build_release(
        snapshot=snapshot, selection=filter_run.selection, name=release_name, by=by
    )
    evaluations = tuple(
        evaluate(release=release, model=model, split="dev", by=by) for model in STARTING_MODELS
    )
    return Pipeline(snapshot, encoding, filter_run, release, evaluations)
