"""Writing: an article, a twin checked by the rules, pay, and seats for the validators."""

import io
import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.utils import timezone

from collection import services
from collection.models import Article, Assignment, Campaign, Twin
from tests.factories import (
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    UserFactory,
    twin_text,
)
from tests.refusals import refusal
from tests.writing import submit
from validation.models import Seat
from validation.services import submit_twin
from workers.models import LedgerEntry

Status = Campaign.Status


# -- campaigns -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"slug": "not a slug"},
        {"min_words": 20, "max_words": 19},
        {"votes_per_question": 4},
        {"reward_vote": Decimal("-0.01")},
        {"min_overlap": Decimal("1.00")},
        {"vote_minutes": 0},
        {"currency": "dollars"},
    ],
)
def test_impossible_settings_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        services.create_campaign(**({"slug": "first", "name": "First"} | fields))


MOVES = {
    (Status.DRAFT, Status.OPEN),
    (Status.OPEN, Status.PAUSED),
    (Status.OPEN, Status.CLOSED),
    (Status.PAUSED, Status.OPEN),
    (Status.PAUSED, Status.CLOSED),
}


@pytest.mark.parametrize("source", Status)
@pytest.mark.parametrize("target", Status)
def test_a_campaign_moves_along_its_arrows_only(source: str, target: str) -> None:
    campaign = ArticleFactory(campaign__status=source).campaign
    if (source, target) in MOVES:
        assert services.change_status(campaign=campaign, status=target).status == target
    else:
        error = refusal(services.change_status, campaign=campaign, status=target)
        assert (error.code, campaign.status) == ("status_not_reachable", source)


# -- assignments -----------------------------------------------------------------------------------
def test_a_writer_gets_an_article_of_the_campaign_for_an_hour() -> None:
    article = ArticleFactory()
    ArticleFactory()
    assignment = services.request_assignment(worker=UserFactory(), campaign=article.campaign)
    assert assignment.article == article
    left = assignment.leased_until - timezone.now()
    assert timedelta(minutes=59) < left <= timedelta(minutes=60)


def test_an_assignment_whose_time_is_over_makes_room_for_another() -> None:
    old = AssignmentFactory(expired=True)
    new = services.request_assignment(worker=old.worker, campaign=old.campaign)
    old.refresh_from_db()
    assert new != old
    assert old.status == Assignment.Status.EXPIRED


@pytest.mark.parametrize("status", [Status.DRAFT, Status.PAUSED, Status.CLOSED])
def test_a_campaign_that_is_not_open_hands_out_no_article(status: str) -> None:
    campaign = ArticleFactory(campaign__status=status).campaign
    error = refusal(services.request_assignment, worker=UserFactory(), campaign=campaign)
    assert (error.code, error.status) == ("campaign_not_open", 409)


def test_a_campaign_without_articles_says_what_is_missing() -> None:
    error = refusal(services.request_assignment, worker=UserFactory(), campaign=CampaignFactory())
    assert error.code == "no_articles"


def test_a_submitted_assignment_cannot_be_given_back() -> None:
    held = AssignmentFactory()
    submit(held)
    error = refusal(services.return_assignment, worker=held.worker, assignment_id=held.public_id)
    assert error.code == "already_submitted"


def test_renewing_starts_the_hour_again_also_after_it_ended() -> None:
    old = AssignmentFactory(expired=True)
    renewed = services.renew_assignment(worker=old.worker, assignment_id=old.public_id)
    assert renewed.leased_until > timezone.now() + timedelta(minutes=59)
    assert submit(renewed).assignment == renewed


def test_an_old_assignment_is_not_renewed_beside_a_new_one() -> None:
    old = AssignmentFactory(expired=True)
    services.request_assignment(worker=old.worker, campaign=old.campaign)
    error = refusal(services.renew_assignment, worker=old.worker, assignment_id=old.public_id)
    assert error.code == "another_assignment_open"


def test_a_returned_assignment_is_not_renewed() -> None:
    held = AssignmentFactory()
    services.return_assignment(worker=held.worker, assignment_id=held.public_id)
    error = refusal(services.renew_assignment, worker=held.worker, assignment_id=held.public_id)
    assert error.code == "assignment_ended"


