"""Reads of the attribute table."""

from collection.models import Attribute, Campaign


def search_attributes(campaign: Campaign, *, query: str = "", domain: str = "") -> list[Attribute]:
    """Return the rows of a campaign's table that match *query*, best matches first.

    Parameters
    ----------
    query
        Part of an attribute's name or of a trigger word; empty for all.
    domain
        ``social`` or ``physical`` leaves out rows that only fit the other one.
    """
    # A table is small (at most 500 rows), so all of it is read and ranked here.
    rows = Attribute.objects.filter(campaign=campaign).order_by("name")
    if domain in (Attribute.Domain.SOCIAL, Attribute.Domain.PHYSICAL):
        rows = rows.filter(domain__in=[domain, Attribute.Domain.BOTH])
    wanted = " ".join(query.split()).casefold()
    ranked = [(_distance(attribute, wanted), attribute) for attribute in rows]
    near = [(distance, attribute) for distance, attribute in ranked if distance is not None]
    return [attribute for _, attribute in sorted(near, key=lambda pair: pair[0])]


def _distance(attribute: Attribute, wanted: str) -> int | None:
    """0 if the name starts with *wanted*, 1 if it contains it; 2 and 3 for words; else None."""
    name = attribute.name.casefold()
    words = [word.casefold() for pair in attribute.pairs for word in pair]
    if name.startswith(wanted):
        return 0
    if wanted in name:
        return 1
    if any(word.startswith(wanted) for word in words):
        return 2
    return 3 if any(wanted in word for word in words) else None
