"""What people accept: one version with all its words; withdrawn, nothing more reaches them."""

from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils import timezone

from collection import services
from collection.models import (
    Assignment,
    BackgroundAnswer,
    BackgroundRespondent,
    Campaign,
    Consent,
    CrowdSession,
    Guideline,
)
from collection.selectors.consents import is_withdrawn
from collection.selectors.joining import offered_to
from collection.selectors.terms import USUAL, terms_of
from collection.services.campaigns.templates import create_from_template
from frontend.home.campaigns import news_of
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    ConsentFactory,
    CrowdSessionFactory,
    GuidelineFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
)
from tests.old_databases import OldDatabase, latest, migrate
from tests.refusals import refused
from tests.writing import revise, submit, with_word
from validation.models import QualityNotice
from validation.services import claim_seat
from workers.models import User


@pytest.fixture
def campaign() -> Campaign:
    campaign = CampaignFactory()
    GuidelineFactory(campaign=campaign)
    return campaign


def joined(campaign: Campaign, *skills: str) -> User:
    worker: User = UserFactory()
    for skill in skills or ("write", "validate"):
        ConsentFactory(worker=worker, guideline=campaign.guideline, skill=skill)
    return worker


def withdraw(worker: User, campaign: Campaign) -> list[Consent]:
    return services.withdraw_consent(worker=worker, campaign=campaign)


def test_a_version_has_all_words_that_its_readers_saw() -> None:
    campaign = services.create_campaign(name="K", slug="k", guidelines="Write.", contact="Dana")
    first = campaign.guideline
    assert (first.contact, first.asked_by) == ("Dana", str(USUAL["asked_by"]))
    assert "pasted" in first.monitoring
    assert "pseudonym" in first.data_use
    services.update_campaign(campaign=campaign, data_use="It is deleted in May.")
    second = campaign.guideline
    assert (second.version, second.contact, second.text) == (2, "Dana", "Write.")
    first.refresh_from_db()
    assert first.data_use == str(USUAL["data_use"])
    services.update_campaign(campaign=campaign, data_use="It is deleted in May.\r\n")
    assert campaign.guideline == second


def test_a_term_that_is_emptied_is_as_usual_in_a_new_version() -> None:
    campaign = services.create_campaign(name="K", slug="k", contact="Dana")
    for _ in range(2):
        services.update_campaign(campaign=campaign, contact="")
        assert (campaign.guideline.version, campaign.guideline.text) == (2, "")
        assert campaign.guideline.contact == str(USUAL["contact"])
    other = CampaignFactory()
    services.update_campaign(campaign=other, contact="")
    assert other.guideline is None


def test_an_image_of_another_site_is_refused_in_all_words() -> None:
    for name in ("text", "monitoring", "data_use"):
        words = {"text": "Write.", name: "![](https://example.org/a.png)"}
        with pytest.raises(ValidationError, match="Images of other sites"):
            services.publish_guideline(campaign=CampaignFactory(), **words)


def test_the_wizard_gives_the_first_version_who_asks_and_whom_to_ask(dana: User) -> None:
    named = {"name": "New", "slug": "new", "asked_by": "The lab", "contact": "Erin"}
    made = create_from_template(task="both", by=dana, **named)
    assert (made.guideline.asked_by, made.guideline.contact) == ("The lab", "Erin")
    assert terms_of(CampaignFactory()).contact == str(USUAL["contact"])


def test_who_withdraws_holds_nothing_and_keeps_work_and_pay(campaign: Campaign) -> None:
    bob = joined(campaign)
    twin = submit(AssignmentFactory(campaign=campaign, worker=bob))
    held = AssignmentFactory(campaign=campaign, worker=bob)
    seat = SeatFactory(campaign=campaign, worker=bob, opened=True)
    elsewhere = AssignmentFactory(worker=bob)
    owed = bob.ledger.count()
    assert owed
    assert [consent.withdrawn_at is None for consent in withdraw(bob, campaign)] == [False, False]
    held.refresh_from_db()
    seat.refresh_from_db()
    elsewhere.refresh_from_db()
    assert held.status == Assignment.Status.RETURNED
    assert seat.worker is None
    assert elsewhere.status == Assignment.Status.OPEN
    twin.refresh_from_db()
    assert (twin.withdrawn_at, bob.ledger.count()) == (None, owed)
    times = [consent.withdrawn_at for consent in withdraw(bob, campaign)]
    assert times == [consent.withdrawn_at for consent in withdraw(bob, campaign)]