@pytest.mark.long
@pytest.mark.parametrize(
    "call",
    [
        services.return_assignment,
        services.renew_assignment,
        lambda **own: submit_twin(**own, text=twin_text(), client_key=uuid.uuid4()),
    ],
    ids=["return", "renew", "submit"],
)
@pytest.mark.parametrize("known", [True, False])
def test_anothers_assignment_does_not_exist(call: Any, known: bool) -> None:
    public_id = AssignmentFactory().public_id if known else uuid.uuid4()
    error = refusal(call, worker=UserFactory(), assignment_id=public_id)
    assert (error.code, error.status) == ("not_found", 404)


# -- twins -----------------------------------------------------------------------------------------
def test_a_submitted_twin_is_stored_whole() -> None:
    assignment = AssignmentFactory()
    twin = submit(assignment)
    first, second = twin.questions.order_by("number")
    assert (first.sentence, second.sentence) == SENTENCES
    assert (first.answer, second.answer) == (1, 2)
    assert (twin.author, twin.anchor, twin.domain) == (assignment.worker, "suitcase", "physical")
    assert (twin.trigger["first"], twin.trigger["second"]) == ("large.", "small.")
    assignment.refresh_from_db()
    assert assignment.status == Assignment.Status.SUBMITTED


def test_a_submitted_twin_is_paid_and_handed_to_the_validators() -> None:
    twin = submit(AssignmentFactory())
    entry = LedgerEntry.objects.get()
    assert (entry.worker, entry.amount) == (twin.author, Decimal("0.40"))
    assert (entry.kind, entry.unit) == (LedgerEntry.Kind.TWIN, str(twin.public_id))
    assert Seat.objects.filter(twin=twin, worker=None).count() == 6


def test_a_submission_sent_again_late_or_after_the_close_is_still_the_first_twin() -> None:
    assignment, key = AssignmentFactory(), uuid.uuid4()
    twin = submit(assignment, client_key=key)
    Campaign.objects.update(status=Status.CLOSED)
    Assignment.objects.update(leased_until=timezone.now())
    assert submit(assignment, client_key=key) == twin


def test_another_twin_for_the_same_assignment_is_refused() -> None:
    assignment = AssignmentFactory()
    twin = submit(assignment)
    swapped = {"sentences": SENTENCES[::-1], "answers": (2, 1)}
    error = refusal(submit, assignment=assignment, **swapped)
    assert (error.code, error.status) == ("already_submitted", 409)
    assert error.details == {"twin": str(twin.public_id)}


@pytest.mark.parametrize("change", [{"answers": (2, 1)}, {"domain": "social"}])
def test_a_correction_is_never_dropped_silently(change: dict[str, Any]) -> None:
    assignment, key = AssignmentFactory(), uuid.uuid4()
    submit(assignment, client_key=key)
    error = refusal(submit, assignment=assignment, client_key=key, **change)
    assert (error.code, error.status) == ("already_submitted", 409)


def test_the_same_sentences_are_paid_once_in_a_campaign() -> None:
    first = AssignmentFactory()
    submit(first)
    again = AssignmentFactory(campaign=first.campaign)
    turned = [" ".join(sentence.upper().split()) for sentence in SENTENCES[::-1]]
    options = {"options": tuple(o.upper() for o in twin_text().options), "answers": (2, 1)}
    error = refusal(submit, assignment=again, sentences=tuple(turned), **options)
    assert (error.code, error.status) == ("twin_exists", 409)
    assert LedgerEntry.objects.count() == 1


def test_another_article_is_not_handed_out_while_one_is_held() -> None:
    held = AssignmentFactory()
    error = refusal(
        services.request_assignment,
        worker=held.worker,
        campaign=held.campaign,
        article=ArticleFactory(campaign=held.campaign),
    )
    assert (error.code, error.status) == ("another_assignment_open", 409)


def test_an_assignment_of_a_closed_campaign_is_not_renewed() -> None:
    held = AssignmentFactory(campaign__status=Status.CLOSED)
    error = refusal(services.renew_assignment, worker=held.worker, assignment_id=held.public_id)
    assert error.code == "campaign_closed"


