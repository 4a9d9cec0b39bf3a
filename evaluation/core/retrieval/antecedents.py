"""Rules that decide whose role the pronoun's argument has in a retrieved sentence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from collection.core.triggers import is_plural, name_gender
from evaluation.core.retrieval.english import (
    CONTROL,
    COORDINATORS,
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    clause_ends,
    is_content,
    is_filler,
    is_passive,
    is_word,
    stem,
    tokens,
)
from evaluation.core.retrieval.queries import Queries, Role, Span, Term

Rule = Literal["same word", "shared subject", "agreement"]
IMPERATIVE = "you"
_GENDERS = {"he": "male", "she": "female"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One sentence of the corpus that supports a role.

    Parameters
    ----------
    place : int
        Position of the sentence in the corpus.
    sentence : str
    context, query : Term
        The terms of the two sets that the sentence has.
    role : {'agent', 'patient'}
        What the argument of the query predicate is to the context predicate.
    rule : {'same word', 'shared subject', 'agreement'}
        What decided the role.
    strength : int, from 2 to 4
    """

    place: int
    sentence: str
    context: Term
    query: Term
    role: Role
    rule: Rule
    strength: int


def find_evidence(sentence: str, place: int, queries: Queries) -> Evidence | None:
    """Return what a sentence says about the roles, or None if no rule decides.

    The longest terms come first, so the most specific match that a rule decides is returned.

    Source: Emami et al. (EMNLP 2018): evidence-agent and evidence-patient sentences, and their
    strength. Departures: the paper resolves the sentence's own coreference with CoreNLP; here three
    rules do (see `_decided`), and a sentence that none decides is no evidence.
    """
    words, stems, ends = _analyse(sentence)
    for context, query in product(queries.context, queries.query):
        for c in _occurrences(stems, ends, context):
            for q in _occurrences(stems, ends, query):
                if c[1] > q[0] and q[1] > c[0]:
                    continue
                decided = _decided(words, c, q, queries)
                if decided:
                    return Evidence(
                        place=place,
                        sentence=sentence,
                        context=context,
                        query=query,
                        role=decided[0],
                        rule=decided[1],
                        strength=strength(context, query, in_order=c < q),
                    )
    return None


def strength(context: Term, query: Term, *, in_order: bool) -> int:
    """Return the strength of an evidence sentence.

    Source: Emami et al. (EMNLP 2018), the sum of two scores. The length score is 2 if a term has
    several words, else 1; the order score is 2 if the context's term precedes the query's, else 1.
    The authors' program adds no order score. Departure: only content words count, since the terms
    have no others.

    >>> strength(("yell",), ("upset",), in_order=True)
    3
    """
    return (2 if len(context) > 1 or len(query) > 1 else 1) + (2 if in_order else 1)


@lru_cache(maxsize=16_384)
def _analyse(sentence: str) -> tuple[list[str], list[str], list[bool]]:
    """Return the words of a sentence, their stems, and where clauses end."""
    words = tokens(sentence)
    return words, [stem(word) for word in words], clause_ends(words)


def _occurrences(stems: Sequence[str], ends: Sequence[bool], term: Term) -> Iterator[Span]:
    """Yield where the words of a term stand in order within one clause."""
    for start in (i for i, stem_clauses in enumerate(stems) if stem_clauses == term[0]):
        i = start
        for wanted in term[1:]:
            i += 1
            while i < len(stems) and stems[i] != wanted and not ends[i]:
                i += 1
            if i == len(stems) or stems[i] != wanted:
                break
        else:
            yield start, i + 1


def _decided(words: Sequence[str], c: Span, q: Span, queries: Queries) -> tuple[Role, Rule] | None:
    """Return the role of the query's argument E3' among those of the context, E1' and E2'.

    1. same word: E3' is the same noun or pronoun as one of the two.
    2. shared subject: a coordinated predicate without a subject has that of the first.
    3. agreement: E3' is a pronoun of the third person and agrees with only one of the two.
    """
    agent, patient = _roles(words, c)
    e3 = _subject(words, q[0]) if queries.place == "subject" else _object(words, q[1])
    if e3 is None and queries.place == "subject" and c < q and _coordinated(words, q[0]):
        return ("patient" if is_passive(words, c[0]) else "agent"), "shared subject"
    if e3 is None:
        return None
    role = _only(lambda other: _key(e3) == _key(other), agent, patient)
    if role:
        return role, "same word"
    role = _only(lambda other: _agrees(e3, other), agent, patient) if _is_third(e3) else None
    return (role, "agreement") if role else None


def _only(test: Callable[[str], bool], agent: str | None, patient: str | None) -> Role | None:
    """Return the role of the argument that passes a test, if exactly one does."""
    passed = [agent is not None and test(agent), patient is not None and test(patient)]
    if passed[0] is passed[1]:
        return None
    return "agent" if passed[0] else "patient"


def _roles(words: Sequence[str], predicate: Span) -> tuple[str | None, str | None]:
    """Return the agent and the patient of a predicate, as words."""
    subject, object_ = _subject(words, predicate[0]), _object(words, predicate[1])
    if not is_passive(words, predicate[0]):
        return subject, object_
    by = words[predicate[1] : predicate[1] + 1] == ["by"]
    return (object_ if by else None), subject


def _subject(words: Sequence[str], start: int) -> str | None:
    """Return the head of the noun phrase before a predicate; "you" for an imperative."""
    i = start - 1
    while i >= 0:
        if is_filler(words[i]):
            i -= 1
        elif words[i] == "to" and i and stem(words[i - 1]) in CONTROL:  # "tried to call"
            i -= 2
        elif words[i] in RELATIVES and i and is_word(words[i - 1]):
            i -= 1
        else:
            break
    if i < 0 or words[i] in ".!?;:":
        return IMPERATIVE
    return words[i] if words[i] in PRONOUNS or is_content(words[i]) else None


def _coordinated(words: Sequence[str], start: int) -> bool:
    """Return whether a predicate follows "and", "or", "but" or "then" directly."""
    i = start - 1
    while i >= 0 and is_filler(words[i]):
        i -= 1
    return i >= 0 and words[i] in COORDINATORS


def _object(words: Sequence[str], end: int) -> str | None:
    """Return the head of the noun phrase after a predicate."""
    i = end
    while i < len(words) and _opens_phrase(words, i):
        i += 1
    if i < len(words) and words[i] in PRONOUNS:
        return words[i]
    head = None
    while i < len(words) and is_content(words[i]) and not is_filler(words[i]):
        head, i = words[i], i + 1
    return head


def _opens_phrase(words: Sequence[str], i: int) -> bool:
    """Return whether a word stands before the noun of its phrase; "her" only if one follows."""
    word = words[i]
    if word in POSSESSIVES and word in PRONOUNS:
        return i + 1 < len(words) and is_content(words[i + 1])
    return word in DETERMINERS or word in PREPOSITIONS or is_filler(word)


def _key(word: str) -> str:
    return PRONOUNS.get(word) or stem(word)


def _is_third(word: str) -> bool:
    return PRONOUNS.get(word) in {"he", "she", "it", "they"}


def _agrees(pronoun: str, word: str) -> bool:
    """Return whether a pronoun of the third person can refer to a word."""
    kind = PRONOUNS[pronoun]
    if word in PRONOUNS:
        return PRONOUNS[word] == kind
    if kind == "they":
        return is_plural(word) is not False
    gender = name_gender(word)
    if is_plural(word) is True:
        return gender is not None and gender == _GENDERS.get(kind)
    if kind == "it":
        return gender is None
    return gender is None or gender == _GENDERS[kind]
