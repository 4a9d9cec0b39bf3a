"""Tables of questions, and the answers of their lines."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from corpora.core.items import TRUTH, Item, composed
from corpora.core.readers.lines import at_line, json_value
from corpora.core.readers.records import Source, as_word, label_from_zero, one_blank, table_records
from tabular import is_unknown, whole_number

_ANSWERS = {"true": 1, "false": 2, "yes": 1, "no": 2}
_LABELS = {"1": 1, "0": 2, "true": 1, "false": 2}
_LETTER = re.compile(r"\(?([A-Za-z])[.)]?")


def answer_of(answer: Any, label: Any, options: Sequence[str]) -> int | None:
    """Return an answer as the option's number from 1; None if neither answer nor label tells it.

    An answer or label that is empty, -1 or NaN is unknown.

    Parameters
    ----------
    answer : JSON value
        An option's text, its letter (``B``, ``b.``, ``(B)``), or its number from 1 (``2``,
        ``2.0``). For a true/false question, true or false, yes or no.
    label : JSON value
        The option's number from 0. For a true/false question, 1 or true, 0 or false.
    options : sequence of str

    Raises
    ------
    ValueError
        When both are given, when one names no option, and when an answer names one option as a text
        and another one as a letter or number.

    Examples
    --------
    >>> [answer_of(one, None, ("cup", "jar")) for one in ("jar", "b.", "2", 2)]
    [2, 2, 2, 2]
    >>> answer_of(None, 1, ("cup", "jar")), answer_of(None, 1, ("true", "false"))
    (2, 1)
    """
    is_given = [not is_unknown(value) or value in options for value in (answer, label)]
    if not any(is_given):
        return None
    if all(is_given):
        raise ValueError(f"either answer or label must be given, got {answer!r} and {label!r}")
    if tuple(options) == TRUTH:
        return (
            _truth(answer, _ANSWERS, "answer") if is_given[0] else _truth(label, _LABELS, "label")
        )
    return _named(answer, options) if is_given[0] else label_from_zero(label, k=len(options))


def _truth(value: Any, positions: Mapping[str, int], name: str) -> int:
    number = whole_number(value)
    text = str(value if number is None else number).strip().casefold()
    if text not in positions:
        raise ValueError(f"{name} must be {' or '.join(positions)}, got {text!r:.80}")
    return positions[text]


def _named(answer: Any, options: Sequence[str]) -> int:
    """Return the only option that the answer names in any of the three ways."""
    text = str(answer).strip()
    number, letter = whole_number(answer), _LETTER.fullmatch(text)
    named = {n for n, option in enumerate(options, 1) if option == text}
    if number is not None:
        named.add(number)
    if letter:
        named.add(ord(letter[1].upper()) - ord("A") + 1)
    inside = named & set(range(1, len(options) + 1))
    if isinstance(answer, bool) or not inside:
        raise ValueError(
            "answer must be the text of an option, its letter, or its number from 1 to "
            f"{len(options)}, got {answer!r:.80}"
        )
    if len(inside) > 1:
        raise ValueError(f"the answer {text!r} is the text of one option and names another one")
    return inside.pop()


FIELDS: Final = {
    "id": "unique in its split; without it, items are numbered q1, q2 and so on",
    "group": "shared by questions that belong together",
    "sentence": "required; with one blank _, or with the pronoun, or the premise",
    "options": "required, except with a candidate: one column with a list (JSON, or separated by "
    "|), or several columns separated by commas; by default also option1, option2 and so on",
    "answer": "an option's text, its letter, or its number from 1; true or false (yes or no) for a "
    "candidate",
    "label": "instead of answer: the option's number from 0; 1 for a true candidate",
    "pronoun": "its text; if the sentence has it several times, mark one [it]",
    "candidate": "what the pronoun may refer to; makes it a true/false question",
    "relation": "cause or effect; makes the sentence a premise",
    "metadata": "further columns to keep, separated by commas",
}
"""What a column of a table can be, with its meaning for people."""


# Other names of a field, as Hugging Face's sets have them.
ALIASES: Final = {"sentence": ("text",), "options": ("choices",)}
_OPTION = re.compile(r"(?:option|choice)[\s_-]*(\d{1,2})", re.IGNORECASE)
_PLACES = ("pronoun_loc",)
_NUMBERED = tuple(f"{name}{n}" for name in ("option", "choice") for n in range(1, 9))


def read_table(lines: Source, *, columns: Mapping[str, str] | None = None) -> Iterator[Item]:
    """Read questions from a table: CSV of any dialect, JSON lines or a JSON array.

    Parameters
    ----------
    lines : binary file or iterable of str
    columns : mapping of str to str, optional
        From a field (see ``FIELDS``) to the name of its column. A field that is not in the mapping
        is read from the column of its own name, if there is one; options also from ``option1``,
        ``option2`` and so on.

    Raises
    ------
    ValueError
        For a mapping that names an unknown field; and with the number of the first line that lacks
        a column, or is no question.

    Examples
    --------
    >>> lines = ["text;a;b;key", "The _ broke.;cup;jar;B"]
    >>> (item,) = read_table(lines, columns={"options": "a,b", "answer": "key"})
    >>> item.options, item.answer
    (('cup', 'jar'), 2)
    """
    names = dict(columns or {})
    if unknown := sorted(set(names) - set(FIELDS)):
        raise ValueError(f"columns must be of the fields {', '.join(FIELDS)}; got {unknown}")
    if empty := sorted(field for field, name in names.items() if not name.strip()):
        raise ValueError(f"columns must be named; without a name: {empty}")
    for number, record in enumerate(table_records(lines, _column_names(names)), 1):
        with at_line(record.line):
            item = _item(_Row(record.fields, names), f"q{number}")
        yield item


def _column_names(columns: Mapping[str, str]) -> list[str]:
    """Return the names of columns that are read."""
    mapped = [name.strip() for names in columns.values() for name in (names, *names.split(","))]
    own = ("sentence", "options", *(field for field in FIELDS if field not in columns))
    others = (name for names in ALIASES.values() for name in names)
    return list(dict.fromkeys([*mapped, *own, "option1", "option2", *others, *_NUMBERED, *_PLACES]))


class _Row:
    """The values of one line by field."""

    def __init__(self, values: Mapping[str, Any], columns: Mapping[str, str]) -> None:
        self.values = values
        self.columns = columns

    def value(self, field: str) -> Any:
        """Return a field's value; None if the field is not mapped and has no column."""
        if field in self.columns:
            return self.column(self.columns[field])
        names = (field, *ALIASES.get(field, ()))
        return next((self.values[name] for name in names if name in self.values), None)

    def column(self, name: str) -> Any:
        if name not in self.values:
            names = ", ".join(self.values)
            raise ValueError(f"there is no column “{name}”, only {names:.200}")
        return self.values[name]

    def names(self, field: str) -> list[str]:
        return [name.strip() for name in self.columns.get(field, field).split(",")]

    def text(self, field: str) -> str | None:
        """Return a field as text; None if it is empty or absent."""
        value = self.value(field)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{field} must be text, got {value!r:.80}")
        return composed((value or "").strip()) or None

    def answer(self) -> Any:
        value = self.value("answer")
        return composed(value) if isinstance(value, str) else value


