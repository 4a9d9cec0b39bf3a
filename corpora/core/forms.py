"""Conversions between the forms of one question: a blank, a pronoun, and true or false.

A conversion changes the form only: sentence, options, answer, group and metadata mean the same
before and after, and each one has an inverse; `to_reading` is for scoring only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corpora.core.items import BLANK, TRUTH, Item


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
        For the forms 'truth', whose options are in several items (see `from_truth`), and
        'premise'; and where the sentence contains an underscore already.

    Examples
    --------
    >>> item = Item(id="a", group="a", sentence="Ann told Eve that she won.", form="pronoun",
    ...             options=("Ann", "Eve"), span=(18, 21))
    >>> to_blank(item).sentence
    'Ann told Eve that _ won.'
    >>> to_pronoun(to_blank(item), pronoun="she") == item
    True
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


def to_pronoun(item: Item, *, pronoun: str) -> Item:
    """Replace the blank by a pronoun; an item that has this pronoun is returned as it is.

    Parameters
    ----------
    item : Item
    pronoun : str
        As it is to stand in the sentence; the caller knows which one agrees with the options. A
        possessive one takes the place of the blank and the ending that it gave the options.

    Raises
    ------
    ValueError
        For the forms 'truth' and 'premise', for an empty pronoun or one with an underscore, and
        where the item has another pronoun.
    """
    if not pronoun.strip() or BLANK in pronoun:
        raise ValueError(f"pronoun must be a word without an underscore, got {pronoun!r}")
    if item.form == "pronoun" and pronoun_of(item) == pronoun:
        return item
    _require_form(item, "blank")
    before, after = item.around
    span = (len(before), len(before) + len(pronoun))

    def replaced(rest: str) -> Item:
        return replace(item, form="pronoun", sentence=before + pronoun + rest, span=span)

    for ending in ("'s", "'"):
        if after.startswith(ending):
            found = replaced(after.removeprefix(ending))
            if to_blank(found) == item:
                return found
    return replaced(after)


def to_truth(item: Item) -> list[Item]:
    """Ask about each option whether the pronoun refers to it.

    Parameters
    ----------
    item : Item
        Of the form 'pronoun'; give one with a blank its pronoun first (`to_pronoun`).

    Returns
    -------
    list of Item
        One per option, in their order, with the item's group. The ids are the item's with the
        option's number: ``q1.1``, ``q1.2``. If the answer is known, exactly one is true.

    Raises
    ------
    ValueError
        For any other form.

    Notes
    -----
    Source: Wang et al. 2019, SuperGLUE, §3, Winograd Schema Challenge.
    """
    _require_form(item, "pronoun")
    return [
        replace(
            item,
            id=f"{item.id}.{number}",
            form="truth",
            options=TRUTH,
            answer=None if item.answer is None else 1 if item.answer == number else 2,
            candidate=option,
        )
        for number, option in enumerate(item.options, 1)
    ]


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
    ...             options=TRUTH, candidate="Bob", answer=2)
    >>> to_reading(item).options, to_reading(item).filled
    (('Bob', 'his'), ("Ann saw Bob's dog.", 'Ann saw his dog.'))
    """
    _require_form(item, "truth")
    options = (item.candidate or "", pronoun_of(item))
    return replace(item, form="pronoun", options=options, candidate=None)


def from_truth(items: Sequence[Item]) -> Item:
    """Join the true/false items about one pronoun to one item of the form 'pronoun'.

    Parameters
    ----------
    items : sequence of Item
        Two or more of the form 'truth', with the same sentence, span and group and different
        candidates. Either all answers are unknown, or all are known and exactly one is true.

    Returns
    -------
    Item
        Its options are the candidates in the order given. It has the id that `to_truth` extended,
        or else the first id, and the metadata in which all items agree.

    Raises
    ------
    ValueError
        When the items are not such a sequence.
    """
    if len(items) < 2:
        raise ValueError(f"items must be at least 2, got {len(items)}")
    for item in items:
        _require_form(item, "truth")
    first = items[0]
    for name in ("sentence", "span", "group"):
        values = {getattr(item, name) for item in items}
        if len(values) > 1:
            raise ValueError(f"items must have one {name}, got {sorted(map(str, values))}")
    return replace(
        first,
        id=_common_id(items),
        form="pronoun",
        options=tuple(item.candidate or "" for item in items),
        answer=_only_true(items),
        candidate=None,
        metadata={
            name: value
            for name, value in first.metadata.items()
            if all(name in item.metadata and item.metadata[name] == value for item in items)
        },
    )


def _require_form(item: Item, form: str) -> None:
    if item.form != form:
        raise ValueError(f"item {item.id!r} must be of the form {form!r}, got {item.form!r}")


def _only_true(items: Sequence[Item]) -> int | None:
    """Return the number of the only true item; None if no answer is known."""
    answers = [item.answer for item in items]
    if set(answers) == {None}:
        return None
    if None in answers or answers.count(1) != 1:
        raise ValueError(
            f"exactly one of the items must be true, and all answers known, got {answers}"
        )
    return answers.index(1) + 1


def _common_id(items: Sequence[Item]) -> str:
    base = items[0].id.rpartition(".")[0]
    extended = [f"{base}.{number}" for number in range(1, len(items) + 1)]
    return base if base and [item.id for item in items] == extended else items[0].id
