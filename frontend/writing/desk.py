"""Data of the writing desk: the article, the sentences as read, the checks, the draft."""

from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from collection import services
from collection.core.anchors import anchor_key
from collection.core.rules import Report, Thresholds
from collection.models import Article, Assignment, Attribute, Campaign, Draft, Twin
from collection.selectors.articles import used_up_anchors
from collection.services import TwinText
from frontend.earnings import written_today
from frontend.marks import Piece, article_pieces, marked_twins, with_blank
from frontend.writing.checklist import are_equal, blocking_remarks, checklist
from frontend.writing.forms import TwinForm, twin_form
from winoplatform import clock
from winoplatform.errors import DomainError

CHIPS_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A writer's work on one assignment; ``twin`` is the twin being revised, if any.

    ``draft_version`` is the version of the draft that the form is based on; None for the stored
    one. ``is_outdated``: a newer draft is stored, so the posted text is not saved.
    """

    assignment: Assignment
    form: TwinForm
    twin: Twin | None = None
    refusal: DomainError | None = None
    is_submitted: bool = False
    draft_version: int | None = None
    is_outdated: bool = False

    def refused(self, refusal: DomainError) -> "Desk":
        return replace(self, refusal=refusal, is_submitted=True)


@dataclass(frozen=True, slots=True)
class Side:
    """One sentence as it reads: its pieces, its answer, its length."""

    number: int
    pieces: list[Piece]
    filling: str
    words: int
    state: str


@dataclass(frozen=True, slots=True)
class Pair:
    """The overlap of the two sentences, and the words that differ."""

    state: str
    share: int | None
    least: int
    first: str
    second: str
    are_equal: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """An anchor to choose, with its sentence of the article."""

    text: str
    sentence: str
    is_used_up: bool


def fresh_desk(assignment: Assignment, twin: Twin | None = None) -> Desk:
    """Return the desk with the saved draft, the text of *twin*, or empty."""
    draft = Draft.objects.filter(assignment=assignment).first()
    fields = draft.fields if draft else {}
    if twin is not None and (not fields or is_spent(fields, twin)):
        fields = as_fields(twin)
    return Desk(assignment=assignment, form=twin_form(fields), twin=twin)


def as_fields(twin: Twin) -> dict[str, str]:
    """Return a twin as the form's fields, without its key: the next submission needs a new one."""
    text = TwinText.of(twin)
    return {
        "anchor": text.anchor,
        "domain": text.domain,
        "option1": text.options[0],
        "option2": text.options[1],
        "sentence1": text.sentences[0],
        "sentence2": text.sentences[1],
        "answer1": str(text.answers[0]),
    }


def is_spent(fields: dict[str, Any], twin: Twin) -> bool:
    """Return whether *twin* was made from the draft: the draft was saved after its submission."""
    return fields.get("client_key") == str(twin.client_key)


def desk_context(desk: Desk) -> dict[str, Any]:
    """Return the context of the desk's page."""
    assignment, article = desk.assignment, desk.assignment.article
    chips = anchor_chips(assignment.campaign, article, desk.twin)
    saved = saved_draft(assignment, desk.twin)
    left = int((assignment.leased_until - clock.now()).total_seconds())
    return {
        "assignment": assignment,
        "article": article,
        **article_pieces(article),
        "chips": chips[:CHIPS_SHOWN],
        "more_chips": chips[CHIPS_SHOWN:],
        "form": desk.form,
        "twin": desk.twin,
        "back": getattr(desk.twin, "returned", None),
        "today": written_today(assignment.worker, assignment.campaign, timezone.now()),
        "refusal": desk.refusal,
        "blocking": blocking_remarks(desk.refusal, typed_text(desk.form)),
        "marked": desk.form.marked() if desk.is_submitted else [],
        "missing": desk.form.missing() if desk.is_submitted else frozenset(),
        "seconds_left": max(0, left),
        "is_over": desk.twin is None and left <= 0,
        "saved": saved,
        "draft_version": saved["version"] if desk.draft_version is None else desk.draft_version,
        "is_outdated": desk.is_outdated,
        "reasons": Assignment.ReturnReason.choices,
        "guideline": assignment.campaign.guideline,
        "attributes": Attribute.objects.filter(campaign=assignment.campaign),
        **checks_context(desk),
    }


def saved_draft(assignment: Assignment, twin: Twin | None) -> dict[str, Any]:
    """Return the server's draft, for the page to compare with the browser's copy."""
    draft = Draft.objects.filter(assignment=assignment).first()
    spent = str(twin.client_key) if twin else None
    if draft is None:
        return {"version": 0, "fields": None, "saved_at": None, "spent": spent}
    fields = None if twin and is_spent(draft.fields, twin) else draft.fields
    return {
        "version": draft.version,
        "fields": fields,
        "saved_at": draft.saved_at.isoformat(),
        "spent": spent,
    }


def anchor_chips(campaign: Campaign, article: Article, twin: Twin | None) -> list[Chip]:
    """Return the article's anchors, best first, marking those without twins left."""
    used = used_up_anchors(campaign=campaign, article=article)
    if twin is not None:
        used -= {twin.anchor_key}  # a revision replaces its own use
    return [
        Chip(anchor["text"], anchor["sentence"], anchor_key(anchor["text"]) in used)
        for anchor in article.anchors
    ]


def checks_context(desk: Desk) -> dict[str, Any]:
    """Check the form's text by the campaign's rules, complete or not."""
    campaign, text = desk.assignment.campaign, typed_text(desk.form)
    report = services.check_text(campaign=campaign, text=text, article=desk.assignment.article)
    listed = checklist(report, text, campaign.thresholds)
    return {
        "campaign": campaign,
        "checklist": listed,
        "sides": _sides(report, text, campaign.thresholds),
        "pair": _pair(report, text, campaign.thresholds, state=listed.states["overlap"]),
    }


def typed_text(form: TwinForm) -> TwinText:
    """Return the text of a form, bound or not."""
    read = form if form.is_bound else TwinForm(form.initial)
    read.is_valid()
    return read.text()


def _sides(report: Report, text: TwinText, thresholds: Thresholds) -> list[Side]:
    options = dict(zip((1, 2), text.options, strict=True))
    is_compared = all(text.sentences) and bool(report.trigger.segments)
    pieces = (
        marked_twins(report.trigger)
        if is_compared
        else tuple(with_blank(sentence) for sentence in text.sentences)
    )
    return [
        Side(
            number=number,
            pieces=pieces[number - 1],
            filling=options.get(text.answers[number - 1], ""),
            words=count,
            state=_length_state(count, thresholds),
        )
        for number, count in enumerate(report.word_counts, start=1)
    ]


def _length_state(count: int, thresholds: Thresholds) -> str:
    if not count:
        return "todo"
    return "good" if thresholds.min_words <= count <= thresholds.max_words else "bad"


def _pair(report: Report, text: TwinText, thresholds: Thresholds, *, state: str) -> Pair:
    trigger = report.trigger.as_dict()
    return Pair(
        state=state,
        share=int(report.overlap * 100) if all(text.sentences) else None,
        least=round(thresholds.min_overlap * 100),
        first=trigger["first"] or _("nothing"),
        second=trigger["second"] or _("nothing"),
        are_equal=are_equal(report),
    )
