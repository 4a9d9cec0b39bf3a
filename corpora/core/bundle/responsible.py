"""The responsible-AI fields of a release's Croissant description, from its facts alone."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from collection.core.people import People, PeopleOrigin, sentences
from corpora.core.bundle import layout
from corpora.core.bundle.canary import sentence as canary_sentence
from corpora.core.bundle.card import EMPTY, UNCERTAIN
from corpora.core.bundle.collection import (
    NAMES,
    has_votes,
    validating,
    votes_per_question,
    writing,
)
from corpora.core.bundle.datasheet import (
    LIMITS,
    NOT_FOR,
    background_line,
    fresh_models,
    leak_lines,
)
from corpora.core.bundle.facts import Collection, Figure, HumanPerformance
from corpora.core.bundle.lineage import lineage
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import NOT_STATED, count, number, one_line

REQUIRED = (
    "rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation",
    "rai:dataUseCases", "rai:dataSocialImpact", "rai:hasSyntheticData",
    "prov:wasDerivedFrom", "prov:wasGeneratedBy",
)  # fmt: skip
"""The fields that NeurIPS asks for since 2026: each is in every description."""
DEMONSTRATION_USE = (
    "This release is a demonstration: it is for trying out programs, and not for measuring models "
    "or people."
)
NO_GROUPS = "The files have no measure of biases about groups of people."
NO_BACKGROUND = (
    "The release has no answers of people to questions about themselves, such as their age."
)
NOT_SEARCHED = (
    "The platform did not search the texts for personal information, or for names of real people."
)
BY_PEOPLE = (
    "Not recorded: people did the work, and whether they had the help of a language model is not "
    "known."
)
_BY_MODELS = (
    "Whether people wrote with the help of a language model is not recorded; the column origin "
    "has how each text was entered."
)


def responsible_ai(manifest: Manifest) -> dict[str, Any]:
    """Return `REQUIRED`, and the other fields that the facts can fill.

    Source: the vocabulary's version 1.0, and the venue's ``rai:hasSyntheticData``, which is a text
    where neither true nor false is known.
    """
    required = {
        "rai:dataLimitations": [*_limitations(manifest)],
        "rai:dataBiases": [*_biases(manifest)],
        "rai:personalSensitiveInformation": [*_personal(manifest)],
        "rai:dataUseCases": [*_use_cases(manifest)],
        "rai:dataSocialImpact": social_impact(manifest.statements.social_impact),
        "rai:hasSyntheticData": has_synthetic_data(manifest.people),
        **lineage(manifest),
    }
    others = {f"rai:{name}": value for name, value in _others(manifest).items() if value}
    return {**others, **required}


def has_synthetic_data(people: People) -> bool | str:
    """Return true if programs did a part of the work, else a sentence: it is never known not to be.

    >>> has_synthetic_data(People(origins=("simulated", "crowd")))
    True
    >>> has_synthetic_data(People(origins=("crowd",)))
    'Not recorded: people did the work, and whether they had the help of a language model is not \
known.'
    """
    if people.is_simulated:
        return True
    if people.origins and {*people.origins} <= {PeopleOrigin.INVITED, PeopleOrigin.CROWD}:
        return BY_PEOPLE
    return " ".join(
        ("Not known.", *(sentences(people) or ["It is not recorded who worked on it."]))
    )


def social_impact(stated: str | None) -> str:
    """Return what is stated of the social impact, or that nothing is."""
    return f"{one_line(stated or '') or NOT_STATED.capitalize()} {NOT_FOR}"


def _limitations(manifest: Manifest) -> Iterator[str]:
    people = manifest.people
    if people.is_simulated:
        yield from sentences(people)
    if set(people.writers or people.origins) - {PeopleOrigin.SIMULATED}:
        yield _BY_MODELS
    yield from (one_line(text) for text in (*LIMITS, *manifest.limits))
    yield from (one_line(text) for text in manifest.warnings if _is_of_size(text))


def _biases(manifest: Manifest) -> Iterator[str]:
    yield from (one_line(text) for text in manifest.warnings if not _is_of_size(text))
    if manifest.selection is None:
        yield (
            "No filter run is behind this release: its files do not say whether a linear model "
            "can guess answers."
        )
    else:
        yield (
            "Fresh linear models, before the filter: "
            f"{fresh_models(manifest.selection, 'before')} After it: "
            f"{fresh_models(manifest.selection, 'after')}"
        )
    if manifest.leaks is None:
        yield "No search for leaks was recorded."
    else:
        yield from leak_lines(manifest.leaks, one_line)
    yield _domains(manifest)
    yield f"Population of the people: {one_line(manifest.statements.population) or NOT_STATED}"
    yield NO_GROUPS


def _is_of_size(warning: str) -> bool:
    return warning.endswith((UNCERTAIN, EMPTY))


def _domains(manifest: Manifest) -> str:
    counts: Counter[str] = Counter()
    for stem in (layout.FULL, layout.DEV, layout.BLIND):
        if stem in manifest.splits:
            counts.update(manifest.splits[stem].domains)
    named = (f"{one_line(name) or 'none'} {number(n)}" for name, n in sorted(counts.items()))
    return f"Domains of the questions: {', '.join(named) or 'not known'}."


def _personal(manifest: Manifest) -> Iterator[str]:
    stated = manifest.statements
    yield from _pseudonyms(manifest.collection)
    if manifest.background:
        yield "Answers to optional questions about people, as counts:"
        yield from (background_line(counts, one_line) for counts in manifest.background)
    else:
        yield NO_BACKGROUND
    yield NOT_SEARCHED
    yield f"Consent: {one_line(stated.consent) or NOT_STATED}"
    yield f"Ethics review: {one_line(stated.ethics_review) or NOT_STATED}"


def _pseudonyms(facts: Collection) -> tuple[str, ...]:
    if not facts.written and not has_votes(facts):
        return ("Nobody wrote or validated the published provenance here, so it names nobody.",)
    if facts.names is None:
        return ("Writers and validators have pseudonyms that no other release uses.",)
    return ("Writers and validators have pseudonyms.", *NAMES)


def _use_cases(manifest: Manifest) -> Iterator[str]:
    if manifest.people.is_simulated:
        yield DEMONSTRATION_USE
    yield (
        "The questions are made to measure whether a model resolves a reference by common sense, "
        "in the form of the Winograd schema challenge."
    )
    yield from _splits(manifest)
    yield from map(_performance, manifest.human)
    if not manifest.human:
        yield "People's performance: not measured with fresh votes when this was built."
    yield NOT_FOR
    if manifest.canary is not None:
        yield canary_sentence(manifest.canary)


def _splits(manifest: Manifest) -> Iterator[str]:
    uses = {
        layout.training_stem(manifest.stems): "Training",
        layout.DEV: "Evaluation with the labels in these files",
        layout.BLIND: "Evaluation by those who hold the labels, which are secret",
    }
    for stem, use in uses.items():
        n = manifest.splits[stem].questions if stem in manifest.splits else 0
        yield f"{use}: {stem} ({count(n, 'question')})." if n else f"{use}: none; {stem} is empty."


def _performance(human: HumanPerformance) -> str:
    figure = human.majority
    said = "unknown" if figure.value is None else f"{figure.value:.3f}{_interval(figure)}"
    where = "the snapshot" if human.split == "all" else human.split
    where += f" of the release {human.release}" if human.release else ""
    return " ".join(
        (
            f"People's performance on {count(human.questions, 'question')} of {where}: right "
            f"majorities {said}, from {count(human.votes, 'fresh vote')} of "
            f"{count(human.people, 'person')}.",
            *sentences(human.who),
        )
    )


def _others(manifest: Manifest) -> dict[str, Any]:
    facts, stated = manifest.collection, manifest.statements
    times = [month for month in (facts.first_written, facts.last_written) if month]
    return {
        "dataCollection": " ".join((*map(one_line, writing(facts)), *sentences(manifest.people))),
        "dataCollectionType": _collection_types(manifest.people),
        "dataCollectionTimeframe": list(dict.fromkeys(times)),
        "dataAnnotationProtocol": [*_protocol(facts), *map(one_line, validating(facts))],
        "dataAnnotationPlatform": ["WinoPlatform", *manifest.people.platforms],
        "dataAnnotationAnalysis": [
            f"{one_line(name)}: {figure.value:.3f}{_interval(figure)} (n = {figure.n})"
            for name, figure in sorted(manifest.agreement.items())
            if figure.value is not None
        ],
        "annotationsPerItem": votes_per_question(facts),
        "annotatorDemographics": [
            *sentences(manifest.people),
            one_line(stated.population) or "Population: not stated.",
        ],
        "dataManipulationProtocol": "The order of the options and the ids are random; twins have "
        "the same order.",
        "dataPreprocessingProtocol": [_filter(manifest)],
        "dataReleaseMaintenancePlan": "A release is never changed; see CHANGELOG.md. Contact: "
        f"{one_line(stated.contact) or NOT_STATED}",
    }


def _protocol(facts: Collection) -> list[str]:
    if not has_votes(facts):
        return []
    return [
        "Validators answer from the context near the blank, then from the whole sentence, and "
        "say whether it is ambiguous."
    ]


def _collection_types(people: People) -> list[str]:
    """Return how texts were collected, in the values that the extension recommends."""
    of = {PeopleOrigin.SIMULATED: "Others", PeopleOrigin.IMPORTED: "Secondary Data analysis"}
    types = (of.get(PeopleOrigin(writer), "Manual Human Curator") for writer in people.writers)
    return list(dict.fromkeys(types))


def _interval(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f", 95 % interval {figure.low:.3f} to {figure.high:.3f}"


def _filter(manifest: Manifest) -> str:
    if manifest.selection is None:
        return "None."
    return f"{layout.DEBIASED} has what a filter kept; its settings are in {layout.MANIFEST}."
