"""The forms of items, and items as texts with a gap."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpora.core.items import BLANK, Item
from modeling.scoring import Cloze


def pronoun_of(item: Item) -> str:
    """Return the pronoun of an item of the form 'pronoun' or 'truth'.

    Raises
    ------
    ValueError
        For the other forms, which have none.
    """
    if item.span is None:
        raise ValueError(f"item {item.id!r} of the form {item.form!r} has no pronoun")
    return item.sentence[item.span[0] : item.span[1]]


def to_blank(item: Item) -> Item:
    """Replace the pronoun by a blank; an item with a blank is returned as it is.

    In the place of a possessive pronoun the blank has the ending of the options, ``_'s``; where
    they take different endings, the options have them (see `Item.gap`).

    Raises
    ------
    ValueError
        For the forms 'truth', whose options are in several items, and 'premise'; and where the
        sentence contains an underscore already.

    Examples
    --------
    >>> item = Item(id="a", group="a", sentence="Ann told Eve that she won.", form="pronoun",
    ...             options=("Ann", "Eve"), span=(18, 21))
    >>> to_blank(item).sentence
    'Ann told Eve that _ won.'
    """
    if item.form == "blank":
        return item
    _require_form(item, "pronoun")
    before, after = item.around
    options, ending = item.options, ""
    if item.owners is not None:
        changed = [(o, name) for o, name in zip(item.owners, options, strict=True) if o != name]
        endings = {owner.removeprefix(name) for owner, name in changed}
        if endings == {"'s"} or (endings == {"'"} and len(changed) == len(options)):
            ending = endings.pop()
        else:
            options = item.owners
    sentence = before + BLANK + ending + after
    return replace(item, form="blank", sentence=sentence, options=options, span=None)


def to_reading(item: Item) -> Item:
    """Turn a true/false item into a choice of readings: the candidate, or the pronoun as it stands.

    Parameters
    ----------
    item : Item
        Of the form 'truth'.

    Returns
    -------
    Item
        Of the form 'pronoun', with the options candidate and pronoun, for the answers true and
        false. Filled in for a possessive pronoun, the candidate is possessive (see `Item.gap`).

    Raises
    ------
    ValueError
        For any other form, and for a candidate that equals the pronoun.

    Notes
    -----
    Replacing the pronoun by the candidate is the step of Trinh and Le (2018), and of WNLI (Wang et
    al., GLUE, 2019). They compare candidates with each other; an item that names one candidate has
    the sentence with its pronoun as the competing reading.

    Examples
    --------
    >>> item = Item(id="a", group="a", sentence="Ann saw his dog.", form="truth", span=(8, 11),
    ...             options=("true", "false"), candidate="Bob", answer=2)
    >>> to_reading(item).options, to_reading(item).filled
    (('Bob', 'his'), ("Ann saw Bob's dog.", 'Ann saw his dog.'))
    """
    _require_form(item, "truth")
    options = (item.candidate or "", pronoun_of(item))
    return replace(item, form="pronoun", options=options, candidate=None)


def _require_form(item: Item, form: str) -> None:
    if item.form != form:
        raise ValueError(f"item {item.id!r} must be of the form {form!r}, got {item.form!r}")


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
    items_read = [to_reading(item) if readings and item.form == "truth" else item for item in items]
    return [_cloze(item) for item in items_read]


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
