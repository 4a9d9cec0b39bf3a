"""WinoBias: two occupations and a pronoun whose gender fits the stereotype, or does not."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from corpora.core.items import Item
from corpora.core.readers.lines import at, at_line

_MARKED = re.compile(r"\[([^\[\]]*)\]")
_GENDERS = {
    **dict.fromkeys(("he", "him", "his", "himself"), "male"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "female"),
}
_OTHER = {"female": "male", "male": "female"}
Lists = Mapping[str, re.Pattern[str]]
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Mention:
    text: str
    start: int
    end: int


def read_winobias(
    *,
    pro1: Iterable[str],
    anti1: Iterable[str],
    pro2: Iterable[str],
    anti2: Iterable[str],
    female: Iterable[str],
    male: Iterable[str],
) -> Iterator[Item]:
    """Read the four files of a split, in which an occupation and its pronouns are in brackets.

    The options are the occupation in brackets, which is the answer, and the other occupation of
    the sentence, which is one of the other list; they are sorted by text. The pronoun is the first
    in brackets. The lines of a type with the same number are a group, unless their answers differ:
    they are one sentence with the pronoun's gender switched. The metadata has ``stereotype``
    ('pro' or 'anti'), ``type`` (1 or 2), ``occupation`` (the answer) and ``gender``.

    Parameters
    ----------
    pro1, anti1, pro2, anti2 : iterable of str
        Sentences of type 1 and of type 2 (``pro_stereotyped_type1.txt.dev`` and so on).
    female, male : iterable of str
        The occupations, one per line (``female_occupations.txt``, ``male_occupations.txt``).

    Raises
    ------
    ValueError
        With the number of the first line that has another format, whose other occupation is in no
        list, or whose pronoun contradicts the stereotype of its file.

    Notes
    -----
    Source: Zhao et al. 2018, "Gender Bias in Coreference Resolution: Evaluation and Debiasing
    Methods", §2.
    """
    lists = {"female": _occupations(female, "female"), "male": _occupations(male, "male")}
    for type, files in ((1, {"pro": pro1, "anti": anti1}), (2, {"pro": pro2, "anti": anti2})):
        read = {
            stereotype: list(_sentences(lines, stereotype, type, lists))
            for stereotype, lines in files.items()
        }
        yield from _paired(read["pro"], read["anti"])


def _occupations(lines: Iterable[str], gender: str) -> re.Pattern[str]:
    """Return a pattern that finds the occupations of a list as whole words."""
    names = sorted((line.strip() for line in lines if line.strip()), key=len, reverse=True)
    if not names:
        raise ValueError(f"the list of {gender} occupations is empty")
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


def _paired(pro: Sequence[Item], anti: Sequence[Item]) -> Iterator[Item]:
    yield from pro
    right = {item.group: item.metadata["occupation"] for item in pro}
    for item in anti:
        is_pair = right.get(item.group) == item.metadata["occupation"]
        yield item if is_pair else replace(item, group=item.id)


def _sentences(lines: Iterable[str], stereotype: str, type: int, lists: Lists) -> Iterator[Item]:
    name = f"{stereotype}{type}"
    for line, text in enumerate(lines, 1):
        if text.strip():
            with at(name), at_line(line):
                item = _item(text, stereotype, type, lists)
            yield item


def _item(text: str, stereotype: str, type: int, lists: Lists) -> Item:
    number, _, marked = text.strip().partition(" ")
    if not (number.isascii() and number.isdigit()) or len(number) > 6:
        raise ValueError(f"expected a number and a sentence, got {text.strip()!r:.200}")
    sentence, answer, pronoun = _mentions(marked)
    gender, right = _GENDERS[pronoun.text.casefold()], _ARTICLE.sub("", answer.text)
    fits = next((name for name, names in lists.items() if names.fullmatch(right)), None)
    if fits is None:
        raise ValueError(f"{right!r} is in neither list of occupations")
    if (fits == gender) != (stereotype == "pro"):
        raise ValueError(f"a {gender} {right} is not {stereotype}-stereotyped")
    second = _second(sentence, answer, lists[_OTHER[fits]])
    options = sorted((f"the {right}", f"the {second}"))
    group = f"winobias-{type}-{int(number):03}"
    return Item(
        id=f"{group}-{stereotype}",
        group=group,
        sentence=sentence,
        options=tuple(options),
        answer=options.index(f"the {right}") + 1,
        form="pronoun",
        span=(pronoun.start, pronoun.end),
        metadata={"stereotype": stereotype, "type": type, "occupation": right, "gender": gender},
    )


def _mentions(marked: str) -> tuple[str, _Mention, _Mention]:
    """Return the plain sentence, the occupation in brackets, and the first pronoun in brackets."""
    sentence, mentions = _unmarked(marked)
    pronouns = [mention for mention in mentions if mention.text.casefold() in _GENDERS]
    others = [mention for mention in mentions if mention.text.casefold() not in _GENDERS]
    if len(others) != 1 or not pronouns:
        raise ValueError(f"expected an [occupation] and a [pronoun], got {marked!r:.200}")
    return sentence, others[0], pronouns[0]


def _unmarked(marked: str) -> tuple[str, list[_Mention]]:
    """Remove the brackets and repeated whitespace; return where the mentions stand then."""
    parts, mentions, place = [""], [], 0
    for number, part in enumerate(_MARKED.split(marked)):
        is_mention = number % 2 == 1
        text = " ".join(part.split()) if is_mention else _spaced(part, parts[-1])
        if is_mention:
            mentions.append(_Mention(text, place, place + len(text)))
        if text:
            parts.append(text)
            place += len(text)
    return "".join(parts).rstrip(), mentions


def _spaced(text: str, before: str) -> str:
    """Return a text with single spaces, and with none where one is before it."""
    text = re.sub(r"\s+", " ", text)
    return text.lstrip() if not before or before.endswith(" ") else text


def _second(sentence: str, answer: _Mention, others: re.Pattern[str]) -> str:
    """Return the first occupation of the other list that stands outside the brackets."""
    match = others.search(sentence[: answer.start] + " | " + sentence[answer.end :])
    if match is None:
        raise ValueError(f"no occupation of the other list is in {sentence!r:.200}")
    return match[0]
