"""The data that commands name."""

from typing import Any

from django.core.management.base import CommandError

from corpora.models import ReferenceSet, Release, Snapshot
from winoplatform.ids import as_uuid

DATA_HELP = "name of a reference set or of a release, or id of a snapshot"


def data_named(name: str, **others: Any) -> dict[str, Any]:
    """Return the set of a name, as the services' argument.

    *others* are data of other kinds that have the name, by their argument; None for none.

    Raises
    ------
    CommandError
        When there is none, or data of several kinds have the name.
    """
    data: dict[str, Any] = {
        "reference_set": ReferenceSet.objects.filter(name=name).first(),
        "release": Release.objects.named(name),
        "snapshot": Snapshot.objects.filter(public_id=name).first() if as_uuid(name) else None,
        **others,
    }
    kinds = [kind for kind, row in data.items() if row is not None]
    if not kinds:
        raise CommandError(f"There is no reference set, release or snapshot “{name}”.")
    if len(kinds) > 1:
        named = " and a ".join(kind.replace("_", " ") for kind in sorted(kinds))
        raise CommandError(f"A {named} are called “{name}”; use the API.")
    return {kinds[0]: data[kinds[0]]}
