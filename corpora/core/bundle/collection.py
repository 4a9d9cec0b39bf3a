"""How the questions of training and dev came to be, in sentences: the same on page and in files."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from corpora.core.bundle.codec import from_json
from corpora.core.bundle.facts import Collection, Decided, Rules
from corpora.core.bundle.wording import count, number, were
from corpora.core.publish import NAME_HOLDS

WORK = {"writing": "question", "validating": "vote"}
PAID_FOR = {"writing": "a pair", "validating": "a vote"}
NAMES = (
    "The release that has a question first gives names to those who worked on it; later releases "
    "keep these names for it and have others for new questions.",
    "Times of work are listed without names and questions.",
    "Habits that show in answers and texts remain, such as how often someone is right: with them, "
    "more names of two releases can be matched than by chance.",
)
ALWAYS = (
    "A question gets its votes from people who wrote neither it nor its twin, and nobody validates "
    "both questions of a twin.",
    "Validators first answer from the text that begins two words before the blank. A question that "
    "most of them answer right from this context alone is not valid by its votes.",
    "Agreement is that of the first votes on each question, as many as were due.",
)


def collection_of(facts: Mapping[str, Any]) -> Collection | None:
    """Return the facts in a manifest or a preview; None if an earlier version made them."""
    try:
        return from_json(Collection, json.dumps(facts["collection"]))
    except ValueError:
        return None


def writing(facts: Collection) -> tuple[str, ...]:
    """Return who wrote the questions, when, by which rules and guidelines, and for what pay."""
    return tuple(_writing(facts))


def validating(facts: Collection) -> tuple[str, ...]:
    """Return how the questions were decided, by which votes, under which guidelines and for what.

    >>> from corpora.core.bundle.facts import Decided
    >>> print(decided_by([Decided(by="curator", policy=None, version=None, votes=3, questions=1),
    ...                   Decided(by="curator", policy=None, version=None, votes=0, questions=1)]))
    2 questions were decided by a curator: 1 with 3 votes, 1 without votes.
    """
    return tuple(_validating(facts))


def has_votes(facts: Collection) -> bool:
    """Return whether anybody voted on the questions, also if all votes are excluded."""
    return facts.votes + facts.votes_excluded > 0


def votes_per_question(facts: Collection) -> str:
    """Return the number of votes on a question, and on how many where it differs."""
    sums: dict[int, int] = {}
    for decision in facts.decided:
        sums[decision.votes] = sums.get(decision.votes, 0) + decision.questions
    if len(sums) == 1:
        return str(next(iter(sums)))
    return ", ".join(f"{votes} ({count(n, 'question')})" for votes, n in sorted(sums.items()))


def _writing(facts: Collection) -> Iterator[str]:
    yield _sources(facts)
    if not facts.written:
        return
    if facts.first_written and facts.last_written:
        months = dict.fromkeys((facts.first_written, facts.last_written))
        yield f"Written: {' to '.join(months)}."
    yield from _erased(facts)
    yield from map(rules, facts.rules)
    yield from _named(facts, "writing")
    yield from _accepted(facts, "writing")
    yield from _paid(facts, "writing")


def _sources(facts: Collection) -> str:
    if not facts.questions:
        return "Training and dev have no questions."
    questions = f"{count(facts.questions, 'question')} of training and dev"
    people, imported = count(facts.writers, "person"), facts.questions - facts.written
    if not imported:
        return f"{people} wrote the {questions}."
    if not facts.written:
        return f"The {questions} {were(imported)} imported from a published set."
    return (
        f"Of {questions}, {people} wrote {number(facts.written)}, and {number(imported)} "
        f"{were(imported)} imported from a published set."
    )


def rules(one: Rules) -> str:
    """Return the settings under which some of the questions were written."""
    return (
        f"{count(one.questions, 'question')} {were(one.questions)} written under these settings: "
        f"{one.min_words} to {one.max_words} words in a sentence, at least "
        f"{100 * one.min_overlap:.4g} % of the words in common, "
        f"{count(one.votes_per_question, 'vote')} on each question, policy {one.verdict_policy}."
    )


def _validating(facts: Collection) -> Iterator[str]:
    for _, group in groupby(facts.decided, key=lambda rule: (rule.by, rule.policy, rule.version)):
        yield decided_by(list(group))
    if not has_votes(facts):
        yield "Nobody gave a vote on these questions here."
        return
    votes = facts.votes + facts.votes_excluded
    yield (
        f"{count(facts.validators, 'person')} gave {count(votes, 'vote')}: "
        f"{number(facts.votes_excluded)} excluded, and {number(facts.votes_additional)} in "
        "addition to those that were due."
    )
    if not facts.written:
        yield from _erased(facts)
    yield from _named(facts, "validating")
    yield from _accepted(facts, "validating")
    yield from _paid(facts, "validating")
    yield from ALWAYS


def decided_by(group: list[Decided]) -> str:
    """Return how many questions were decided in one way, by their number of votes."""
    first, n = group[0], sum(decision.questions for decision in group)
    how = {
        "votes": f"decided by their votes, under policy {first.policy}, version {first.version}",
        "curator": "decided by a curator",
        "import": "imported from a published set, and validated there",
    }[first.by]
    sentence = f"{count(n, 'question')} {were(n)} {how}"
    if first.by == "import" and all(decision.votes == 0 for decision in group):
        return f"{sentence}."
    parts = (f"{number(decision.questions)} {_with_votes(decision.votes)}" for decision in group)
    return f"{sentence}: {', '.join(parts)}."


def _with_votes(n: int) -> str:
    return f"with {count(n, 'vote')}" if n else "without votes"


def _named(facts: Collection, work: str) -> Iterator[str]:
    """Return how many names people have, and what can be learned of them; once for both works."""
    if facts.names is None:
        return
    who, unit = ("writers", "pair") if work == "writing" else ("validators", "vote")
    yield (
        f"The {who} have {count(facts.names[work], 'name')} in the files: each stands for at most "
        f"{count(NAME_HOLDS, unit)} of one person."
    )
    if work == "writing" or not facts.written:
        yield from NAMES


def _erased(facts: Collection) -> Iterator[str]:
    """Return how many of the people, writers and validators together, are erased."""
    if facts.erased:
        have = "has" if facts.erased == 1 else "have"
        yield (
            f"Of the people who wrote or validated these questions, {number(facts.erased)} {have} "
            "been erased from the platform since: their work stays, and what said who they are is "
            "gone."
        )


def _accepted(facts: Collection, work: str) -> Iterator[str]:
    versions = {
        f"version {name}" if name else "not known": n for name, n in _counts(facts.guidelines, work)
    }
    if versions:
        who = "writers" if work == "writing" else "validators"
        yield f"Guidelines that the {who} had accepted: {_join_counts(versions, WORK[work])}."


def _paid(facts: Collection, work: str) -> Iterator[str]:
    amounts = {
        f"{amount} {facts.currency}" if amount else "not recorded": n
        for amount, n in _counts(facts.pay, work)
    }
    if amounts:
        yield f"Pay for {PAID_FOR[work]}: {_join_counts(amounts, WORK[work])}."
    hourly = facts.hourly_pay.get(work)
    if hourly is None or hourly.median is None:
        yield f"Pay per hour of {work}: not known."
    else:
        yield (
            f"Median pay per hour of {work} these questions: {hourly.median} {facts.currency} "
            f"({count(hourly.n, 'person')})."
        )


def _counts(facts: Mapping[str, Mapping[str, int]], work: str) -> list[tuple[str, int]]:
    return sorted(facts.get(work, {}).items())


def _join_counts(counts: Mapping[str, int], noun: str) -> str:
    return ", ".join(f"{name} ({count(n, noun)})" for name, n in counts.items())
