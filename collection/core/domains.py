"""The rules of the two domains. They only warn, as names and nouns are recognized by heuristics."""

from collections.abc import Iterator, Sequence

from collection.core.drafts import Domain
from collection.core.findings import Finding, make_finding, quote
from collection.core.matching import Fit, PreparedText, find_places
from collection.core.triggers import is_animal, is_plural, name_gender

_SENTENCE_ENDS = ".!?"
_OPENERS = "\"'“‘([ \t"


def domain_findings(
    domain: Domain | None, options: tuple[str, str], texts: Sequence[PreparedText]
) -> Iterator[Finding]:
    """Yield the warnings of a domain; none if no domain was assigned."""
    if domain is Domain.SOCIAL:
        yield from _people(options)
    elif domain is Domain.PHYSICAL:
        yield from _objects(options)
        yield from _proper_nouns(options, texts)


def _people(options: tuple[str, str]) -> Iterator[Finding]:
    for number, option in enumerate(options, start=1):
        first = option.lstrip()[:1]
        if first and (first.islower() or not first.isalpha()):
            yield make_finding(
                "person_not_named",
                f"Option {number} {quote(option)} does not look like a person's name; "
                "use two first names, each with a capital letter.",
            )
    genders = [name_gender(option) for option in options]
    if None not in genders and genders[0] != genders[1]:
        yield make_finding(
            "people_gender_differs",
            f"The name {quote(options[0])} is mostly a {genders[0]} name and {quote(options[1])} a "
            f"{genders[1]} one, so a pronoun could reveal the answer; "
            "use two names of the same gender.",
        )


def _objects(options: tuple[str, str]) -> Iterator[Finding]:
    plural = [is_plural(option) for option in options]
    if None not in plural and plural[0] != plural[1]:
        many, one = options if plural[0] else options[::-1]
        yield make_finding(
            "object_number_differs",
            f"The option {quote(many)} looks plural and {quote(one)} singular, so the verb could "
            "reveal the answer; use two objects of the same number.",
        )
    for number, option in enumerate(options, start=1):
        if is_animal(option):
            yield make_finding(
                "object_animal",
                f"Option {number} {quote(option)} looks like an animal; use an object instead.",
            )


def _proper_nouns(options: tuple[str, str], texts: Sequence[PreparedText]) -> Iterator[Finding]:
    for text in texts:
        for number, option in enumerate(options, start=1):
            span = _capitalised_span(option, text)
            if span:
                yield make_finding(
                    "object_proper_noun",
                    f"Option {number} {quote(option)} looks like a proper noun in {text.name}; "
                    "use a common object, in lower case.",
                    sentence=text.number,
                    span=span,
                )


def _capitalised_span(option: str, text: PreparedText) -> tuple[int, int] | None:
    for place in find_places(option, text.folded):
        if place.fit is not Fit.WHOLE:
            continue
        words = text.sentence[place.start : place.end].split()
        at_start = _starts_sentence(text.sentence, place.start)
        if any(map(_is_capitalised, words[1:] if at_start else words)):
            return place.start, place.end
    return None


def _is_capitalised(word: str) -> bool:
    """Return whether a word is a name ("Boston", "MacBook"), not an abbreviation ("GPS", "TVs")."""
    return word[:1].isupper() and not word[:2].isupper()


def _starts_sentence(sentence: str, start: int) -> bool:
    before = sentence[:start].rstrip(_OPENERS)
    return not before or before[-1] in _SENTENCE_ENDS
