"""Systems whose predictions are uploaded, and the sets they answer."""

import io
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import IO, Any

from django.db import transaction

from corpora.models import ReferenceSet, Release, Snapshot
from corpora.selectors import labelled, load_items
from corpora.services import derive_reference_set, usual_split
from evaluation import loading
from evaluation.methods.predictions import PREDICTIONS
from evaluation.models import Evaluation
from evaluation.services.evaluations import refuse_unscorable
from training.core.drawing import parted
from training.core.transfer import DERIVED, SEED, Derived
from winoplatform.artifacts import store
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import start
from workers.models import User


def set_named(name: str, *, by: User | None) -> ReferenceSet | None:
    """Return a set by its name; a derived one is made of its source, if that is here.

    Raises
    ------
    DomainError
        When the source does not have the published number of questions.
    """
    reference_set = ReferenceSet.objects.filter(name=name).first()
    if reference_set is not None or name not in DERIVED:
        return reference_set
    derived = DERIVED[name]
    of = ReferenceSet.objects.filter(name=derived.of).first()
    return _derive(derived, of, by=by) if of is not None else None


def _derive(derived: Derived, of: ReferenceSet, *, by: User | None) -> ReferenceSet | None:
    row = of.splits.filter(name=derived.split).first()
    if row is None:
        return None
    items = [
        item
        for item in load_items(row)
        if all(item.metadata.get(name) == value for name, value in derived.only.items())
    ]
    try:
        train, dev = parted(items, n_train=derived.n_train, n_dev=derived.n_dev, seed=SEED)
    except ValueError as error:
        raise Conflict(
            "size_differs", f"{derived.title} needs the published files of “{of.name}”: {error}."
        ) from error
    return derive_reference_set(
        name=derived.name,
        title=derived.title,
        of=of,
        splits={"train": train, "dev": dev},
        by=by,
    )


@transaction.atomic
def store_predictions(*, file: IO[bytes], by: User | None, **asked: Any) -> Evaluation:
    """Store predictions that a system made elsewhere, and request their metrics.

    Parameters are those of `examine_predictions`, whose errors it raises.

    Raises
    ------
    ValidationError
        Also when the same file is being scored for this system.
    """
    evaluation = examine_predictions(file=file, **asked)
    evaluation.created_by = by
    evaluation.upload = store.put_file(file)
    start(evaluation)
    return evaluation


def examine_predictions(
    *,
    file: IO[bytes],
    system_name: str,
    release: Release | None = None,
    reference_set: ReferenceSet | None = None,
    snapshot: Snapshot | None = None,
    split: str = "",
    **how: str,
) -> Evaluation:
    """Return an evaluation of predictions that is not stored, with the report on their file.

    Parameters
    ----------
    file : binary file, seekable
        UTF-8 text; not closed.
    system_name : str
        What made them, at most 100 characters.
    how
        Format, id_column, prediction_column and size, as in
        `evaluation.core.predictions.read_predictions`.

    Raises
    ------
    DomainError
        When the file cannot be read, the set is not ready, or the split is unknown or not labelled.
    ValidationError
        When the name is empty or too long, or not exactly one set is named.
    """
    evaluation = Evaluation(
        release=release,
        reference_set=reference_set,
        snapshot=snapshot,
        split=split or usual_split(reference_set, snapshot),
        method=PREDICTIONS,
        system_name=" ".join(system_name.split()),
    )
    evaluation.full_clean(exclude={"upload"}, validate_constraints=False)
    refuse_unscorable(evaluation)
    evaluation.report = _report(evaluation, file, how)
    return evaluation


def _report(evaluation: Evaluation, file: IO[bytes], how: dict[str, str]) -> dict[str, Any]:
    """Return what a file of predictions contains, and how to read it again."""
    data = evaluation.input_run
    if data is not None and data.status != RunStatus.DONE:
        raise Conflict("data_not_ready", f"The {data} is not done yet.")
    # As in stored reports: every argument, also those that are empty.
    how = {"format": "", "size": "", "id_column": "", "prediction_column": ""} | how
    items = [replace(item, answer=None) for item in labelled(evaluation).items]
    file.seek(0)
    content = io.BytesIO(file.read())
    try:
        report = loading.predictions(content, items, **how).report
    except ValueError as error:
        raise DomainError(
            "predictions_unreadable", f"The file cannot be used: {str(error).rstrip('.')}."
        ) from error
    values = {field.name: getattr(report, field.name) for field in fields(report)}
    # Without the counters' type, of which JSON knows nothing.
    return {"read_as": how} | {
        name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()
    }