def _item(row: _Row, number: str) -> Item:
    id = row.text("id") or number
    sentence, pronoun, candidate = row.text("sentence"), row.text("pronoun"), row.text("candidate")
    relation = row.text("relation")
    if sentence is None:
        names = ", ".join(row.values)
        raise ValueError(f"sentence is missing or empty; the columns are {names:.200}")
    if candidate is not None and pronoun is None:
        raise ValueError("a candidate needs the pronoun that may refer to it")
    span = None
    if pronoun is not None:
        sentence, span = _marked(sentence, pronoun, _place(row))
    elif relation is None:
        sentence = one_blank(sentence)
    options = TRUTH if candidate is not None else _options(row)
    return Item(
        id=id,
        group=row.text("group") or id,
        sentence=sentence,
        options=options,
        answer=answer_of(row.answer(), row.value("label"), options),
        form="truth" if candidate else "pronoun" if pronoun else "premise" if relation else "blank",
        span=span,
        candidate=candidate,
        relation=relation,
        metadata=_metadata(row),
    )


def _options(row: _Row) -> tuple[str, ...]:
    names = row.names("options")
    value = row.value("options") if len(names) == 1 else None
    several = names if len(names) > 1 else _numbered(row.values) if value is None else []
    values = [row.column(name) for name in several] if several else _list(value)
    filled = [value for value in values if value not in (None, "")]
    if not all(isinstance(value, str) for value in filled):
        raise ValueError(f"options must be texts, got {filled!r:.200}")
    return tuple(composed(value.strip()) for value in filled)


def _numbered(columns: Iterable[str]) -> list[str]:
    """Return the columns ``option1``, ``option2`` and so on, by number."""
    matches = {name: match for name in columns if (match := _OPTION.fullmatch(name.strip()))}
    return sorted(matches, key=lambda name: int(matches[name][1]))


def _list(value: Any) -> list[Any]:
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = json_value(value)
    if isinstance(value, str):
        return value.split("|")
    if not isinstance(value, list):
        raise ValueError(
            "options must be a list, or columns option1, option2 and so on, got "
            + ("none of them" if value is None else f"{value!r:.80}")
        )
    return value


def _metadata(row: _Row) -> Mapping[str, Any]:
    if "metadata" in row.columns:
        return {name: row.column(name) for name in row.names("metadata")}
    value = row.values.get("metadata")
    return value if isinstance(value, dict) else {}


def _place(row: _Row) -> int | None:
    """Return the place that a table gives of its pronoun, in the composed sentence."""
    place, sentence = whole_number(row.values.get("pronoun_loc")), row.value("sentence")
    if place is None or place < 0:
        return None
    return len(composed(str(sentence).lstrip()[:place]))


def _marked(sentence: str, pronoun: str, near: int | None) -> tuple[str, tuple[int, int]]:
    """Return the sentence without brackets, and where the pronoun stands."""
    if sentence.count(f"[{pronoun}]") == 1:
        start = sentence.index(f"[{pronoun}]")
        plain = sentence.replace(f"[{pronoun}]", pronoun)
        return plain, (start, start + len(pronoun))
    matches = list(as_word(pronoun).finditer(sentence))
    if near is not None:
        # Of Hugging Face's copy of the schemas; some of its places are a space before the word.
        matches = [match for match in matches if match.start() in (near, near + 1)][:1] or matches
    if len(matches) != 1:
        raise ValueError(
            f"the pronoun {pronoun!r} stands {len(matches)} times in {sentence!r:.200}"
            + (f"; mark one of them [{pronoun}]" if matches else "")
        )
    return sentence, matches[0].span()
