"""What every request about a split or with a model is refused for."""

from corpora.loading import EncoderRefused, permitted
from corpora.models import WHOLE, ReferenceSet, Snapshot
from winoplatform.errors import DomainError


def usual_split(reference_set: ReferenceSet | None, snapshot: Snapshot | None) -> str:
    """Return dev, the only split of a reference set, or “all” of a snapshot."""
    if snapshot is not None:
        return WHOLE
    names = list(reference_set.splits.values_list("name", flat=True)) if reference_set else []
    return names[0] if len(names) == 1 else "dev"


def refuse_unlabelled(reference_set: ReferenceSet, split: str) -> None:
    """Refuse a split that the set does not have, or whose answers are not all known."""
    # All rows, which are few: a form that plans many runs has read them already.
    row = next((row for row in reference_set.splits.all() if row.name == split), None)
    if row is None:
        raise DomainError("split_unknown", f"The set “{reference_set}” has no split “{split}”.")
    if row.n_labelled < row.n_items:
        raise DomainError(
            "labels_unknown", f"The answers of {row} are not all known, so it cannot be scored."
        )


def refuse_unpermitted(model: str) -> None:
    try:
        if model:
            permitted(model)
    except EncoderRefused as error:
        raise DomainError("model_refused", str(error)) from error
    except ValueError as error:
        raise DomainError("model_unknown", f"This model cannot be used: {error}") from error
