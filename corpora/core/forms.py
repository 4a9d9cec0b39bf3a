"""Conversions between the forms of one question: a blank, a pronoun, and true or false.

A conversion changes the form only: sentence, options, answer, group and metadata mean the same
before and after.
"""

from __future__ import annotations

from dataclasses import replace

from corpora.core.items import BLANK, Item


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
