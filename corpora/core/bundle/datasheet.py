"""The datasheet of a release, in the sections of Gebru et al. (2021), from its facts alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corpora.core.bundle import layout
from corpora.core.bundle.facts import Figure, HourlyPay, HumanPerformance
from corpora.core.bundle.front_matter import questions
from corpora.core.bundle.manifest import LeakSummary, Manifest
from corpora.core.bundle.wording import UNKNOWN, bullets, code, count, flat, markdown, number, table

LIMITS = (
    "The sentences were written for pay by people whose language and culture are not described "
    "here; what they take for common sense need not hold elsewhere.",
    "Accuracy on questions whose twin is in the set is best read as pair accuracy: both right.",
)
DIRECTIONS = {
    "above": "clearly above one half.",
    "below": "clearly below one half.",
    "none": "the 95 % interval contains one half.",
}
NOT_FOR = "Not for decisions about people: names in the sentences are invented or common ones."


def datasheet(manifest: Manifest) -> str:
    """Return the datasheet; what no fact tells is said to be unknown."""
    sections = {
        "Motivation": _motivation(manifest),
        "Composition": _composition(manifest),
        "Collection process": _collection(manifest),
        "Validation and agreement": _validation(manifest),
        "Filter": _filter(manifest),
        "People's performance": _people(manifest),
        "Leaks": _leaks(manifest),
        "Uses and known limits": bullets(
            [NOT_FOR, *LIMITS, *map(markdown, (*manifest.warnings, *manifest.limits))]
        ),
        "Distribution and maintenance": _maintenance(manifest),
        "Software": bullets(f"{markdown(k)}: {markdown(v)}" for k, v in manifest.software.items()),
    }
    texts = (f"### {title}\n\n{text}\n" for title, text in sections.items())
    return "## Datasheet\n\n" + "\n".join(texts)


def _motivation(manifest: Manifest) -> str:
    lines = [
        "Purpose: to measure whether a model resolves a reference by common sense, in the form of "
        "the Winograd schema challenge.",
        f"Campaign: {markdown(manifest.campaign) or UNKNOWN}",
        f"Funding: {UNKNOWN}",
    ]
    return bullets(lines)


def _composition(manifest: Manifest) -> str:
    snapshot = manifest.snapshot
    lines = [
        f"{count(questions(manifest), 'question')} in the full training set, dev and test, from a "
        f"snapshot of {count(snapshot.questions, 'question')} in "
        f"{count(snapshot.pairs, 'complete pair')} (`{snapshot.questions_sha256}`).",
        *(f"Left out: {markdown(why)}: {number(n)}" for why, n in manifest.left_out.items()),
        *(f"Entered as {markdown(k)}: {number(n)}" for k, n in manifest.origin.questions.items()),
        "A text counts as pasted if at least "
        f"{number(100 * manifest.origin.pasted_from_share, 0)} % of it was pasted.",
    ]
    return bullets(lines)


def _collection(manifest: Manifest) -> str:
    facts = manifest.collection
    between = " to ".join(
        dict.fromkeys(day for day in (facts.first_written, facts.last_written) if day)
    )
    versions = ", ".join(map(markdown, facts.guideline_versions))
    lines = [
        f"{count(facts.writers, 'person')} wrote {count(facts.twins_written, 'pair')}.",
        f"Written: {between or UNKNOWN}",
        f"Versions of the guidelines: {versions or UNKNOWN}",
        f"Pay: {_money(facts.pay_per_twin, facts.currency)} for a pair, "
        f"{_money(facts.pay_per_vote, facts.currency)} for a vote.",
        *_hourly(facts.hourly_pay, facts.currency),
        *(f"Rule {code(name)}: {value:g}" for name, value in sorted(facts.rules.items())),
        *(f"Not used: {markdown(why)}: {number(n)}" for why, n in sorted(facts.excluded.items())),
        f"Who the people are (age, gender, country, first language): {UNKNOWN}",
        f"Ethical review: {UNKNOWN}",
    ]  # fmt: skip
    return bullets(lines)


def _hourly(pay: Mapping[str, HourlyPay], currency: str) -> Iterator[str]:
    for work in ("writing", "validating"):
        one = pay.get(work)
        if one is None or one.median is None:
            yield f"Pay per hour of {work}: {UNKNOWN}"
        else:
            people = count(one.n, "person")
            yield f"Median pay per hour of {work}: {_money(one.median, currency)} ({people})."


def _money(amount: str | None, currency: str) -> str:
    return "unknown" if amount is None else f"{amount} {markdown(currency)}"


def _validation(manifest: Manifest) -> str:
    facts = manifest.collection
    people = count(facts.validators, "person")
    lines = [
        f"{people} gave {count(facts.votes, 'vote')}; a question gets "
        f"{count(facts.votes_per_question, 'vote')}, by nobody who wrote it and by nobody who "
        "validates its twin.",
        f"{count(facts.questions_validated, 'question')} validated, "
        f"{number(facts.questions_valid)} valid by policy {code(facts.verdict_policy)}, "
        f"version {markdown(facts.verdict_version) or 'unknown'}.",
        "Validators first answer from the text that begins two words before the blank. A question "
        "that most of them answer right from this context alone is not valid.",
    ]
    rows = [(markdown(name), *_figure(one)) for name, one in sorted(manifest.agreement.items())]
    found = table(("agreement", "value", "95 % interval", "n"), rows) if rows else None
    return f"{bullets(lines)}\n\n{found or 'Agreement: unknown.'}"


def _figure(figure: Figure | None) -> tuple[str, str, str]:
    if figure is None or figure.value is None:
        return "unknown", "unknown", number(figure.n) if figure else "0"
    bounds = (figure.low, figure.high)
    between = "unknown" if None in bounds else " to ".join(number(each, 3) for each in bounds)
    return number(figure.value, 3), between, number(figure.n)


def _filter(manifest: Manifest) -> str:
    if manifest.selection is None:
        return "None: every valid question is in the training set."
    rows = [(code(name), markdown(text)) for name, text in _settings(manifest.selection)]
    before, after = (_fresh(manifest.selection, when) for when in ("before", "after"))
    return (
        f"`{layout.DEBIASED}` has the questions that the filter kept; `{layout.FULL}` has all.\n\n"
        f"{bullets([f'Fresh linear models before: {before}', f'after: {after}'])}\n\n"
        "One half is chance. An accuracy below it is a leak too: reversed, the predictions tell "
        "the answer. Accuracies are not published, since they depend on blind labels; anyone can "
        f"measure them on the public splits.\n\n{table(('setting', 'value'), rows)}"
    )


def _settings(selection: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [pair for pair in flat(selection) if ".fresh_models." not in f".{pair[0]}."]


def _fresh(selection: Mapping[str, Any], when: str) -> str:
    """Return how fresh models compare with one half, or that it is unknown."""
    about = selection
    for key in ("filter", "fresh_models", when):
        about = about.get(key) if isinstance(about, Mapping) else None  # type: ignore[assignment]
    direction = about.get("direction") if isinstance(about, Mapping) else None
    return DIRECTIONS.get(str(direction), "unknown.")


def _people(manifest: Manifest) -> str:
    if not manifest.human:
        return "Unknown: nobody has answered published questions afresh."
    return "\n\n".join(map(_performance, manifest.human))


def _performance(human: HumanPerformance) -> str:
    measures = {"votes": human.individual, "majorities": human.majority, "pairs": human.group}
    rows = [(f"right {name}", *_figure(one)) for name, one in measures.items()]
    people = count(human.people, "person")
    intro = (
        f"On {count(human.questions, 'question')} of {code(human.split)}: "
        f"{count(human.votes, 'fresh vote')} of {people}."
    )
    return f"{intro}\n\n{table(('share', 'value', '95 % interval', 'n'), rows)}"


def _leaks(manifest: Manifest) -> str:
    leaks = manifest.leaks
    if leaks is None:
        return "Unknown: no leak report was made."
    lines = [
        f"Publication (ids, line numbers, files, hashes, fields, lengths, other releases): "
        f"{count(leaks.tests, 'clue')} tested; {_weakest(leaks.detectable)}. "
        f"{_found(leaks.found)}",
        *_texts(leaks),
        f"Probability of any false alarm, in both together: {leaks.alpha:g}.",
    ]
    return bullets(lines)


def _texts(leaks: LeakSummary) -> Iterator[str]:
    if not leaks.texts:
        yield "The sentences and options were not searched for clues."
        return
    kinds = "; ".join(
        f"{kind} ({'too rare to be found' if share is None else number(share, 3)})"
        for kind, share in leaks.texts.items()
    )
    yield f"Sentences and options of the labelled splits: {_found(leaks.text_found)}"
    yield (
        f"Kinds of clues looked for in them: {kinds}. In brackets: the accuracy of one clue of the "
        "kind that is found with a power of 80 %, in the split where it is smallest."
    )


def _weakest(detectable: float | None) -> str:
    if detectable is None:
        return "too few questions in a split"
    return f"an accuracy of {number(detectable, 3)} is found with a power of 80 %"


def _found(sentences: Sequence[str]) -> str:
    if not sentences:
        return "No clue of these kinds was found."
    return f"Found: {' '.join(map(markdown, sentences))}"


def _maintenance(manifest: Manifest) -> str:
    lines = [
        f"Licence: {markdown(manifest.licence) or UNKNOWN}",
        "A release is never changed. A release that has a fault is retracted with a reason, and "
        "stays readable. CHANGELOG.md tells the differences between releases.",
        "A question that was once in the blind test is never in another split.",
        f"Contact: {UNKNOWN}",
    ]
    return bullets(lines)
