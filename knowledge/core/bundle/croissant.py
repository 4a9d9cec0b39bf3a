"""croissant.json of a knowledge release, from its facts and figures alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collection.core.people import sentences
from corpora.core.bundle.canary import sentence as canary_sentence
from corpora.core.bundle.croissant import record_set, release_description
from corpora.core.bundle.datasheet import NOT_FOR
from corpora.core.bundle.facts import FileFacts
from corpora.core.bundle.lineage import activity, agents, entity, software
from corpora.core.bundle.responsible import (
    DEMONSTRATION_USE,
    NO_BACKGROUND,
    NO_GROUPS,
    NOT_SEARCHED,
    has_synthetic_data,
    social_impact,
)
from corpora.core.bundle.wording import count, number, one_line, were
from knowledge.core.bundle import layout
from knowledge.core.bundle.card import likeness_line, limits, validation_rule
from knowledge.core.bundle.figures import ALL
from knowledge.core.bundle.records import About
from knowledge.core.released import SCHEMA

VERSION = "1.0.0"
"""A knowledge release has no version: under its name there is one, which never changes."""
_BY_PROGRAM = ("negation", "swapped", "replaced")
_TYPES = {"bool": "sc:Boolean", "int32": "sc:Integer"}
_TASK = (
    "The problems are made to measure whether a model sees that knowledge is true and supports an "
    "answer."
)
_BY_MODELS = "Whether people wrote with the help of a language model is not recorded."
Facts = Mapping[str, Any]


def croissant(about: About, statistics: Facts, files: Iterable[FileFacts]) -> str:
    """Return croissant.json; *files* are those of the manifest."""
    pairs = statistics["pairs"][ALL]
    columns = {field.name: _TYPES.get(str(field.type), "sc:Text") for field in SCHEMA}
    records = record_set("problems", layout.PROBLEMS, key=("id", "variant"), columns=columns)
    return release_description(
        about,
        version=VERSION,
        description="Statements of common sense that resolve a Winograd schema question, each with "
        f"a false version: {count(pairs, 'pair')}, in three variants. The task: whether the "
        "knowledge is true and supports the answer.",
        fields=_fields(about, statistics),
        files=files,
        record_sets=[records] if pairs else [],
    )


def _fields(about: About, statistics: Facts) -> dict[str, Any]:
    return {
        "rai:dataCollection": " ".join((*_writing(about, statistics), *sentences(about.people))),
        "rai:dataAnnotationProtocol": [one_line(validation_rule(about))],
        "rai:dataLimitations": [*sentences(about.people), *limits(about), _BY_MODELS],
        "rai:dataBiases": [*_biases(statistics)],
        "rai:personalSensitiveInformation": [*_personal(statistics)],
        "rai:dataUseCases": [*_use_cases(about, statistics)],
        "rai:dataSocialImpact": social_impact(None),
        "rai:hasSyntheticData": _by_program(statistics) > 0 or has_synthetic_data(about.people),
        "prov:wasDerivedFrom": [_source(about)],
        "prov:wasGeneratedBy": [*_activities(about, statistics)],
    }


def _by_program(statistics: Facts) -> int:
    return sum(statistics["problems"][ALL].get(kind, 0) for kind in _BY_PROGRAM)


def _writing(about: About, statistics: Facts) -> Iterator[str]:
    yield (
        f"{count(statistics['pairs'][ALL], 'pair')} of the knowledge set {about.set} about "
        f"{count(statistics['questions'], 'question')}, with "
        f"{count(statistics['formulas'], 'formula')}."
    )
    yield (
        f"{count(_by_program(statistics), 'false version')} {were(_by_program(statistics))} made "
        "from a formula by a program: by negation, or by swapping or replacing a name."
    )


def _biases(statistics: Facts) -> Iterator[str]:
    kinds = (f"{kind} {number(n)}" for kind, n in statistics["problems"][ALL].items())
    yield f"Problems by kind: {', '.join(kinds)}. Half of them are true."
    yield from likeness_line(statistics)
    yield "The files have no measure of whether the label can be told from the statement alone."
    yield NO_GROUPS


def _personal(statistics: Facts) -> Iterator[str]:
    if statistics["agreement"] is None:
        yield "Nobody's answers are in the files, so they name nobody."
    else:
        yield "Annotators have names of this release alone, and no times stand beside them."
    yield NO_BACKGROUND
    yield NOT_SEARCHED
    yield "Consent: not stated."
    yield "Ethics review: not stated."


def _use_cases(about: About, statistics: Facts) -> Iterator[str]:
    if about.people.is_simulated:
        yield DEMONSTRATION_USE
    yield _TASK
    problems = count(2 * statistics["pairs"][ALL], "problem")
    yield f"Evaluation with the labels in these files: {problems}, each in three variants."
    yield NOT_FOR
    if about.canary is not None:
        yield canary_sentence(about.canary)


def _source(about: About) -> dict[str, Any]:
    kind = {"release": "Release", "reference_set": "Reference set"}[about.source.kind]
    return entity(
        f"{kind} {about.source.name}",
        f"The questions; licence {one_line(about.source.licence) or 'unknown'}.",
    )


def _activities(about: About, statistics: Facts) -> Iterator[dict[str, Any]]:
    people, platforms = about.people, about.people.platforms
    writers = agents(people.writers, platforms)
    yield activity("Writing", _writing(about, statistics), wasAssociatedWith=writers)
    validators = agents(people.validators, platforms)
    rule = [validation_rule(about)]
    yield activity("Validation", rule, wasAssociatedWith=validators)
    proofs = (f"{name.replace('_', ' ')}: {number(n)}" for name, n in statistics["proofs"].items())
    yield activity("Proofs", [f"Formalised questions. {'; '.join(proofs)}."])
    left_out = [
        f"{reason.replace('_', ' ')}: {number(n)}" for reason, n in about.left_out.items() if n
    ]
    sentence = (
        f"Pairs left out, by reason: {'; '.join(left_out)}."
        if left_out
        else "No pair was left out."
    )
    yield activity(
        "Release", [sentence], startedAtTime=about.built_at, wasAssociatedWith=[software({})]
    )
