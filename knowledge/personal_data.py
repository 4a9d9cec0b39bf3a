"""What the tables of knowledge hold about people."""

from django.utils.translation import gettext_lazy as _

from knowledge.models import (
    Formalisation,
    FormalisingTask,
    Formula,
    KnowledgeRelease,
    KnowledgeReleaseFile,
    KnowledgeSet,
    LexiconEntry,
    Proof,
    Reason,
    Sentence,
    Sweep,
    SweepStep,
)
from winoplatform.personal import ALL, CAMPAIGN, DATA_SET, hold, no_person
from winoplatform.personal.runs import PUBLISHED, hold_run

KEYS = _("keys and codes, which name nobody")

hold(
    Formalisation,
    _("questions as formulas, with their author"),
    _("the data set"),
    CAMPAIGN,
    about={"author": ALL},
    stays={DATA_SET: ("question", "content", "fingerprint")},
)
hold(
    Formula,
    _("formulas of knowledge, with their author"),
    _("the data set"),
    CAMPAIGN,
    about={"author": ALL},
    stays={DATA_SET: ("name", "text", "shown", "digest")},
)
hold(
    Sentence,
    _("knowledge sentences, with their author"),
    _("the data set"),
    CAMPAIGN,
    about={"author": ("text", "kind")},
    stays={DATA_SET: ("text", "mentions", "false_formula")},
)
hold(
    FormalisingTask,
    _("questions that a person has taken to formalise"),
    _("each question has one worker, who is paid"),
    CAMPAIGN,
    about={"worker": ALL},
    stays={KEYS: ("question",)},
)
hold(
    KnowledgeSet,
    _("sets of knowledge, with who made them"),
    _("they are the record of a study"),
    CAMPAIGN,
    did=("created_by",),
    stays={KEYS: ("name", "title", "exercise")},
)
hold_run(
    KnowledgeRelease,
    _("releases of knowledge, with their authors"),
    did=("retracted_by",),
    stays={
        PUBLISHED: (
            "name", "title", "authors", "licence", "retraction_reason", "key", "content_hash",
            "people",
        ),
    },
)  # fmt: skip
hold_run(Sweep, _("new proofs of a set"), stays={KEYS: ("formalisations", "prover")})
no_person(_("files of a release"), KnowledgeReleaseFile)
no_person(_("words of predicates"), LexiconEntry)
no_person(_("proofs"), Proof, SweepStep, Formalisation.formulas.through)
no_person(_("accepted reasons of a published data set"), Reason)
