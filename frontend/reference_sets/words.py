"""Reference sets in words."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora.core.items import Item
from corpora.core.readers import FORMATS, READERS

RELATIONS: dict[str | None, Any] = {
    "cause": later("What was the cause?"),
    "effect": later("What happened as a result?"),
}


def format_choices() -> list[tuple[str, str]]:
    """Return every format that can be imported, with what its files contain."""
    return [(name, ": ".join(filter(None, [name, FORMATS.get(name)]))) for name in sorted(READERS)]


def question_of(item: Item) -> str:
    """Return the question that an item asks beside its sentence; empty for a blank."""
    if item.form == "premise":
        return str(RELATIONS[item.relation])
    if item.span is None:
        return ""
    pronoun = item.sentence[slice(*item.span)]
    if item.form == "truth":
        names = {"pronoun": pronoun, "candidate": item.candidate}
        return _("Does “%(pronoun)s” refer to “%(candidate)s”?") % names
    return _("What does “%s” refer to?") % pronoun
