"""The attribute table, which helps writers to find a trigger; it is replaced as a whole."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from collection.models import Attribute, Campaign

ROWS_MOST, PAIRS_MOST, WORDS_MOST = 500, 40, 60
SHIPPED = Path(__file__).resolve().parents[2] / "starter" / "attributes.json"


@dataclass(frozen=True, slots=True)
class AttributeRow:
    """One row of the table: an attribute with pairs of contrasting words or phrases."""

    name: str
    domain: str
    pairs: tuple[tuple[str, str], ...]


@cache
def default_attributes() -> tuple[AttributeRow, ...]:
    """Return the default table, which every new campaign starts with."""
    rows = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return tuple(
        AttributeRow(row["name"], row["domain"], tuple((a, b) for a, b in row["pairs"]))
        for row in rows
    )


@transaction.atomic
def set_attributes(*, campaign: Campaign, rows: Sequence[AttributeRow]) -> list[Attribute]:
    """Replace the attribute table of a campaign with *rows*."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    made = _checked(campaign, rows)
    campaign.attributes.all().delete()
    return Attribute.objects.bulk_create(made)


def _checked(campaign: Campaign, rows: Sequence[AttributeRow]) -> list[Attribute]:
    if len(rows) > ROWS_MOST:
        raise ValidationError(_("A table can have at most %d attributes.") % ROWS_MOST)
    named: set[str] = set()
    made = []
    for row in rows:
        if row.name.casefold() in named:
            raise ValidationError(_("The table contains “%s” twice.") % row.name)
        named.add(row.name.casefold())
        _refuse_odd_pairs(row)
        pairs = [list(pair) for pair in row.pairs]
        attribute = Attribute(campaign=campaign, name=row.name, domain=row.domain, pairs=pairs)
        attribute.clean_fields(exclude={"campaign"})
        made.append(attribute)
    return made


def _refuse_odd_pairs(row: AttributeRow) -> None:
    if not 1 <= len(row.pairs) <= PAIRS_MOST:
        message = _("“%(name)s” needs 1 to %(most)d pairs of words.")
        raise ValidationError(message % {"name": row.name, "most": PAIRS_MOST})
    for first, second in row.pairs:
        if not (first.strip() and second.strip()) or first.casefold() == second.casefold():
            message = _("In “%s” a pair needs two different words or phrases.")
            raise ValidationError(message % row.name)
        if max(len(first), len(second)) > WORDS_MOST:
            message = _("In “%(name)s” words or phrases can have at most %(most)d characters.")
            raise ValidationError(message % {"name": row.name, "most": WORDS_MOST})
