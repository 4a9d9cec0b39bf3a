"""Addresses of the pages of knowledge sets, their validation and their releases."""

from django.urls import path

from frontend.knowledge import checking as knowledge_reasons
from frontend.knowledge import exercise as formalising_exercise
from frontend.knowledge import formulas as knowledge_formulas
from frontend.knowledge import pay as knowledge_pay
from frontend.knowledge import questions as formalising
from frontend.knowledge import releases as knowledge_releases
from frontend.knowledge import sentences as knowledge_sentences
from frontend.knowledge import sets as knowledge
from frontend.knowledge import validation as set_validation

urlpatterns = [
    path("knowledge/", knowledge.knowledge_sets, name="knowledge-sets"),
    path("new-knowledge-set/", knowledge.new_knowledge_set, name="new-knowledge-set"),
    path("knowledge/<slug:name>/", knowledge.knowledge_set, name="knowledge-set"),
    path("knowledge/<slug:name>/sweeps/", knowledge.start_sweep, name="start-sweep"),
    path(
        "knowledge/<slug:name>/questions/<path:question>",
        formalising.question,
        name="knowledge-question",
    ),
    path("knowledge/<slug:name>/check/<path:question>", formalising.check, name="check-knowledge"),
    path("knowledge/<slug:name>/prove/<path:question>", formalising.prove, name="prove-knowledge"),
    path(
        "knowledge/<slug:name>/prove-pair/<path:question>",
        formalising.prove_pair,
        name="prove-knowledge-pair",
    ),
    path(
        "knowledge/<slug:name>/exercise/",
        formalising_exercise.exercise,
        name="knowledge-exercise",
    ),
    path(
        "knowledge/<slug:name>/exercise/<path:question>",
        formalising_exercise.attempt,
        name="knowledge-attempt",
    ),
    path("knowledge/<slug:name>/take/<path:question>", formalising.take, name="take-question"),
    path(
        "knowledge/<slug:name>/return/<path:question>",
        formalising.give_back,
        name="return-question",
    ),
    path(
        "knowledge/<slug:name>/formulas/",
        knowledge_formulas.formulas,
        name="knowledge-formulas",
    ),
    path("knowledge/<slug:name>/words/", knowledge_formulas.put_words, name="put-words"),
    path(
        "knowledge/<slug:name>/sentences/",
        knowledge_sentences.sentences,
        name="knowledge-sentences",
    ),
    path(
        "knowledge/<slug:name>/write/<path:question>",
        knowledge_sentences.write,
        name="write-sentence",
    ),
    path(
        "knowledge/<slug:name>/preview/<path:question>",
        knowledge_sentences.preview,
        name="preview-sentence",
    ),
    path(
        "knowledge/<slug:name>/sentences/<uuid:sentence_id>/",
        knowledge_sentences.sentence,
        name="knowledge-sentence",
    ),
    path(
        "knowledge/<slug:name>/sentences/<uuid:sentence_id>/offers/",
        knowledge_sentences.offers,
        name="false-versions",
    ),
    path(
        "knowledge/<slug:name>/sentences/<uuid:sentence_id>/delete/",
        knowledge_sentences.delete,
        name="delete-sentence",
    ),
    path("knowledge/<slug:name>/pay/", knowledge_pay.pay, name="knowledge-pay"),
    path(
        "knowledge/<slug:name>/validation/", set_validation.validation, name="knowledge-validation"
    ),
    path("knowledge/<slug:name>/releases/", knowledge_releases.releases, name="knowledge-releases"),
    path("knowledge-releases/<slug:name>/", knowledge_releases.release, name="knowledge-release"),
    path(
        "knowledge-releases/<slug:name>/evaluate/",
        knowledge_releases.evaluate,
        name="evaluate-knowledge",
    ),
    path(
        "knowledge-releases/<slug:name>/retract/",
        knowledge_releases.retract,
        name="retract-knowledge",
    ),
    path(
        "knowledge-releases/<slug:name>/files/<path:file_name>",
        knowledge_releases.release_file,
        name="knowledge-release-file",
    ),
    path(
        "knowledge-releases/<slug:name>/croissant.json",
        knowledge_releases.release_metadata,
        name="knowledge-release-metadata",
    ),
    path("reasons/<slug:collection>/", knowledge_releases.reason_figures, name="reason-figures"),
    path("reasons/", knowledge_reasons.reasons, name="reasons"),
]
