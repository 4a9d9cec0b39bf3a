"""What the tables of filtering hold about people."""

from django.utils.translation import gettext_lazy as _

from filtering.models import (
    Assessment,
    AssessmentPart,
    Encoding,
    EncodingShard,
    FilterRun,
    Phase,
    RunChoice,
    SentenceEncoding,
    SentenceShard,
    Tuning,
    TuningEpoch,
)
from winoplatform.personal import CAMPAIGN, hold, no_person
from winoplatform.personal.runs import RESULTS, hold_run

hold_run(
    Tuning,
    _("fine-tuned encoders"),
    stays={
        RESULTS: (
            "base_sha256",
            "config_sha256",
            "encoder",
            "pooling",
            "pooling_used",
        )
    },
)
hold_run(
    Encoding,
    _("features of questions"),
    stays={
        RESULTS: (
            "encoder",
            "pooling",
            "weights_sha256",
            "config_sha256",
            "pooling_used",
        )
    },
)
hold_run(
    SentenceEncoding,
    _("vectors of the sentences of a campaign"),
    stays={RESULTS: ("encoder", "weights_sha256", "config_sha256", "pooling_used")},
)
hold_run(
    FilterRun,
    _("runs of AFLite"),
    stays={
        RESULTS: (
            "device_used",
            "stop_reason",
            "fresh_models",
            "repeats",
        )
    },
)
hold_run(Assessment, _("measurements of a filter run"), stays={})
hold(
    RunChoice,
    _("which run a campaign shows"),
    _("the page of the campaign"),
    CAMPAIGN,
    did=("chosen_by",),
)
no_person(_("parts of results"), AssessmentPart, EncodingShard, Phase, SentenceShard, TuningEpoch)
