"""Load the formalised twins of the starter campaign into a knowledge set over its first release.

Their formulas, lexicon and false versions are in ``twins.json``. The twins have the split "train",
so no label of theirs is ever held back. Everything goes through the services; a sweep proves it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collection.models import Question
from corpora.core.items import Item
from corpora.models import Release
from corpora.selectors import released
from knowledge import services
from knowledge.core import formalisation as core
from knowledge.models import Formalisation, Formula, KnowledgeSet, Sentence
from validation.starter import SLUG, client_key

NAME = "starter"
FILE = Path(__file__).with_name("twins.json")


@dataclass(frozen=True, slots=True)
class _Starter:
    """A question of the release with its part of the file."""

    item: Item
    twin: Mapping[str, Any]
    question: Mapping[str, Any]


def load(release: Release) -> KnowledgeSet:
    """Load what the release has of the formalised twins; what is there already stays.

    An interrupted load continues when it is called again. The set belongs to the release that it
    was first loaded from: another one changes nothing.
    """
    data = json.loads(FILE.read_text())
    knowledge_set = KnowledgeSet.objects.filter(name=NAME).first()
    if knowledge_set is not None and knowledge_set.release_id != release.pk:
        return knowledge_set
    over = knowledge_set or services.create_knowledge_set(
        name=NAME, title="Starter knowledge", release=release, by=None
    )
    formulas = _vocabulary(over, data)
    for question in _questions(release, data["twins"]):
        made = services.formalise(
            knowledge_set=over,
            question=question.item.id,
            formalisation=formalisation_of(question.twin, question.question, question.item),
            formulas=[formulas[question.question["formula"]]],
            by=None,
        )
        _write_pair(made, formulas[question.question["formula"]], question.question["false"])
    if not over.sweeps.exists() and over.formalisations.exists():
        services.start_sweep(knowledge_set=over, by=None)
    return over


def _vocabulary(over: KnowledgeSet, data: Mapping[str, Any]) -> dict[str, Formula]:
    for words in data["lexicon"]:
        services.put_words(knowledge_set=over, **words)
    by_name = {row.name: row for row in over.formulas.all()}
    return by_name | {
        row["name"]: services.add_formula(knowledge_set=over, by=None, **row)
        for row in data["formulas"]
        if row["name"] not in by_name
    }


def _questions(release: Release, twins: list[dict[str, Any]]) -> Iterator[_Starter]:
    """Yield the questions of these twins, in the order of the release."""
    by_key = {client_key(twin["key"]): twin for twin in twins}
    rows = Question.objects.filter(twin__client_key__in=by_key)
    places = {
        str(id): (by_key[key], number - 1)  # type: ignore[index]  # filtered by the key
        for id, key, number in rows.values_list("public_id", "twin__client_key", "number")
    }
    for row in released(release):
        if row.question in places:
            twin, at = places[row.question]
            yield _Starter(row.item, twin, twin["questions"][at])


def formalisation_of(
    twin: Mapping[str, Any], question: Mapping[str, Any], item: Item
) -> core.Formalisation:
    """Return a question's formalisation, with the options in the order of *item*."""
    names = {words.removeprefix("the "): name for name, words, *_kind in twin["things"][:2]}
    options = tuple(names[option.removeprefix("the ")] for option in item.options)
    assert item.answer is not None  # the release's own questions have one
    return core.Formalisation(
        things=tuple(
            core.Thing(name, words, kind[0] if kind else twin["kind"])
            for name, words, *kind in twin["things"]
        ),
        options=options,
        answer=options[item.answer - 1],
        pronoun=twin["pronoun"],
        scene=tuple(question["scene"]),
        clause=question["clause"],
        outcome=question["outcome"],
    )


def _write_pair(made: Formalisation, formula: Formula, false: Mapping[str, str]) -> None:
    """Draft the true sentence by the lexicon, and write its false version."""
    true = Sentence.objects.filter(formalisation=made, of=None).first()
    if true is None:
        text, mentions = services.draft(formalisation=made, formula=formula)
        true = services.write_sentence(
            knowledge_set=made.knowledge_set,
            formalisation=made,
            formula=formula,
            text=text,
            mentions=mentions,
            by=None,
        )
    if not Sentence.objects.filter(of=true).exists():
        services.write_false_version(
            of=true, kind=false["kind"], text=false["text"], false_formula=false["formula"], by=None
        )
