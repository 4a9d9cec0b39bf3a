"""The queries of an item: terms for the predicate of its context and of its pronoun's clause."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from collection.core.words import BLANK
from evaluation.core.gapped import Gapped
from evaluation.core.retrieval.english import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    clause_ends,
    is_content,
    is_filler,
    is_passive,
    stem,
    tokens,
)

Role = Literal["agent", "patient"]
Place = Literal["subject", "object"]
Term = tuple[str, ...]
Span = tuple[int, int]
LONGEST_TERM = 3
_COORDINATED = frozenset(["and", "or", "&", ","])


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """What a search for an item's knowledge looks for.

    Parameters
    ----------
    context : tuple of Term
        Stems of the predicate between E1 and E2, as alternatives, the longest first (set C).
    query : tuple of Term
        The same for the clause of the gap (set Q).
    roles : tuple of {'agent', 'patient', None}
        Of each option in the predicate of the context; None for an option that has neither role.
    place : {'subject', 'object'}
        What the gap is to the predicate of its clause.
    excluded : tuple of str
        Stems of E1. A sentence with all of them is not searched, so the item itself is not found.
    """

    context: tuple[Term, ...]
    query: tuple[Term, ...]
    roles: tuple[Role | None, ...]
    place: Place
    excluded: Term


class Unparsed(ValueError):
    """The rules found no queries for an item; the message is the reason."""


def generate_queries(cloze: Gapped) -> Queries:
    """Generate the queries of an item from its words.

    Parameters
    ----------
    cloze : Gapped
        The text around the gap and its options, which must be named in the text.

    Returns
    -------
    Queries
        A permutation of the options permutes ``roles`` and changes nothing else.

    Raises
    ------
    Unparsed
        When the rules find fewer than two options in the text, no predicate between them with an
        agent and a patient, or no predicate in the clause of the gap.

    Source: Emami et al., A knowledge hunting framework for common sense reasoning (EMNLP 2018),
    query generation: E1 Pred_C E2, and a clause with the pronoun and Pred_Q. Departures: the paper
    parses with CoreNLP, here the predicate is what stands between the two options, without
    auxiliaries, prepositions and E2's adjectives; no synonyms from WordNet; words are stemmed.
    Negation is not read. Of more than two options, two have a role.

    >>> from types import SimpleNamespace
    >>> found = generate_queries(SimpleNamespace(
    ...     before="The councilmen refused the demonstrators a permit because ",
    ...     options=("the demonstrators", "the councilmen"), after=" feared violence."))
    >>> found.context, found.query, found.roles
    ((('refus',),), (('fear', 'violenc'), ('fear',)), ('patient', 'agent'))
    """
    before, after = tokens(cloze.before), tokens(cloze.after)
    words, gap = [*before, BLANK, *after], len(before)
    places = _located(words, cloze.options)
    (first, e1), (second, e2) = _arguments(words, places, gap)
    start, end = _clause(words, gap, (e1, e2))
    place, query = _query_terms(words, gap, start, end)
    roles: list[Role | None] = [None] * len(cloze.options)
    roles[first], roles[second] = _roles(words, e1, e2)
    return Queries(
        context=_terms(_predicate(words, e1, e2)),
        query=query,
        roles=tuple(roles),
        place=place,
        excluded=tuple(stem(word) for word in words[slice(*e1)] if is_content(word)),
    )


def _located(words: Sequence[str], options: Sequence[str]) -> list[tuple[int, Span]]:
    """Return each option that is found, by number, with its span; in the order of the text."""
    spans = [(number, _find(words, tokens(option))) for number, option in enumerate(options)]
    places = sorted(((n, span) for n, span in spans if span), key=lambda pair: pair[1])
    if len(places) < 2:
        raise Unparsed("fewer than two options are named in the text")
    if any(a[1] > b[0] for (_, a), (_, b) in pairwise(places)):
        raise Unparsed("options overlap in the text")
    return places


def _find(words: Sequence[str], option: Sequence[str]) -> Span | None:
    """Find an option without its determiner, or else its last word."""
    name = [word for word in option if word not in DETERMINERS]
    for wanted in (name, name[-1:]):
        for i in range(len(words) - len(wanted) + 1 if wanted else 0):
            if list(words[i : i + len(wanted)]) == wanted:
                return i, i + len(wanted)
    return None


def _arguments(
    words: Sequence[str], places: Sequence[tuple[int, Span]], gap: int
) -> tuple[tuple[int, Span], tuple[int, Span]]:
    """Return the first two neighbours with a predicate between them."""
    for (first, e1), (second, e2) in pairwise(places):
        between = words[e1[1] : e2[0]]
        if e1[1] <= gap < e2[0] or set(between) <= _COORDINATED | DETERMINERS:
            continue
        if any(map(_is_predicate_word, _predicate(words, e1, e2))):
            return (first, e1), (second, e2)
    raise Unparsed("no predicate stands between two options")


def _roles(words: Sequence[str], e1: Span, e2: Span) -> tuple[Role, Role]:
    """Return the roles of E1 and E2 in the predicate between them."""
    head = next(i for i in range(e1[1], e2[0]) if _is_predicate_word(words[i]))
    if not is_passive(words, head):
        return "agent", "patient"
    if "by" not in words[head : e2[0]]:
        # Only E1 would have a role, so no evidence could ever support E2.
        raise Unparsed("the predicate is passive and names no agent")
    return "patient", "agent"


def _predicate(words: Sequence[str], e1: Span, e2: Span) -> list[str]:
    """Return the words from E1 to the noun phrase of E2; none if a clause ends between them."""
    between = list(words[e1[1] : e2[0]])
    if any(clause_ends(words)[e1[1] : e2[0]]):
        return []
    # What follows the last determiner or preposition describes E2: "into the | brown suitcase".
    marks = [i for i, word in enumerate(between) if word in DETERMINERS]
    return between[: marks[-1]] if marks else between


def _clause(words: Sequence[str], gap: int, arguments: Sequence[Span]) -> Span:
    """Return the bounds of the clause of the gap; E1 and E2 are outside it."""
    ends = clause_ends(words)
    start = max((i + 1 for i in range(gap) if ends[i]), default=0)
    end = next((i for i in range(gap + 1, len(words)) if ends[i]), len(words))
    start = max([start, *(e for _, e in arguments if e <= gap)])
    end = min([end, *(s for s, _ in arguments if s > gap)])
    return start, end


def _query_terms(
    words: Sequence[str], gap: int, start: int, end: int
) -> tuple[Place, tuple[Term, ...]]:
    left, right = words[start:gap], words[gap + 1 : end]
    if right[:1] == ["'s"] and right[1:] and _is_predicate_word(right[1]):
        raise Unparsed("the gap is a possessive")
    if _is_object(left, right):
        return "object", _object_terms(left)
    terms = _terms(right)
    if not terms:
        raise Unparsed("no predicate in the clause of the gap")
    return "subject", terms


def _is_object(left: Sequence[str], right: Sequence[str]) -> bool:
    """Return whether a verb or preposition governs the gap, and no auxiliary follows it."""
    if right and (right[0] in AUXILIARIES or right[0].endswith("n't")):
        return False
    before = [word for word in left if word not in DETERMINERS]
    return bool(before) and (is_content(before[-1]) or before[-1] in PREPOSITIONS)


def _object_terms(left: Sequence[str]) -> tuple[Term, ...]:
    content = [word for word in left if _is_predicate_word(word)]
    if not content:
        raise Unparsed("no predicate in the clause of the gap")
    return ((stem(content[-1]),),)


def _is_predicate_word(word: str) -> bool:
    return is_content(word) and not is_filler(word)


def _terms(words: Sequence[str]) -> tuple[Term, ...]:
    """Return the whole predicate, its first word, and the verb of an infinitive in it."""
    content = [(i, word) for i, word in enumerate(words) if _is_predicate_word(word)]
    if not content:
        return ()
    whole = tuple(stem(word) for _, word in content[:LONGEST_TERM])
    verbs = [stem(word) for i, word in content if i and words[i - 1] == "to"]
    return tuple(dict.fromkeys([whole, whole[:1], *((verb,) for verb in verbs)]))
