"""The datasheet of a release, in the sections of Gebru et al. (2021), from its facts alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from collection.core.people import People, sentences
from corpora.core.bundle import layout
from corpora.core.bundle.collection import validating, writing
from corpora.core.bundle.facts import BackgroundCounts, Figure, HumanPerformance
from corpora.core.bundle.filter_facts import fresh_results, settings_of
from corpora.core.bundle.front_matter import questions
from corpora.core.bundle.manifest import LeakSummary, Manifest
from corpora.core.bundle.wording import (
    UNKNOWN,
    bullets,
    code,
    count,
    markdown,
    number,
    stated,
    table,
)

LIMITS = (
    "What the writers and validators take for common sense need not hold elsewhere.",
    "Accuracy on questions whose twin is in the set is best read as pair accuracy: both right.",
)
DIRECTIONS = {
    "above": "above one half",
    "below": "below one half",
    "none": "neither above nor below one half was found",
}
NOT_FOR = "Not for decisions about people."


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
            [
                NOT_FOR,
                *LIMITS,
                *map(markdown, (*manifest.warnings, *manifest.limits)),
                f"Social impact: {stated(manifest.statements.social_impact or '')}",
            ]
        ),
        "Distribution and maintenance": _maintenance(manifest),
        "Software": bullets(f"{markdown(k)}: {markdown(v)}" for k, v in manifest.software.items()),
    }
    texts = (f"### {title}\n\n{text}\n" for title, text in sections.items())
    return "## Datasheet\n\n" + "\n".join(texts)


def who_lines(people: People) -> list[str]:
    """Return who did some work, as lines of Markdown; none where nothing is known of it."""
    return [markdown(line) for line in sentences(people)]


def demonstration(people: People) -> list[str]:
    """Return what a card says first if the data set is a demonstration, as a Markdown quotation."""
    if not people.is_simulated:
        return []
    return [f"> {' '.join(('**This release is a demonstration.**', *who_lines(people)))}\n"]


def _motivation(manifest: Manifest) -> str:
    lines = [
        "Purpose: to measure whether a model resolves a reference by common sense, in the form of "
        "the Winograd schema challenge.",
        f"Campaign: {markdown(manifest.campaign) or UNKNOWN}",
        f"Funding: {stated(manifest.statements.funding)}",
    ]
    return bullets(lines)


def _composition(manifest: Manifest) -> str:
    lines = [
        f"{count(questions(manifest), 'question')} in the full training set, dev and test, from "
        f"the snapshot `{manifest.snapshot.questions_sha256}`.",
        _repeats(manifest),
        *(f"Entered as {markdown(k)}: {number(n)}" for k, n in manifest.origin.questions.items()),
        "A text counts as pasted if at least "
        f"{number(100 * manifest.origin.pasted_from_share, 0)} % of it was pasted.",
    ]
    return bullets(lines)


def _repeats(manifest: Manifest) -> str:
    facts = manifest.repeats
    if facts is None:
        return f"Questions that repeat another one: {UNKNOWN}"
    same = "the same sentence and options, apart from case, spaces and forms of marks"
    if not facts.repeated:
        return f"No question has {same}, as another one. Reworded ones were not looked for."
    return (
        f"{number(facts.repeated)} of {count(facts.questions, 'question')} repeat another one: "
        f"{same}. {number(facts.across_splits)} repeat one of another split. In train and dev "
        f"{number(facts.same_answer)} repeat one with the same answer, and "
        f"{number(facts.other_answer)} one with the other. Reworded ones were not looked for."
    )


def _collection(manifest: Manifest) -> str:
    lines = [
        *who_lines(manifest.people),
        *map(markdown, writing(manifest.collection)),
        "Population (age, gender, country, first language): "
        f"{stated(manifest.statements.population)}",
        f"Consent: {stated(manifest.statements.consent)}",
        f"Ethics review: {stated(manifest.statements.ethics_review)}",
        *map(background_line, manifest.background or ()),
    ]
    return bullets(lines)


def background_line(counts: BackgroundCounts, show: Callable[[str], str] = markdown) -> str:
    """Return the counts of the answers to one question about people, in one line.

    *show* makes a text of people part of it.
    """
    lines = [f"{show(option)}: {number(n)}" for option, n in sorted(counts.lines.items())]
    if counts.rest is not None:
        lines.append(f"other or no answer: {number(counts.rest)}")
    return (
        f"{show(counts.text)} {'; '.join(lines) or 'other or no answer'} "
        f"({count(counts.people, 'person')}; rounded down to multiples of {counts.least})."
    )


def _validation(manifest: Manifest) -> str:
    lines = [
        *who_lines(manifest.people),
        *map(markdown, validating(manifest.collection)),
        *blind_lines(manifest),
    ]
    rows = [(markdown(name), *_figure(row)) for name, row in sorted(manifest.agreement.items())]
    rows_table = table(("agreement", "value", "95 % interval", "n"), rows) if rows else None
    about = "The intervals are over pairs, for these validators." if rows else ""
    return "\n\n".join(filter(None, [bullets(lines), rows_table or "Agreement: unknown.", about]))


def blind_lines(manifest: Manifest) -> Iterator[str]:
    """Yield what is not published of the blind questions, if there are any."""
    n = manifest.splits[layout.BLIND].questions if layout.BLIND in manifest.splits else 0
    if n:
        yield (
            f"How {count(n, 'question')} of the blind test came to be is committed to, and not "
            "published."
        )


def _figure(figure: Figure | None) -> tuple[str, str, str]:
    if figure is None or figure.value is None:
        return "unknown", "unknown", number(figure.n) if figure else "0"
    return number(figure.value, 3), _between(figure.low, figure.high), number(figure.n)


def _between(low: float | None, high: float | None) -> str:
    return "unknown" if None in (low, high) else f"{number(low, 3)} to {number(high, 3)}"


def _filter(manifest: Manifest) -> str:
    if manifest.selection is None:
        return "None: no question was left out because models can guess it."
    rows = [(code(name), markdown(text)) for name, text in settings_of(manifest.selection)]
    before, after = (fresh_models(manifest.selection, when) for when in ("before", "after"))
    return (
        f"`{layout.DEBIASED}` has the questions that the filter kept; `{layout.FULL}` has all.\n\n"
        f"{bullets([f'Fresh linear models before: {before}', f'after: {after}'])}\n\n"
        "One half is chance. An accuracy below it is a leak too: reversed, the predictions tell "
        "the answer. The test is of all questions together, for linear models on this encoding; "
        "without a bias it finds one in about 5 % of sets. Accuracies are not published, since "
        "they depend on blind labels; anyone can measure them on the public splits.\n\n"
        f"{table(('setting', 'value'), rows)}"
    )


def fresh_models(selection: Mapping[str, Any], when: str) -> str:
    """Return how fresh models compare with one half, or that it is unknown.

    *when* is 'before' or 'after' the filter.
    """
    about = fresh_results(selection).get(when)
    if about is None:
        return "unknown."
    n, detectable = about.get("n"), about.get("detectable")
    text = DIRECTIONS.get(str(about.get("direction")), "not measured")
    if about.get("direction") == "none" and detectable:
        text += (
            f"; an accuracy of {number(detectable, 3)} or more, or of {number(1 - detectable, 3)} "
            "or less, would have been found with a probability of at least 80 %"
        )
    return f"{text} ({count(n, 'question')})." if n else f"{text}."


def _people(manifest: Manifest) -> str:
    if not manifest.human:
        return "Unknown: no evaluation by people had all its fresh votes when this was built."
    return "\n\n".join(map(_performance, manifest.human))


def _performance(human: HumanPerformance) -> str:
    measures = {"votes": human.individual, "majorities": human.majority, "pairs": human.group}
    rows = [
        (f"right {name}", *_figure(row), _between(row.people_low, row.people_high) if row else "")
        for name, row in measures.items()
    ]
    people = count(human.people, "person")
    intro = (
        f"On {count(human.questions, 'question')} of {_where(human)}: "
        f"{count(human.votes, 'fresh vote')} of {people}."
    )
    who = "".join(f" {line}" for line in who_lines(human.who))
    titles = ("share", "value", "95 % interval, these people", "n", "people like them")
    about = (
        "The first interval says how the same people would do on other such questions; the second "
        "how other people like them would do. It is unknown if there were too few."
    )
    return f"{intro}{who}\n\n{table(titles, rows)}\n\n{about}"


def _where(human: HumanPerformance) -> str:
    if human.release:
        return f"{code(human.split)} of the release {code(human.release)}"
    return "the snapshot" if human.split == "all" else code(human.split)


def _leaks(manifest: Manifest) -> str:
    if manifest.leaks is None:
        return "Unknown: no leak report was made."
    return bullets(leak_lines(manifest.leaks))


def leak_lines(leaks: LeakSummary, show: Callable[[str], str] = markdown) -> list[str]:
    """Return what was looked for and found by the search for leaks; *show* as of a background."""
    return [
        f"Publication (ids, line numbers, files, hashes, fields, lengths, other releases): "
        f"{count(leaks.tests, 'clue')} tested; {_weakest(leaks.detectable)}. "
        f"{_clue_text(leaks.found, show)}",
        *_texts(leaks, show),
        f"Probability of any false alarm, in both together: {leaks.alpha:g}.",
    ]


def _texts(leaks: LeakSummary, show: Callable[[str], str]) -> Iterator[str]:
    if not leaks.texts:
        yield "The sentences and options were not searched for clues."
        return
    kinds = "; ".join(
        f"{kind} ({'too rare to be found' if share is None else number(share, 3)})"
        for kind, share in leaks.texts.items()
    )
    yield f"Sentences and options of the labelled splits: {_clue_text(leaks.text_found, show)}"
    yield (
        f"Kinds of clues looked for in them: {kinds}. In brackets: the accuracy of one clue of the "
        "kind that is found with a power of 80 %, in the split where it is smallest."
    )


def _weakest(detectable: float | None) -> str:
    if detectable is None:
        return "too few questions in a split"
    return f"an accuracy of {number(detectable, 3)} is found with a power of 80 %"


def _clue_text(sentences: Sequence[str], show: Callable[[str], str]) -> str:
    if not sentences:
        return "No clue of these kinds was found."
    return f"Found: {' '.join(map(show, sentences))}"


def _maintenance(manifest: Manifest) -> str:
    lines = [
        f"Licence: {markdown(manifest.licence) or UNKNOWN}",
        "A release is never changed. A release that has a fault is retracted with a reason, and "
        "stays readable. CHANGELOG.md tells the differences between releases.",
        "A question that was once in the blind test is never in another split.",
        f"Contact: {stated(manifest.statements.contact)}",
    ]
    return bullets(lines)
