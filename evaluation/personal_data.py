"""What the tables of evaluations hold about people."""

from django.utils.translation import gettext_lazy as _

from evaluation.models import (
    ArtifactDetection,
    AuditedKey,
    Evaluation,
    EvaluationBlock,
    FineTuning,
    FineTuningStep,
    Grid,
    GridTarget,
    KeyAudit,
    KeyPanel,
    Leaderboard,
    ServerAnswer,
    StarterLoad,
    Submission,
)
from winoplatform.personal import ALL, CAMPAIGN, hold, no_person
from winoplatform.personal.runs import PUBLISHED, RESULTS, hold_run

hold_run(
    Evaluation,
    _("answers of models and people"),
    stays={
        RESULTS: (
            "split",
            "transformation",
            "method",
            "variant",
            "model",
            "reasons",
            "trained_on",
            "rates_of",
            "system_name",
            "report",
            "weights_sha256",
            "config_sha256",
            "revision",
            "data_sha256",
            "corpus_sha256",
            "head_check",
            "code_version",
            "dropped",
            "metrics",
            "figures",
        )
    },
)
hold_run(
    ArtifactDetection,
    _("searches for leaks"),
    stays={
        RESULTS: (
            "split",
            "scorers",
            "data_sha256",
            "code_version",
            "result",
        )
    },
)
hold_run(
    KeyAudit,
    _("audits of answer keys"),
    stays={RESULTS: ("split", "data_sha256", "code_version", "result")},
)
hold_run(
    Grid,
    _("grids of fine-tunings"),
    stays={
        RESULTS: (
            "preset",
            "model",
            "result",
        )
    },
)
hold_run(
    FineTuning,
    _("fine-tuned models"),
    stays={
        RESULTS: (
            "base_sha256",
            "config_sha256",
            "setting",
            "model",
            "train_split",
            "transformation",
            "dev_split",
            "revision",
            "data_sha256",
            "code_version",
            "dev_metrics",
        )
    },
)
hold_run(StarterLoad, _("loads of the starter campaign"), stays={})
hold(
    KeyPanel,
    _("revisions of keys by people’s votes"),
    _("every result can be traced"),
    CAMPAIGN,
    did=("revised_by",),
    stays={RESULTS: ("outcome",)},
)
hold(
    Submission,
    _("scores on a leaderboard, with the system’s name and a link"),
    _("they are published with the leaderboard"),
    CAMPAIGN,
    about={"submitter": ALL},
    blank=("link",),
    stays={PUBLISHED: ("system", "predictions_sha256")},
)
no_person(_("parts of results"), EvaluationBlock, FineTuningStep, GridTarget, AuditedKey)
no_person(
    _("members of results"),
    Evaluation.members.through,
    ArtifactDetection.evaluations.through,
    KeyAudit.evaluations.through,
)
no_person(_("which leaderboards are open"), Leaderboard)
no_person(_("answers of a server of language models"), ServerAnswer)
