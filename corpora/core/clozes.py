"""Items as texts with a gap, which language models fill."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from corpora.core.forms import to_reading
from corpora.core.items import Item
from modeling.scoring import Cloze

# How a premise continues with its cause or its effect.
CONNECTIVES = {"cause": " because ", "effect": " so "}
DETERMINERS = ("A", "An", "The", "My", "Your", "His", "Her", "Its", "Our", "Their")


def clozes(items: Sequence[Item], *, readings: bool = False) -> list[Cloze]:
    """Return each item as a text with a gap: its blank, its pronoun, or what follows its premise.

    Options are inserted as in `Item.gap`: possessive in the place of a possessive pronoun, and
    capitalised at the start of a sentence. A capitalised determiner elsewhere is lower-cased: many
    sets list an option as ``The men`` that their sentences have as ``the men``. (On WSC273 this
    concerns 130 items, and it changes the accuracy of SmolLM2 from 53.8 % to 56.0 % for whole
    sentences.)

    A premise is continued by ``because`` or ``so`` and the option, with a small initial unless its
    first word is ``I``. (Roemmele, Bejan and Gordon, Choice of plausible alternatives, 2011, has
    two sentences; this is how language models are asked.)

    With *readings*, a true/false item is a choice between its candidate and its pronoun as it
    stands (`to_reading`), scores of which are those of true and false.

    Raises
    ------
    ValueError
        When an item has the form 'truth', which has no gap, and *readings* are not wanted.

    Examples
    --------
    >>> options = ("the box", "The Ann")
    >>> [start] = clozes([Item(id="a", group="a", sentence="_ is big.", options=options)])
    >>> start.before, start.options, start.after
    ('', ('The box', 'The Ann'), ' is big.')
    >>> [inside] = clozes([Item(id="a", group="a", sentence="See _.", options=options)])
    >>> inside.options
    ('the box', 'the Ann')
    """
    asked = [to_reading(item) if readings and item.form == "truth" else item for item in items]
    return [_cloze(item) for item in asked]


def _cloze(item: Item) -> Cloze:
    if item.form == "premise":
        return _continued(item)
    if item.form not in ("blank", "pronoun"):
        raise ValueError(
            f"This method fills a blank or a pronoun, and item {item.id!r} has the form "
            f"{item.form!r}. Use another method, or a version of the set with blanks."
        )
    item = replace(item, options=tuple(map(_with_small_determiner, item.options)))
    return Cloze(*item.gap)


def _continued(item: Item) -> Cloze:
    before = item.sentence.rstrip(" .!?") + CONNECTIVES[str(item.relation)]
    return Cloze(before, tuple(map(_with_small_initial, item.options)), "")


def _with_small_initial(option: str) -> str:
    first = re.split(r"[\s'’]", option, maxsplit=1)[0]
    return option if first == "I" else option[:1].lower() + option[1:]


def _with_small_determiner(option: str) -> str:
    first = option.split()[0] if option.split() else ""
    return option[:1].lower() + option[1:] if first in DETERMINERS else option


def require_rest(items: Sequence[Item], asked: Sequence[Cloze]) -> None:
    """Raise ValueError for the first item with nothing after its gap: partial scores need it."""
    for item, cloze in zip(items, asked, strict=True):
        if not cloze.after.strip():
            raise ValueError(
                f"Nothing follows the option in item {item.id!r}, so there is no text after it to "
                "score. Use the variant for whole sentences."
            )
