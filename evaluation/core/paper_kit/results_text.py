"""Agreement, filter, people, baselines, leaks and statements of a release, in sentences."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpora.core.bundle.facts import Figure, HumanPerformance
from corpora.core.bundle.filter_facts import fresh_results
from corpora.core.bundle.layout import DEBIASED, FULL
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import count, flat, number
from evaluation.core.paper_kit.facts import KitFacts
from evaluation.core.paper_kit.prose import Name, Part, Quote, Sentence, commas, quote, sentence

PARTS = {
    "answer": "On the answer",
    "ambiguity": "On whether a question is ambiguous",
    "local": "On the answer from the text near the blank",
}
MEASURES = {
    "raw": "raw agreement",
    "alpha": "Krippendorff's alpha",
    "kappa": "Fleiss' kappa",
}
STATED = {
    "contact": "Contact",
    "population": "Population",
    "consent": "Consent",
    "ethics_review": "Ethics review",
    "social_impact": "Social impact",
    "funding": "Funding",
}
FRESH = {
    "above": "were right more often than chance",
    "below": "were right less often than chance, which is a leak too",
    "none": "were neither above nor below chance as far as the test tells",
}


def agreement(about: Manifest) -> Iterator[Sentence]:
    """Yield the agreement of the first votes, by part of a vote."""
    if not about.agreement:
        yield sentence("agreement.none", "Agreement was not measured.")
        return
    for part, subject in PARTS.items():
        measured = [
            f"{name} {_figure(about.agreement[f'{part}_{measure}'])}"
            for measure, name in MEASURES.items()
            if f"{part}_{measure}" in about.agreement
        ]
        if measured:
            yield sentence(f"agreement.{part}", f"{subject}, {', '.join(measured)}.")
    yield sentence(
        "agreement.about",
        "These are of the votes that were due; the intervals are over pairs, for these validators.",
    )


def _figure(figure: Figure) -> str:
    n = f"n = {number(figure.n)}"
    if figure.value is None:
        return f"is not defined ({n})"
    return f"is {_signed(figure.value)} ({_interval(figure.low, figure.high)}{n})"


def _interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"95 % interval {_signed(low)} to {_signed(high)}, "


def _signed(value: float) -> str:
    return number(value, 3).replace("-", "−")


def adversarial_filter(about: Manifest) -> Iterator[Sentence]:
    """Yield what was left out because models can guess it, and how fresh models did."""
    selection = about.selection
    if selection is None:
        yield sentence(
            "filter.none", "No filter was applied: models may guess answers from associations."
        )
        return
    settings = selection.get("filter")
    settings = settings if isinstance(settings, Mapping) else {}
    if isinstance(settings.get("kept"), int):
        yield sentence(
            "filter.kept",
            f"The filter kept {number(settings['kept'])} of "
            f"{count(about.snapshot.questions, 'question')} of the snapshot.",
        )
    parts = [
        (quote(name), " = ", quote(text))
        for name, text in flat({k: v for k, v in settings.items() if k != "fresh_models"})
        if not name.startswith("kept") and not name.endswith("sha256")
    ]
    if parts:
        yield sentence("filter.settings", "Its settings were ", *commas(parts), ".")
    encoding = selection.get("encoding")
    if isinstance(encoding, Mapping) and "encoder" in encoding:
        yield sentence(
            "filter.encoder",
            "It judged questions by features from the model ", Quote(str(encoding["encoder"])), ".",
        )  # fmt: skip
    if DEBIASED in about.splits and FULL in about.splits:
        yield _before_after(about)
    for when, result in fresh_results(selection).items():
        yield from _fresh(when, result)


def _before_after(about: Manifest) -> Sentence:
    after, before = about.splits[DEBIASED], about.splits[FULL]
    return sentence(
        "filter.sizes",
        f"Of the full training set with {count(before.questions, 'question')} and "
        f"{count(before.pairs, 'complete pair')}, {count(after.questions, 'question')} and "
        f"{count(after.pairs, 'complete pair')} are in ", Name(DEBIASED), ".",
    )  # fmt: skip


def _fresh(when: str, about: Mapping[str, Any]) -> Iterator[Sentence]:
    if about.get("direction") not in FRESH:
        return
    text = f"{when.capitalize()} the filter, fresh linear models {FRESH[about['direction']]}"
    if isinstance(about.get("n"), int):
        text += f" ({count(about['n'], 'question')})"
    detectable = about.get("detectable")
    if about["direction"] == "none" and isinstance(detectable, float):
        text += (
            f"; an accuracy of {number(detectable, 3)} or more would have been found with a "
            "probability of at least 80 %"
        )
    yield sentence(f"filter.{when}", f"{text}.")


def baselines(facts: KitFacts) -> Iterator[Sentence]:
    """Yield people's performance, chance, and the answer that ignores the question."""
    for place, human in enumerate(facts.manifest.human, 1):
        yield _human(f"people.performance.{place}", human)
    if not facts.manifest.human:
        yield sentence("people.performance", "People's performance was not measured.")
    yield sentence(
        "baselines.chance",
        "A random guess is expected to answer 50 % of the questions, and 25 % of the pairs as a "
        "whole.",
    )
    one = facts.baseline
    if one is not None:
        text = (
            f"Always answering with option {one.option}, which is right at least as often as the "
            f"other in the full training set, answers {number(one.right)} of "
            f"{count(one.questions, 'question')} of dev ({_percent(one.right, one.questions)})"
        )
        if one.pairs:
            text += (
                f" and {number(one.right_pairs)} of {count(one.pairs, 'pair')} "
                f"({_percent(one.right_pairs, one.pairs)})"
            )
        yield sentence("baselines.position", f"{text}.")
    yield sentence("baselines.models", "The release has no scores of models.")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _human(key: str, human: HumanPerformance) -> Sentence:
    where: tuple[Part, ...] = ("the split ", Quote(human.split))
    if human.release:
        where = (*where, " of the release ", Quote(human.release))
    elif human.split == "all":
        where = ("the snapshot",)
    shares = {"votes": human.individual, "majorities": human.majority, "pairs": human.group}
    measured = "; ".join(
        f"the share of right {name} {_figure(figure)}"
        for name, figure in shares.items()
        if figure is not None
    )
    return sentence(
        key,
        f"{count(human.people, 'person')} gave {count(human.votes, 'fresh vote')} on "
        f"{count(human.questions, 'question')} of ", *where, f": {measured}.",
    )  # fmt: skip


