"""The methods section of a release, sentence by sentence; each is true of this very release."""

from collections.abc import Iterator, Mapping

from collection.core.people import sentences
from corpora.core.bundle.facts import SplitFacts
from corpora.core.bundle.layout import DEV, FULL, TEST, TRAINING
from corpora.core.bundle.manifest import Manifest, has_pairs
from corpora.core.bundle.wording import count, number
from evaluation.core.paper_kit import people_text, results_text
from evaluation.core.paper_kit.facts import KitFacts
from evaluation.core.paper_kit.prose import (
    Cited,
    Name,
    Part,
    Plain,
    Quote,
    Sentence,
    commas,
    sentence,
)

REASONS: Mapping[str, str] = {
    "withheld": "shared a sentence with twins of training and of test",
    "in_validation": "could still be asked of a validator",
    "near_duplicate": "were nearly a question of the blind test, or the reverse",
    "blind_not_published": "are blind and never published",
    "not_selected": "were removed from dev by the filter",
}


def methods(facts: KitFacts) -> dict[str, list[Sentence]]:
    """Return the sections of the text; a sentence whose facts are missing is left out or says so.

    Parameters
    ----------
    facts : KitFacts

    Returns
    -------
    dict of str to list of Sentence
        By heading. Numbers are digits, and stand in no other part of the text than these.
    """
    about = facts.manifest
    return {
        "Data set": [*_retraction(facts), *_demonstration(about), *_data_set(about)],
        "Collection": [*people_text.collection(about)],
        "Validation": [*people_text.validation(about)],
        "Agreement": [*results_text.agreement(about)],
        "Pay": [*people_text.pay(about.collection)],
        "Filter": [*results_text.adversarial_filter(about)],
        "People and baselines": [*results_text.baselines(facts)],
        "Leaks": [*results_text.leaks(about)],
        "Limitations": [
            sentence(f"limits.{place}", "A known limit: ", Quote(text))
            for place, text in enumerate((*about.warnings, *about.limits), 1)
        ],
        "Statements": [*results_text.statements(about)],
    }


def _retraction(facts: KitFacts) -> Iterator[Sentence]:
    """Yield no date and no reason: a bundle tells neither, so no check of the text knows them."""
    if facts.is_retracted:
        yield sentence("retraction", "This release was retracted.")


def _demonstration(about: Manifest) -> Iterator[Sentence]:
    if about.people.is_simulated:
        yield sentence("demonstration", "This release is a demonstration.")
    for place, text in enumerate(sentences(about.people), 1):
        yield sentence(f"people.{place}", Plain(text))


def _data_set(about: Manifest) -> Iterator[Sentence]:
    splits = [(stem, about.splits[stem]) for stem in (FULL, DEV, TEST) if stem in about.splits]
    total = sum(split.questions for _, split in splits)
    yield sentence(
        "data.name",
        Quote(about.title), " (release ", Name(about.name), f", version {about.version}, built on "
        f"{about.built_at[:10]}) has {count(total, 'question')}.",
    )  # fmt: skip
    yield sentence(
        "data.form",
        "A question is a sentence with a blank and the options that may fill it, in the form of "
        "WinoGrande ", Cited("winogrande"), ".",
    )  # fmt: skip
    if has_pairs(about):
        yield sentence(
            "data.twins",
            "The questions of a pair differ in a few words and have opposite answers.",
        )
    parts = commas((_size(stem, split) for stem, split in splits))
    yield sentence("data.splits", "Of these, ", *parts, ".")
    yield from _smaller(about)
    yield from _details(about, splits)


def _size(stem: str, split: SplitFacts) -> tuple[Part, ...]:
    size = f"{count(split.questions, 'question')} ({count(split.pairs, 'complete pair')}"
    return (f"{size}, {number(split.unpaired)} without a twin) are in ", Name(stem))


def _smaller(about: Manifest) -> Iterator[Sentence]:
    sizes = [stem for stem in TRAINING if stem in about.splits and stem != FULL]
    if sizes:
        parts = commas(
            (Name(stem), f" with {count(about.splits[stem].questions, 'question')}")
            for stem in sizes
        )
        yield sentence(
            "data.sizes", "Smaller training sets, of complete pairs alone, are ", *parts, "."
        )


def _details(about: Manifest, splits: list[tuple[str, SplitFacts]]) -> Iterator[Sentence]:
    lengths = [
        (f"{number(split.mean_words)} words in ", Name(stem))
        for stem, split in splits
        if split.mean_words is not None
    ]
    if lengths:
        yield sentence("data.length", "The mean length is ", *commas(lengths), ".")
    if TEST in about.splits and about.splits[TEST].questions:
        yield sentence("data.blind", "The answers of the test set are not published.")
    if about.repeats is not None:
        n = about.repeats.questions
        yield sentence(
            "data.repeats",
            f"Of {count(n, 'question')}, {number(about.repeats.repeated)} had the same sentence "
            "and options as another; reworded repeats were not looked for.",
        )
    yield from _left_out(about)


def _left_out(about: Manifest) -> Iterator[Sentence]:
    if not about.left_out:
        return
    parts = commas(
        (f"{number(n)} ", *((REASONS[why],) if why in REASONS else ("for the reason ", Quote(why))))
        for why, n in sorted(about.left_out.items())
    )
    yield sentence(
        "data.left_out",
        f"The snapshot has {count(about.snapshot.questions, 'question')}; "
        f"{number(sum(about.left_out.values()))} are in no file of the release: ", *parts, ".",
    )  # fmt: skip