def test_a_client_key_serves_one_twin() -> None:
    first = AssignmentFactory()
    key = uuid.uuid4()
    submit(first, client_key=key)
    second = AssignmentFactory(worker=first.worker)
    error = refusal(submit, assignment=second, client_key=key)
    assert (error.code, error.status) == ("client_key_used", 409)
    assert Twin.objects.count() == LedgerEntry.objects.count() == 1


def test_a_late_twin_is_refused_and_told_how_to_save_it() -> None:
    assignment = AssignmentFactory(expired=True)
    error = refusal(submit, assignment=assignment)
    assert (error.code, error.status) == ("lease_expired", 410)
    assert error.details == {"assignment": str(assignment.public_id)}


def test_a_closed_campaign_takes_no_twin_and_a_paused_one_does() -> None:
    closed = AssignmentFactory(campaign__status=Status.CLOSED)
    assert refusal(submit, assignment=closed).code == "campaign_closed"
    assert submit(AssignmentFactory(campaign__status=Status.PAUSED))


def test_a_broken_rule_comes_with_its_sentence_and_place() -> None:
    short = ("The trophy did not fit into the suitcase as the _ was large.", SENTENCES[1])
    error = refusal(submit, assignment=AssignmentFactory(), sentences=short)
    assert (error.code, error.status) == ("rules_broken", 400)
    finding = next(f for f in error.details["findings"] if f["level"] == "error")
    assert {"code", "level", "message", "sentence", "start", "end"} <= set(finding)
    assert not Twin.objects.exists()
    assert not LedgerEntry.objects.exists()


def test_the_campaigns_own_thresholds_rule() -> None:
    strict = AssignmentFactory(campaign__max_words=16)
    assert refusal(submit, assignment=strict).code == "rules_broken"


@pytest.mark.parametrize(
    ("anchor", "code"),
    [
        ("elephant", "anchor_not_in_article"),
        ("suit", "anchor_not_in_article"),
        ("the", "anchor_function_word"),
        ("", "anchor_empty"),
    ],
)
def test_an_anchor_must_be_a_content_word_of_the_article(anchor: str, code: str) -> None:
    error = refusal(submit, assignment=AssignmentFactory(), anchor=anchor)
    assert error.code == "rules_broken"
    assert code in {finding["code"] for finding in error.details["findings"]}


def test_an_anchor_in_the_articles_title_will_do() -> None:
    assignment = AssignmentFactory(article__text="Nothing about it here.")
    assert submit(assignment).anchor == "suitcase"


def test_checking_stores_nothing_and_agrees_with_submitting() -> None:
    assignment = AssignmentFactory()
    report = services.check_text(campaign=assignment.campaign, text=twin_text())
    assert report.accepted
    assert not Twin.objects.exists()
    assert submit(assignment).warnings == sorted({f.code for f in report.warnings})


def test_people_see_what_is_theirs() -> None:
    twin = submit(AssignmentFactory())
    draft = CampaignFactory(status=Status.DRAFT)
    carol, curator = UserFactory(), UserFactory(curator=True)
    assert list(Twin.objects.visible_to(twin.author)) == [twin]
    assert not Twin.objects.visible_to(carol).exists()
    assert not Assignment.objects.visible_to(carol).exists()
    assert draft not in Campaign.objects.visible_to(carol)
    assert draft in Campaign.objects.visible_to(curator)
    assert Article.objects.count() == Assignment.objects.visible_to(curator).count() == 1


def test_a_campaign_is_made_as_a_draft_with_the_papers_settings() -> None:
    call_command("create_campaign", "winter", name="Winter", stdout=io.StringIO())

    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.name, campaign.status) == ("winter", "Winter", "draft")
    assert (campaign.min_words, campaign.max_words) == (15, 30)
    assert (campaign.reward_twin, campaign.reward_vote) == (Decimal("0.40"), Decimal("0.03"))


def test_a_taken_name_is_said_in_a_sentence() -> None:
    call_command("create_campaign", "winter", stdout=io.StringIO())

    with pytest.raises(CommandError, match="already exists"):
        call_command("create_campaign", "winter", stdout=io.StringIO())