def leaks(about: Manifest) -> Iterator[Sentence]:
    """Yield what was tested to learn an answer from the publication or from the texts."""
    report = about.leaks
    if report is None:
        yield sentence("leaks.none", "Leaks were not searched for.")
        return
    yield sentence(
        "leaks.publication",
        f"{count(report.tests, 'clue')} in the publication (ids, order, files, earlier releases) "
        "were tested; parts of the release in which any tells answers: "
        f"{number(len(report.found))}.",
    )
    if report.texts:
        yield sentence(
            "leaks.texts",
            f"{count(len(report.texts), 'kind')} of clues in sentences and options were searched "
            f"for; splits in which any tells answers: {number(len(report.text_found))}.",
        )
    else:
        yield sentence("leaks.texts", "Sentences and options were not searched for clues.")
    yield sentence(
        "leaks.alpha",
        f"The probability of a false alarm is {report.alpha:g} in all tests together.",
    )


def statements(about: Manifest) -> Iterator[Sentence]:
    """Yield what the makers state, and what they do not."""
    for name, what in STATED.items():
        text = (getattr(about.statements, name) or "").strip()  # older releases have fewer
        yield _stated(f"stated.{name}", what, text, nothing="not stated")
    yield _stated("stated.licence", "Licence", about.licence.strip(), nothing="unknown")


def _stated(key: str, what: str, text: str, *, nothing: str) -> Sentence:
    if not text:
        return sentence(key, f"{what}: {nothing}.")
    return sentence(key, f"{what}: ", Quote(text), "" if text.endswith((".", "!", "?")) else ".")
