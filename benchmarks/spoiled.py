"""Twins spoiled on purpose, each so that one warning ought to see it.

What a warning says of real twins is its noise; what it says of these is its use.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from collection.core.matching import Fit, best_place, fold
from collection.core.morphology import is_plural
from collection.core.rules import Domain, TwinDraft

Spoil = Callable[[TwinDraft, Random], TwinDraft | None]


@dataclass(frozen=True)
class Spoiled:
    """How to spoil a twin (None: this one cannot be), and the codes that ought to answer.

    `is_stored` says that the unspoiled twin counts among the campaign's.
    """

    what: str
    spoil: Spoil
    codes: Sequence[str]
    is_stored: bool = False


def word_changed(draft: TwinDraft, random: Random) -> TwinDraft:
    """Write another word in one place of the first sentence."""
    words = draft.sentences[0].split()
    place = random.choice([n for n, word in enumerate(words) if "_" not in word])
    first = " ".join([*words[:place], "quite", *words[place + 1 :]])
    return replace(draft, sentences=(first, draft.sentences[1]))


def answers_exchanged(draft: TwinDraft, _: Random) -> TwinDraft:
    """Give either sentence the wrong answer."""
    return replace(draft, answers=draft.answers[::-1])


def negated(draft: TwinDraft, _: Random) -> TwinDraft | None:
    """Write the first sentence with "not" behind its last "was" or "is" as the second one."""
    first = draft.sentences[0]
    verb = max((" was ", " is "), key=first.rfind)
    before, found, after = first.rpartition(verb)
    if not found or "_" not in before + after:
        return None
    return replace(draft, sentences=(first, f"{before}{verb}not {after}"))


def in_the_plural(draft: TwinDraft, _: Random) -> TwinDraft | None:
    """Write an "s" behind a singular option, wherever it stands."""
    if draft.domain is not Domain.PHYSICAL or any(map(is_plural, draft.options)):
        return None
    return _with_first_option(draft, draft.options[0] + "s")


def with_another_name(names: Sequence[str]) -> Spoil:
    """Return what puts a name of the other twins for the first one."""

    def spoil(draft: TwinDraft, random: Random) -> TwinDraft | None:
        if draft.domain is not Domain.SOCIAL:
            return None
        return _with_first_option(draft, random.choice(names))

    return spoil


def _with_first_option(draft: TwinDraft, option: str) -> TwinDraft | None:
    sentences = []
    for sentence in draft.sentences:
        place = best_place(draft.options[0], fold(sentence))
        if place is None or place.fit is not Fit.WHOLE:
            return None
        sentences.append(sentence[: place.start] + option + sentence[place.end :])
    return replace(
        draft, sentences=(sentences[0], sentences[1]), options=(option, draft.options[1])
    )


def ways_to_spoil(drafts: Sequence[TwinDraft]) -> tuple[Spoiled, ...]:
    """Return every way; names come from the twins themselves."""
    names = [draft.options[0] for draft in drafts if draft.domain is Domain.SOCIAL]
    reversed_codes = ("local_association", "pair_association", "polarity_association")
    ways = [
        Spoiled("one word changed", word_changed, ["near_duplicate"], is_stored=True),
        Spoiled("answers exchanged", answers_exchanged, reversed_codes),
        Spoiled("“not” put in", negated, ["trigger_negation"]),
        Spoiled("one option in the plural", in_the_plural, ["object_number_differs"]),
    ]
    if names:
        ways.append(Spoiled("any other name", with_another_name(names), ["people_gender_differs"]))
    return tuple(ways)


def spoiled_sample(
    drafts: Sequence[TwinDraft], way: Spoiled, *, limit: int
) -> Mapping[int, TwinDraft]:
    """Return up to *limit* spoiled twins by their place among *drafts*, the same every time."""
    random = Random(11)
    places = random.sample(range(len(drafts)), len(drafts))
    found: dict[int, TwinDraft] = {}
    for place in places:
        if len(found) == limit:
            break
        draft = way.spoil(drafts[place], random)
        if draft is not None:
            found[place] = draft
    return found
