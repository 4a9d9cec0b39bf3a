"""Who wrote and validated the questions, by which rules, and for what pay."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from corpora.core.bundle.facts import BackgroundCounts, Collection, Decided, Rules
from corpora.core.bundle.layout import BLIND
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import count, number
from evaluation.core.paper_kit.prose import Part, Quote, Sentence, commas, quote, sentence

WORK = {
    "writing": ("writers", "a pair", "question"),
    "validating": ("validators", "a vote", "vote"),
}
ENTERED = {"typed": "typed", "pasted": "pasted", "unknown": "entered in a way that is not known"}


def collection(about: Manifest) -> Iterator[Sentence]:
    """Yield how the texts came to be."""
    facts = about.collection
    yield _source(facts)
    if facts.written:
        yield sentence(
            "collection.articles",
            "The release does not record how many articles prompted the writers.",
        )
        if facts.first_written and facts.last_written:
            months = dict.fromkeys((facts.first_written, facts.last_written))
            span = f"from {' to '.join(months)}" if len(months) > 1 else f"in {facts.first_written}"
            yield sentence("collection.months", f"Writing took place {span}.")
        for place, rules in enumerate(facts.rules, 1):
            yield _rules(f"collection.rules.{place}", rules)
        yield from _guidelines(facts, "writing")
    if about.origin.questions:
        parts = commas(
            (f"{number(n)} ", *((ENTERED[how],) if how in ENTERED else ("entered as ", Quote(how))))
            for how, n in sorted(about.origin.questions.items())
        )
        yield sentence("collection.origin", "Of the published texts, these were: ", *parts, ".")
    for place, counts in enumerate(about.background or (), 1):
        yield _background(f"collection.background.{place}", counts)


def _source(facts: Collection) -> Sentence:
    key, imported = "collection.source", facts.questions - facts.written
    if not facts.questions:
        return sentence(key, "Training and dev have no questions.")
    if not facts.written:
        return sentence(
            key,
            f"All questions of training and dev ({number(facts.questions)}) were imported from a "
            "published set.",
        )
    people = count(facts.writers, "person")
    if not imported:
        return sentence(
            key, f"The questions of training and dev ({number(facts.questions)}) are by {people}."
        )
    return sentence(
        key,
        f"Of {count(facts.questions, 'question')} of training and dev, {number(facts.written)} are "
        f"by {people}, and {number(imported)} came from a published set.",
    )


def _rules(key: str, rules: Rules) -> Sentence:
    were = "was" if rules.questions == 1 else "were"
    return sentence(
        key,
        f"{count(rules.questions, 'question')} {were} submitted under these settings: "
        f"{rules.min_words} to {rules.max_words} words in a sentence, at least "
        f"{100 * rules.min_overlap:.4g} % of the words in common with the twin, "
        f"{count(rules.votes_per_question, 'vote')} due on each question, and the verdict policy ",
        quote(rules.verdict_policy), ".",
    )  # fmt: skip


def _guidelines(facts: Collection, work: str) -> Iterator[Sentence]:
    who, _, noun = WORK[work]
    versions = sorted(facts.guidelines.get(work, {}).items())
    if versions:
        parts = commas(
            (*(("version ", quote(name)) if name else ("not known",)), f" ({count(n, noun)})")
            for name, n in versions
        )
        yield sentence(
            f"guidelines.{work}", f"Guidelines that the {who} had accepted: ", *parts, "."
        )


def _background(key: str, counts: BackgroundCounts) -> Sentence:
    parts: list[tuple[Part, ...]] = [
        (Quote(option), f" {number(n)}") for option, n in sorted(counts.lines.items())
    ]
    if counts.rest is not None:
        parts.append((f"other or no answer {number(counts.rest)}",))
    return sentence(
        key,
        f"Asked of {count(counts.people, 'person')}, who did not have to answer: ",
        Quote(counts.text), ", with the answers ", *(commas(parts) or ("not published",)),
        f"; counts are rounded down to multiples of {counts.least}.",
    )  # fmt: skip


def validation(about: Manifest) -> Iterator[Sentence]:
    """Yield how the questions were decided, and by how many votes."""
    facts = about.collection
    groups = groupby(facts.decided, key=lambda one: (one.by, one.policy, one.version))
    for place, (_, group) in enumerate(groups, 1):
        yield _decided(f"validation.decided.{place}", list(group))
    votes = facts.votes + facts.votes_excluded
    if votes:
        yield sentence(
            "validation.votes",
            f"{count(facts.validators, 'person')} gave {count(votes, 'vote')}, of which "
            f"{number(facts.votes_excluded)} are excluded and {number(facts.votes_additional)} "
            "were given beyond those that were due.",
        )
        yield sentence(
            "validation.local",
            "Validators answered from the text near the blank before they saw the whole sentence, "
            "and nobody validated a question that they wrote.",
        )
        yield from _guidelines(facts, "validating")
    else:
        yield sentence("validation.votes", "Nobody voted on these questions here.")
    if facts.erased:
        yield sentence(
            "validation.erased",
            f"The accounts of {count(facts.erased, 'person')} among the writers and validators "
            "have since been erased.",
        )
    blind = about.splits.get(BLIND)
    if blind is not None and blind.questions:
        yield sentence(
            "validation.blind",
            f"How the test set ({count(blind.questions, 'question')}) came to be is not "
            f"published; the release has salted hashes of it ({number(about.commitments)}).",
        )


def _decided(key: str, group: list[Decided]) -> Sentence:
    first, n = group[0], sum(one.questions for one in group)
    were = "was" if n == 1 else "were"
    how: tuple[Part, ...] = ("imported from a published set and not decided here",)
    if first.by == "curator":
        how = ("decided by a curator",)
    elif first.by == "votes":
        how = (
            "decided by votes, under the policy ",
            quote(first.policy or ""),
            f" in version {first.version}",
        )
    votes = ", ".join(f"{number(one.questions)} with {count(one.votes, 'vote')}" for one in group)
    return sentence(key, f"{count(n, 'question')} {were} ", *how, f" ({votes}).")


def pay(facts: Collection) -> Iterator[Sentence]:
    """Yield what was paid for the work, and for an hour of it."""
    did = {"writing": facts.written, "validating": facts.votes + facts.votes_excluded}
    for work in WORK:
        if did[work]:
            yield from _paid(facts, work)
    if not any(did.values()):
        yield sentence("pay.none", "No work on these questions was done here, so none was paid.")


def _paid(facts: Collection, work: str) -> Iterator[Sentence]:
    _, unit, noun = WORK[work]
    amounts: Mapping[str, int] = facts.pay.get(work, {})
    parts = commas(
        (
            *((f"{amount} ", quote(facts.currency)) if amount else ("not recorded",)),
            f" for {count(n, noun)}",
        )
        for amount, n in sorted(amounts.items())
    )
    if parts:
        yield sentence(f"pay.{work}", f"The pay for {unit} was ", *parts, ".")
    hourly = facts.hourly_pay.get(work)
    if hourly is None or hourly.median is None:
        yield sentence(f"pay.hourly.{work}", f"What an hour of {work} paid is not known.")
    else:
        yield sentence(
            f"pay.hourly.{work}",
            f"The median pay for an hour of {work} these questions was {hourly.median} ",
            quote(facts.currency), f", over {count(hourly.n, 'person')}.",
        )  # fmt: skip
