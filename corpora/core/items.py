"""The stored form of a question: a sentence, its options, and the group it belongs to."""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, get_args

from corpora.core.possessives import has_ending, is_possessive, possessive

BLANK = "_"
Form = Literal["blank", "pronoun", "truth", "premise", "statement"]
RELATIONS = ("cause", "effect")
TRUTH = ("true", "false")
FIXED_OPTIONS = {"truth": TRUTH, "statement": ("yes", "no")}
"""The options of forms whose options say nothing by their order."""
# A sentence starts at the beginning of the text or after a full stop, with quotes in between.
_AT_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s)\s*[\"'“‘(]*$")
_ENDING = re.compile(r"['’]s\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question of a snapshot or of a reference set.

    Parameters
    ----------
    id : str
        Unique in its set.
    group : str
        Shared by items that belong together: twins, triplets, perturbations of one sentence. An
        item without related ones has its own group.
    sentence : str
        Depends on the form: contains exactly one blank ``_``; the pronoun (forms 'pronoun' and
        'truth'); or is the premise or statement.
    options : tuple of str
        At least 2. For the form 'truth' always ``("true", "false")``, and for 'statement' always
        ``("yes", "no")``.
    answer : int, optional
        From 1 to the number of options; None if the label is unknown.
    form : {'blank', 'pronoun', 'truth', 'premise', 'statement'}
        'truth' asks whether ``candidate`` is what the pronoun refers to, 'premise' which option is
        the ``relation`` of the premise, 'statement' whether the sentence holds.
    span : tuple of int, optional
        Start and end of the pronoun, in characters; for the forms 'pronoun' and 'truth'.
    candidate : str, optional
        For the form 'truth'.
    relation : {'cause', 'effect'}, optional
        For the form 'premise'.
    metadata : mapping of str to JSON value
        For example the domain; no algorithm reads it.

    Raises
    ------
    ValueError
        When a field violates a rule of the form.
    """

    id: str
    group: str
    sentence: str
    options: tuple[str, ...]
    answer: int | None = None
    form: Form = "blank"
    span: tuple[int, int] | None = None
    candidate: str | None = None
    relation: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _require_types(self)
        k = len(self.options)
        if k < 2 or len(set(self.options)) < k:
            raise ValueError(f"options must be at least 2, all different, got {self.options!r}")
        if self.answer is not None and self.answer not in range(1, k + 1):
            raise ValueError(f"answer must be from 1 to {k}, got {self.answer!r}")
        if self.form not in get_args(Form):
            raise ValueError(f"form must be one of {get_args(Form)}, got {self.form!r}")
        if self.form == "blank":
            _require_one_blank(self.sentence)
        _require_span(self.form, self.span, self.sentence)
        if (self.candidate is not None) != (self.form == "truth"):
            raise ValueError(f"candidate must be given only for the form 'truth': {self.form!r}")
        fixed = FIXED_OPTIONS.get(self.form, self.options)
        if self.options != fixed:
            raise ValueError(f"options must be {fixed}, got {self.options!r}")
        if (self.relation in RELATIONS) != (self.form == "premise"):
            raise ValueError(
                f"relation must be one of {RELATIONS} for the form 'premise' only, "
                f"got {self.relation!r} for {self.form!r}"
            )

    @property
    def blanked(self) -> str:
        """The sentence with the pronoun, if it has one, replaced by a blank."""
        if self.span is None:
            return self.sentence
        return self.sentence[: self.span[0]] + BLANK + self.sentence[self.span[1] :]

    @property
    def gap(self) -> tuple[str, tuple[str, ...], str]:
        """The text before the gap, each option as it is inserted, and the text after it.

        An option in the place of a possessive pronoun is possessive. An option at the start of a
        sentence is capitalised, since ``the trophy`` and ``The trophy`` differ for cased encoders;
        an option that is capitalised already (a name) is never changed.

        Raises
        ------
        ValueError
            For the forms 'truth', 'premise' and 'statement', which have no place for an option.

        Examples
        --------
        >>> Item(id="a", group="a", sentence="Ann told Eve that her car is old.", form="pronoun",
        ...      options=("Ann", "Eve"), span=(18, 21)).gap
        ('Ann told Eve that ', ("Ann's", "Eve's"), ' car is old.')
        """
        before, after = self.around
        options, owners = self.options, self.owners
        if owners is None and _ENDING.match(after) and any(map(has_ending, options)):
            # A blank with an ending, and an option that has one already.
            owners, after = tuple(map(possessive, options)), after[2:]
        options = tuple(option.strip() for option in owners or options)
        if _AT_SENTENCE_START.search(before):
            options = tuple(option[:1].upper() + option[1:] for option in options)
        return before, options, after

    @property
    def around(self) -> tuple[str, str]:
        """The text before and after the blank or pronoun; ValueError for the other forms."""
        if self.form not in ("blank", "pronoun"):
            raise ValueError(f"an item of the form {self.form!r} has no place for an option")
        start = self.sentence.index(BLANK) if self.span is None else self.span[0]
        end = start + len(BLANK) if self.span is None else self.span[1]
        return self.sentence[:start], self.sentence[end:]

    @property
    def owners(self) -> tuple[str, ...] | None:
        """The possessive form of each option if the item has a possessive pronoun, else None."""
        if self.form != "pronoun" or self.span is None:
            return None
        before, after = self.around
        if not is_possessive(before, self.sentence[slice(*self.span)], after):
            return None
        owners = tuple(possessive(option.strip()) for option in self.options)
        return owners if len(set(owners)) == len(owners) else None

    @property
    def filled(self) -> tuple[str, ...]:
        """The sentence with its blank or pronoun replaced by each option; see `gap`.

        What follows a blank (``'s``, a comma) stays attached.

        Raises
        ------
        ValueError
            For the forms 'truth', 'premise' and 'statement', which have no place for an option.

        Examples
        --------
        >>> Item(id="a", group="a", sentence="The plant outgrew the _'s rim.",
        ...      options=("pot", "vase")).filled
        ("The plant outgrew the pot's rim.", "The plant outgrew the vase's rim.")
        """
        before, options, after = self.gap
        return tuple(before + option + after for option in options)

    def to_line(self) -> str:
        """Return the item's canonical JSON line: sorted keys, no spaces, no newline.

        Absent fields are omitted. Equal items give equal lines, so a hash of the lines identifies
        the content of a set.
        """
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        parts = {name: value for name, value in values.items() if value not in (None, {})}
        return json.dumps(parts, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

    @classmethod
    def from_line(cls, line: str) -> Self:
        """Parse a line written by `to_line`; ValueError names a missing or unknown field."""
        try:
            return cls.from_values(json.loads(line))
        except json.JSONDecodeError as error:
            raise ValueError(f"line must be an item as JSON: {error}") from error

    @classmethod
    def from_values(cls, values: Any) -> Self:
        """Return the item with these JSON values; ValueError names a missing or unknown field."""
        _require_fields(values, {f.name for f in fields(cls)})
        read = dict(values)
        for name in ("options", "span"):
            if isinstance(read.get(name), list):
                read[name] = tuple(read[name])
        try:
            return cls(**read)
        except (TypeError, AttributeError) as error:
            raise ValueError(f"line must be an item as JSON: {error}") from error


def composed(text: str) -> str:
    """Return a text with its accented letters in one form (NFC): a decomposed one looks the same.

    >>> len(composed("cafe\u0301"))
    4
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def composed_item(item: Item) -> Item:
    """Return an item whose texts are `composed`, so that its options are found in its sentence.

    Ids and metadata stay, and the span stays at its words.
    """
    start, end = item.span or (0, 0)
    before, word = composed(item.sentence[:start]), composed(item.sentence[start:end])
    return replace(
        item,
        sentence=before + word + composed(item.sentence[end:]),
        options=tuple(map(composed, item.options)),
        span=item.span and (len(before), len(before) + len(word)),
        candidate=item.candidate and composed(item.candidate),
    )


def _require_fields(values: Any, names: set[str]) -> None:
    if not isinstance(values, dict):
        raise ValueError("line must be an item as JSON, an object")
    if unknown := sorted(values.keys() - names):
        raise ValueError(f"line must be an item, which has no {', '.join(unknown)}")
    if missing := sorted({"id", "group", "sentence", "options"} - values.keys()):
        raise ValueError(f"line must be an item; it lacks {', '.join(missing)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinItem(Item):
    """An item of a snapshot, as filters and releases require it: a blank, two options, an answer.

    Raises
    ------
    ValueError
        When it has another form, more options or no answer.
    """

    options: tuple[str, str]
    answer: int

    def __post_init__(self) -> None:
        Item.__post_init__(self)
        if self.form != "blank" or len(self.options) != 2 or self.answer is None:
            raise ValueError(
                f"a question of a twin has a blank, two options and an answer, got form "
                f"{self.form!r}, options {self.options!r} and answer {self.answer!r}"
            )


def _require_types(item: Item) -> None:
    """Refuse values that JSON can represent but an item cannot have."""
    for name in ("id", "group", "sentence"):
        value = getattr(item, name)
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise ValueError(f"{name} must be a non-empty string, got {value!r}")
    if type(item.options) is not tuple or not all(
        isinstance(option, str) for option in item.options
    ):
        raise ValueError(f"options must be strings, got {item.options!r}")
    if item.answer is not None and type(item.answer) is not int:
        raise ValueError(f"answer must be a whole number, got {item.answer!r}")
    if item.span is not None and not all(type(end) is int for end in item.span):
        raise ValueError(f"span must be whole numbers, got {item.span!r}")
    for name in ("candidate", "relation"):
        if not isinstance(getattr(item, name), str | None):
            raise ValueError(f"{name} must be a string, got {getattr(item, name)!r}")
    if not isinstance(item.metadata, Mapping):
        raise ValueError(f"metadata must be an object, got {item.metadata!r}")


def _require_one_blank(sentence: str) -> None:
    if sentence.count(BLANK) != 1:
        raise ValueError(f"sentence must contain exactly one blank '_', got {sentence!r}")


def _require_span(form: str, span: tuple[int, int] | None, sentence: str) -> None:
    if form not in ("pronoun", "truth"):
        if span is not None:
            raise ValueError(f"span must be omitted for the form {form!r}, got {span!r}")
    elif span is None or len(span) != 2 or not 0 <= span[0] < span[1] <= len(sentence):
        raise ValueError(
            f"span must be within the sentence of {len(sentence)} characters: {span!r}"
        )
