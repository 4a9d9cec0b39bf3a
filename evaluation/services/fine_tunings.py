"""Requests for fine-tuned models."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from corpora.core.bundle.layout import BLIND, DEV
from corpora.models import ReferenceSet, Release
from corpora.services import refuse_unlabelled, refuse_unpermitted
from evaluation.models import FineTuning
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import User


@dataclass(frozen=True, slots=True)
class SplitOf:
    """A split, or several joined by ``+``, of a release or of a reference set."""

    split: str
    release: Release | None = None
    reference_set: ReferenceSet | None = None


@transaction.atomic
def fine_tune(
    *, by: User | None, model: str, train: SplitOf, dev: SplitOf | None = None, **settings: Any
) -> FineTuning:
    """Request a fine-tuned model; *settings* are columns of `FineTuning`.

    Without *dev*, it is the dev split of the set that is trained on, if it has one that is not
    trained on itself; without any, the last epoch's weights are kept.

    Raises
    ------
    DomainError
        When the model is not permitted, a split is unknown, blind or not labelled, or the model to
        start from is another one.
    ValidationError
        When a setting is out of its range, or the same fine-tuning is under way.
    """
    planned = plan_fine_tuning(model=model, train=train, dev=dev or usual_dev(train), **settings)
    planned.created_by = by
    start(planned)
    return planned


def plan_fine_tuning(
    *, model: str, train: SplitOf, dev: SplitOf | None = None, **settings: Any
) -> FineTuning:
    """Return a fine-tuning that is not stored; raises as `fine_tune`."""
    planned = FineTuning(
        model=model.strip(),
        release=train.release,
        reference_set=train.reference_set,
        train_split=train.split,
        dev_release=dev.release if dev else None,
        dev_reference_set=dev.reference_set if dev else None,
        dev_split=dev.split if dev else "",
        **settings,
    )
    if dev is None:
        planned.keep, planned.patience = FineTuning.KeepRule.FINAL, None
    refuse_untrainable(planned)
    return planned


def usual_dev(train: SplitOf) -> SplitOf | None:
    """Return the dev split of a set, unless it has none or is trained on it."""
    if DEV in train.split.split("+"):
        return None
    of = train.reference_set
    if of and DEV not in {row.name for row in of.splits.all()}:
        return None
    return SplitOf(DEV, train.release, train.reference_set)


def refuse_untrainable(run: FineTuning) -> None:
    """Refuse what cannot or must not be learned from, each for its own reason."""
    _refuse_blind(run)
    if run.reference_set is not None:
        for split in run.train_splits:
            refuse_unlabelled(run.reference_set, split)
        _refuse_size(run)
    if run.dev_reference_set is not None:
        refuse_unlabelled(run.dev_reference_set, run.dev_split)
    _refuse_dev_in_train(run)
    if run.before is not None:
        _refuse_other(run, run.before)
    if not run.model:
        raise DomainError("model_missing", "Name the model to fine-tune.")
    refuse_unpermitted(run.model)


def _refuse_blind(run: FineTuning) -> None:
    trained = run.train_splits if run.release is not None else ()
    chosen = (run.dev_split,) if run.dev_release is not None else ()
    if BLIND in (*trained, *chosen):
        raise DomainError(
            "split_blind",
            "The answers of a release’s test split are blind: no model is trained on them or "
            "chosen by them. Train on a training set, and choose on dev.",
        )


def _refuse_size(run: FineTuning) -> None:
    assert run.reference_set is not None
    rows = run.reference_set.splits.all()
    n = sum(row.n_items for row in rows if row.name in run.train_splits)
    if run.size is not None and run.size > n:
        raise DomainError(
            "size_too_large", f"{run.data_name} asks for {run.size:,} of {n:,} questions."
        )


def _refuse_dev_in_train(run: FineTuning) -> None:
    same = (run.release, run.reference_set) == (run.dev_release, run.dev_reference_set)
    if run.dev_split and same and run.dev_split in run.train_splits:
        raise DomainError(
            "dev_in_train",
            f"The model would be trained on {run.dev_split} and chosen by it; choose by another "
            "split, or keep the last epoch’s weights without dev questions.",
        )


def _refuse_other(run: FineTuning, before: FineTuning) -> None:
    if (run.model, run.loss, run.form) != (before.model, before.loss, before.form):
        raise DomainError(
            "before_differs",
            "A fine-tuned model is trained on with its own model, loss and form: "
            f"{before.model_name}, {before.loss}, {before.form}.",
        )
