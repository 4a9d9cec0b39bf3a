"""The datasheet of a release, in the sections of Gebru et al. (2021), from its facts alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from corpora.core.bundle import layout
from corpora.core.bundle.collection import validating, writing
from corpora.core.bundle.facts import Figure, HumanPerformance
from corpora.core.bundle.front_matter import questions
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import UNKNOWN, bullets, code, count, flat, markdown, number, table

LIMITS = (
    "The sentences were written by people whose language and culture are not described "
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
    lines = [
        f"{count(questions(manifest), 'question')} in the full training set, dev and test, from "
        f"the snapshot `{manifest.snapshot.questions_sha256}`.",
        *(f"Entered as {markdown(k)}: {number(n)}" for k, n in manifest.origin.questions.items()),
        "A text counts as pasted if at least "
        f"{number(100 * manifest.origin.pasted_from_share, 0)} % of it was pasted.",
    ]
    return bullets(lines)


def _collection(manifest: Manifest) -> str:
    lines = [
        *map(markdown, writing(manifest.collection)),
        f"Who the people are (age, gender, country, first language): {UNKNOWN}",
        f"Ethical review: {UNKNOWN}",
    ]
    return bullets(lines)


def _validation(manifest: Manifest) -> str:
    lines = [*map(markdown, validating(manifest.collection)), *_blind(manifest)]
    rows = [(markdown(name), *_figure(one)) for name, one in sorted(manifest.agreement.items())]
    found = table(("agreement", "value", "95 % interval", "n"), rows) if rows else None
    return f"{bullets(lines)}\n\n{found or 'Agreement: unknown.'}"


def _blind(manifest: Manifest) -> Iterator[str]:
    n = manifest.splits[layout.BLIND].questions if layout.BLIND in manifest.splits else 0
    if n:
        yield (
            f"How {count(n, 'question')} of the blind test came to be is committed to, and not "
            "published."
        )


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
    too_few = "none, since a split has too few questions"
    smallest = too_few if leaks.detectable is None else number(leaks.detectable, 3)
    lines = [
        f"{count(leaks.tests, 'way')} to learn an answer from anything but the sentences tested; "
        f"probability of any false alarm {leaks.alpha:g}; smallest accuracy that the weakest test "
        f"finds with a power of 80 %: {smallest}.",
        *(f"Found: {markdown(found)}" for found in leaks.found),
    ]
    return bullets(lines if leaks.found else [*lines, "Nothing was found."])


def _maintenance(manifest: Manifest) -> str:
    lines = [
        f"Licence: {markdown(manifest.licence) or UNKNOWN}",
        "A release is never changed. A release that has a fault is retracted with a reason, and "
        "stays readable. CHANGELOG.md tells the differences between releases.",
        "A question that was once in the blind test is never in another split.",
        f"Contact: {UNKNOWN}",
    ]
    return bullets(lines)
