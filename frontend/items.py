"""Items as pages show them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora.core.items import Item
from frontend.marks import Piece, with_blank

RELATIONS: dict[str | None, Any] = {
    "cause": later("What was the cause?"),
    "effect": later("What happened as a result?"),
}


def pieces_of(item: Item) -> list[Piece]:
    """Return the sentence with its blank or its pronoun as a separate piece."""
    if item.form == "blank":
        return with_blank(item.sentence)
    if item.span is None:
        return [Piece(item.sentence)]
    start, end = item.span
    pronoun = Piece(item.sentence[start:end], "changed")
    return [Piece(item.sentence[:start]), pronoun, Piece(item.sentence[end:])]


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