def test_who_withdraws_gets_no_work_and_no_news_until_they_accept_again(
    campaign: Campaign,
) -> None:
    bob = joined(campaign)
    ArticleFactory(campaign=campaign)
    twin = submit(AssignmentFactory(campaign=campaign, worker=bob))
    kind = QualityNotice.OF_CURATORS[0]
    QualityNotice.objects.create(campaign=campaign, worker=bob, kind=kind)
    assert news_of(bob).notices
    withdraw(bob, campaign)
    for call in (
        lambda: services.request_assignment(worker=bob, campaign=campaign),
        lambda: claim_seat(worker=bob, campaign=campaign),
    ):
        with refused("guideline_not_accepted"):
            call()
    with refused("consent_withdrawn"):
        revise(twin, **with_word("heavy"))
    now = timezone.now()
    assert not offered_to(Campaign.objects.all(), bob, now=now).exists()
    assert not news_of(bob).notices
    services.accept_guideline(worker=bob, campaign=campaign, version=1)
    assert offered_to(Campaign.objects.all(), bob, now=now).exists()
    assert news_of(bob).notices
    assert services.request_assignment(worker=bob, campaign=campaign).worker == bob
    assert Consent.objects.filter(worker=bob, skill="write").count() == 2


def test_who_has_accepted_nothing_cannot_withdraw(campaign: Campaign) -> None:
    with refused("nothing_accepted"):
        withdraw(UserFactory(), campaign)
    assert not Campaign.objects.filter(is_withdrawn(UserFactory(), campaign)).exists()


@pytest.mark.parametrize(("units", "status"), [(2, "failed"), (1, "completed")])
def test_a_participant_who_withdraws_gets_the_sessions_code(
    campaign: Campaign, units: int, status: str
) -> None:
    session = CrowdSessionFactory(study__campaign=campaign, study__units=2)
    bob = session.participant.worker
    ConsentFactory(worker=bob, guideline=campaign.guideline)
    other = CrowdSessionFactory(participant=session.participant)
    if units == 1:
        session.credits.create(unit=TwinFactory().public_id)
        session.credits.create(unit=TwinFactory().public_id)
    withdraw(bob, campaign)
    session.refresh_from_db()
    other.refresh_from_db()
    assert (session.status, other.status) == (status, CrowdSession.Status.ACTIVE)


def test_no_administration_shows_an_answer() -> None:
    registered = {*admin.site._registry}
    assert not registered & {BackgroundAnswer, BackgroundRespondent}


@pytest.mark.long
def test_versions_of_before_get_the_words_that_pages_showed(
    old_database: OldDatabase,
) -> None:
    before = [("collection", "0012_article_versions")]
    with old_database(before) as apps:
        of: Any = apps.get_model("collection", "Campaign").objects
        spoken = of.create(name="A", slug="a", contact="Dana", data_use="Deleted in May.")
        silent = of.create(name="B", slug="b")
        unread = of.create(name="C", slug="c", asked_by="The lab")
        versions = apps.get_model("collection", "Guideline").objects
        for row in (spoken, silent):
            versions.create(campaign=row, version=1, text="Write.")
        migrate(latest("collection"))
        first = Guideline.objects.get(campaign=spoken.pk)
        assert (first.contact, first.data_use) == ("Dana", "Deleted in May.")
        second = Guideline.objects.get(campaign=silent.pk)
        assert second.contact == "the person who invited you"
        assert "typed and pasted characters" in second.monitoring
        assert "under a code" in second.data_use
        third = Guideline.objects.get(campaign=unread.pk)
        assert (third.asked_by, third.text) == ("The lab", "")
        assert Guideline.objects.values("public_id").distinct().count() == 3
