"""Rules of every table with rows about one split of a set, or about a whole snapshot."""

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import BLIND as BLIND_SPLIT
from corpora.core.transformations import TRANSFORMATIONS

WHOLE = "all"


OF_ONE_SET = (
    Q(release__isnull=False, reference_set=None, snapshot=None)
    | Q(release=None, reference_set__isnull=False, snapshot=None)
    | Q(release=None, reference_set=None, snapshot__isnull=False)
)


# A snapshot contains the questions that its releases have in the blind split.
BLIND = Q(release__isnull=False, split=BLIND_SPLIT) | Q(snapshot__isnull=False)


def known_transformation(name: str) -> None:
    """Validate the name of a transformation."""
    require_known("transformation", name, TRANSFORMATIONS)


def require_known(column: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise ValidationError(
            _("The %(column)s is one of: %(names)s."),
            params={"column": column, "names": ", ".join(known) or "none"},
        )
