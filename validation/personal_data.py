"""What the tables of validation hold about people."""

from django.utils.translation import gettext_lazy as _

from validation.models import (
    Appeal,
    BulkAction,
    BulkItem,
    Case,
    GoldQuestion,
    PassedSeat,
    PublishedSentence,
    QualityNotice,
    QualityReport,
    QuestionComment,
    QuestionFacts,
    SavedView,
    Seat,
    TwinReturn,
    ValidatorFigures,
    Verdict,
    VerdictEvent,
    VisitorReport,
    Vote,
)
from winoplatform.personal import ALL, CAMPAIGN, hold, no_person

KEYS = _("keys and codes, which name nobody")
VERDICTS = _("how a question was decided")
GOLD = _("it would tell which questions are control questions; ask the contact")

hold(
    Vote,
    _("votes on questions, with a comment and a report"),
    _("they decide which questions are valid"),
    CAMPAIGN,
    about={"worker": ALL},
    wrote={"excluded_by": ("exclusion_reason", "excluded_at")},
    hidden=("is_gold", "seat"),
    beside={"sentence": "question__sentence"},
    blank=("comment",),
    word=("exclusion_reason",),
)
hold(
    Seat,
    _("questions that were given to a validator, with times"),
    _("each question gets as many votes as it needs"),
    CAMPAIGN,
    about={"worker": ALL},
    did=("author",),
    withheld=GOLD,
)
hold(
    PassedSeat,
    _("questions that a validator passed, and reports"),
    _("nobody gets a question twice"),
    CAMPAIGN,
    about={"worker": ("report", "reported_at", "withdrawn", "blocked")},
    stays={KEYS: ("report",)},
)
hold(
    ValidatorFigures,
    _("measures of a validator’s votes"),
    _("the quality of the data"),
    CAMPAIGN,
    about={"worker": ALL},
    withheld=GOLD,
    is_deleted=True,
)
hold(
    QualityNotice,
    _("notices about a person’s work"),
    _("so that people can do better, or appeal"),
    CAMPAIGN,
    about={"worker": ALL},
    beside={"campaign": "campaign__name"},
    blank=("text",),
    stays={KEYS: ("unit",)},
)
hold(
    Appeal,
    _("appeals and their answers"),
    _("so that decisions can be reviewed"),
    CAMPAIGN,
    about={"worker": ALL},
    wrote={"decided_by": ("answer", "decided_at")},
    word=("text", "answer"),
    stays={KEYS: ("unit",)},
)
hold(
    TwinReturn,
    _("twins returned for revision, with a message"),
    _("so that an author can revise them"),
    CAMPAIGN,
    about={"twin__author": ("note", "created_at")},
    wrote={"by": ("note", "created_at")},
    beside={},
    word=("note",),
)
hold(
    VerdictEvent,
    _("what made or changed a verdict, with reasons and former votes"),
    _("every verdict can be traced"),
    CAMPAIGN,
    wrote={"by": ("action", "reason", "created_at")},
    blank=("reason",),
    stays={_("verdicts and votes; the comments in them are emptied"): ("before", "after")},
    function="validation_verdictevent_forget",
)
hold(
    Verdict,
    _("results of votes, or of a curator’s decision"),
    _("they decide which questions are valid"),
    CAMPAIGN,
    did=("decided_by",),
    stays={VERDICTS: ("reasons", "counts")},
)
hold(
    BulkAction,
    _("actions of curators on many questions, with a note"),
    _("every verdict can be traced"),
    CAMPAIGN,
    wrote={"by": ("kind", "note", "created_at")},
    blank=("note",),
    stays={KEYS: ("reasons",)},
)
hold(
    QuestionComment,
    _("comments of a campaign’s members on its questions"),
    _("members tell one another what they see in a question"),
    CAMPAIGN,
    wrote={"by": ("text", "created_at")},
    word=("text",),
)
hold(
    SavedView,
    _("named filters of a campaign’s questions, with who saved them"),
    _("members find the same questions"),
    CAMPAIGN,
    wrote={"by": ("name", "query", "created_at")},
    stays={_("settings that the campaign’s members share and can delete"): ("name", "query")},
)
hold(
    GoldQuestion,
    _("control questions, with who chose them"),
    _("the quality of votes"),
    CAMPAIGN,
    did=("created_by",),
)
hold(
    QuestionFacts,
    _("a copy of a question’s author and validators, by their keys"),
    _("lists are filtered by it"),
    CAMPAIGN,
    did=("author",),
    stays={VERDICTS: ("state", "reasons"), KEYS: ("anchor",)},
)
no_person(_("cases for review"), Case)
no_person(_("reports of readers, without their name or address"), VisitorReport)
no_person(_("what came of an action"), BulkItem)
no_person(_("digests of public sentences"), PublishedSentence)
no_person(_("figures of a campaign"), QualityReport)
