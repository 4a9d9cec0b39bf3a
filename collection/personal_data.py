"""What the tables of campaigns and writing hold about people."""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from collection.models import (
    Article,
    Assignment,
    Attribute,
    BackgroundAnswer,
    BackgroundEdition,
    BackgroundQuestion,
    BackgroundRespondent,
    BudgetBound,
    Campaign,
    Consent,
    CrowdSession,
    Draft,
    ExerciseItem,
    Guideline,
    Membership,
    Participant,
    Provenance,
    PublishedAnswer,
    Question,
    SessionCredit,
    SettingsChange,
    Study,
    Twin,
)
from collection.services.crowd.sessions import leave_all
from winoplatform.personal import ALL, CAMPAIGN, DATA_SET, Period, hold, no_person
from workers.models import LedgerEntry

CLOSED = Campaign.Status.CLOSED
SET_UP = _("settings of the campaign, which its curators can change")
MADE_BY_RULES = _("computed from the text")


def _unused_participants(rows: Any, before: datetime) -> Any:
    """Return participants whose studies are over, and who are owed nothing.

    While a study is open, the id keeps a person from taking part twice.
    """
    sessions = CrowdSession.objects.filter(participant=OuterRef("pk"))
    current = Q(ended_at=None) | Q(ended_at__gte=before) | ~Q(study__campaign__status=CLOSED)
    owed = LedgerEntry.objects.filter(worker=OuterRef("worker")).unpaid()
    over = rows.filter(created_at__lt=before)
    return over.filter(~Exists(sessions.filter(current)), ~Exists(owed))


def _ended_sessions(rows: Any, before: datetime) -> Any:
    unused = _unused_participants(Participant.objects.all(), before)
    return rows.filter(participant__in=unused.values("pk"))


def _old_telemetry(rows: Any, before: datetime) -> Any:
    return rows.filter(twin__created_at__lt=before, twin__campaign__status=CLOSED)


def _abandoned_drafts(rows: Any, before: datetime) -> Any:
    return rows.filter(saved_at__lt=before).exclude(assignment__status=Assignment.Status.OPEN)


DRAFTS = Period("KEEP_DRAFTS_DAYS", _("after the last change of an ended one"), _abandoned_drafts)
TELEMETRY = Period(
    "KEEP_TELEMETRY_DAYS", _("after the text was submitted, once its campaign is closed"),
    _old_telemetry,
)  # fmt: skip
PLATFORM_IDS = Period(
    "KEEP_PLATFORM_IDS_DAYS",
    _("after the last session, once its campaigns are closed and the person is paid"),
    _unused_participants,
)
PLATFORM_SESSIONS = Period(PLATFORM_IDS.setting, PLATFORM_IDS.after, _ended_sessions)

hold(
    Draft,
    _("unsubmitted texts, with counts of how they were typed"),
    _("to continue writing later"),
    DRAFTS,
    about={"assignment__worker": ALL},
    is_deleted=True,
)
hold(
    Provenance,
    _("how a text was typed and pasted, and in how much time"),
    _("evidence of original work, and hourly pay"),
    TELEMETRY,
    about={"twin__author": ALL},
    zeroed=(
        "typed_characters", "pasted_characters", "largest_insert", "edits", "active_seconds",
    ),
)  # fmt: skip
hold(
    Question,
    _("the sentences of a twin"),
    _("the data set"),
    CAMPAIGN,
    about={"twin__author": ("public_id", "twin__public_id", "number", "sentence", "answer")},
    stays={DATA_SET: ("sentence", "public_id")},
)
hold(
    Twin,
    _("written twins, with their advice and times"),
    _("the data set"),
    CAMPAIGN,
    about={"author": ALL},
    hidden=("anchor_key", "trigger_key", "cues", "fingerprint"),
    stays={
        DATA_SET: (
            "option1", "option2", "anchor", "trigger", "warnings", "advice", "anchor_key",
            "trigger_key", "cues", "fingerprint", "source_id",
        ),
    },
)  # fmt: skip
hold(
    Assignment,
    _("articles given to a writer, with comments on those returned"),
    _("to give each article to one writer"),
    CAMPAIGN,
    release=leave_all,
    about={"worker": ALL},
    beside={"article": "article__title"},
    blank=("return_comment",),
)
hold(
    Consent,
    _("accepted versions of guidelines"),
    _("to prove consent"),
    CAMPAIGN,
    about={"worker": ALL},
    beside={"campaign": "guideline__campaign__name", "version": "guideline__version"},
)
hold(
    BackgroundAnswer,
    _("answers to optional questions about oneself"),
    _("to describe the people of a data set in counts of groups"),
    CAMPAIGN,
    about={"worker": ALL},
    beside={"question": "question__text"},
    is_deleted=True,
)
hold(
    BackgroundRespondent,
    _("who has answered optional questions, and in which counts"),
    _("to count each person once"),
    CAMPAIGN,
    about={"worker": ALL},
    beside={"campaign": "campaign__name"},
)
hold(
    Membership,
    _("the role in a campaign"),
    _("to decide who may see and do what"),
    CAMPAIGN,
    about={"user": ALL},
    did=("created_by",),
    beside={"campaign": "campaign__name"},
    is_deleted=True,
)
hold(
    SessionCredit,
    _("work that counted for a session on a crowd platform"),
    _("to complete the session once"),
    CAMPAIGN,
    about={"session__participant__worker": ALL},
)
hold(
    CrowdSession,
    _("participations in a study, with the platform’s id"),
    _("to complete them on the platform, which pays"),
    PLATFORM_SESSIONS,
    about={"participant__worker": ALL},
    beside={"study": "study__public_id"},
    random=("external_id",),
    blank=("return_to",),
    naming=("external_id",),
)
hold(
    Participant,
    _("the id of a person on a crowd platform"),
    _("to know a person again, and to pay"),
    PLATFORM_IDS,
    about={"worker": ALL},
    random=("external_id",),
    naming=("external_id",),
)
hold(
    Guideline,
    _("guidelines, with who wrote them"),
    _("to instruct people"),
    CAMPAIGN,
    did=("created_by",),
    stays={
        _("what people accepted"): (
            "text",
            "aids_policy",
            "asked_by",
            "contact",
            "monitoring",
            "data_use",
            "shows_user_names",
        )
    },
)
hold(
    SettingsChange,
    _("who changed which settings of a campaign"),
    _("figures and releases name the settings of their time"),
    CAMPAIGN,
    did=("by",),
    stays={SET_UP: ("before", "after")},
)
no_person(_("settings"), Campaign)
no_person(_("optional questions, and counts of groups"), BackgroundQuestion, BackgroundEdition)
no_person(_("how-to articles"), Article)
no_person(_("words for writers"), Attribute)
no_person(_("sums"), BudgetBound)
no_person(_("questions of exercises"), ExerciseItem)
no_person(_("studies on crowd platforms, with their secrets"), Study)
no_person(_("which twins are public"), PublishedAnswer)
