"""Reference sets that published settings divide in their own way."""

from corpora.models import ReferenceSet
from corpora.selectors import load_items
from corpora.services import derive_reference_set
from training.core.drawing import parted
from training.core.transfer import DERIVED, SEED, Derived
from winoplatform.errors import DomainError
from workers.models import User


def set_named(name: str, *, by: User | None) -> ReferenceSet | None:
    """Return a set by its name; a derived one is made of its source, if that is here.

    Raises
    ------
    DomainError
        When the source does not have the published number of questions.
    """
    found = ReferenceSet.objects.filter(name=name).first()
    if found is not None or name not in DERIVED:
        return found
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
        raise DomainError(
            "size_differs",
            f"{derived.title} needs the published files of “{of.name}”: {error}.",
            status=409,
        ) from error
    return derive_reference_set(
        name=derived.name,
        title=derived.title,
        of=of,
        splits={"train": train, "dev": dev},
        by=by,
    )
