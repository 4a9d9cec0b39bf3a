"""Views and comments that members of a campaign share."""

import uuid
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from collection.models import Campaign, Membership
from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.refusals import refusal
from validation.models import QuestionComment, SavedView
from validation.services.review import shared
from workers.models import User


def save(campaign: Campaign, by: User, **fields: Any) -> SavedView:
    return shared.save_view(
        campaign=campaign, by=by, **({"name": "Split ones", "query": "agreement=2%2F3"} | fields)
    )


def test_a_view_has_a_name_of_its_own_in_its_campaign(campaign: Campaign, dana: User) -> None:
    view = save(campaign, dana, name="  Split   ones ")
    assert view.name == "Split ones"
    asked: dict[str, Any] = {"campaign": campaign, "by": dana, "query": ""}
    assert refusal(shared.save_view, name="split ONES", **asked).code == "name_taken"
    assert refusal(shared.save_view, name=" ", **asked).code == "name_missing"
    long = asked | {"query": "q=" + "a" * 4000}
    assert refusal(shared.save_view, name="Long", **long).code == "too_long"
    save(CampaignFactory(), dana)
    with pytest.raises(ValidationError, match="A view has this name already"):
        SavedView(campaign=campaign, name="SPLIT ones", by=dana).full_clean()


def test_a_campaign_has_so_many_views(
    campaign: Campaign, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "MOST_VIEWS", 1)
    save(campaign, dana)
    asked: dict[str, Any] = {"campaign": campaign, "by": dana, "query": "", "name": "Another"}
    assert refusal(shared.save_view, **asked).code == "too_many"


@pytest.mark.parametrize(
    ("role", "may"), [("owner", True), ("curator", True), ("reviewer", False), ("viewer", False)]
)
def test_a_view_is_deleted_by_its_author_or_who_manages_the_campaign(
    role: str, may: bool, campaign: Campaign, dana: User
) -> None:
    view, member = save(campaign, dana), UserFactory(role="curator")
    Membership.objects.update_or_create(campaign=campaign, user=member, defaults={"role": role})
    asked: dict[str, Any] = {"view_id": view.public_id, "campaign": campaign, "by": member}
    if may:
        shared.delete_view(**asked)
    else:
        assert refusal(shared.delete_view, **asked).code == "not_yours"
        shared.delete_view(**(asked | {"by": dana}))
    assert not SavedView.objects.exists()
    assert refusal(shared.delete_view, **asked).code == "not_found"


def test_a_comment_sent_twice_is_stored_once(campaign: Campaign, dana: User) -> None:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    key = uuid.uuid4()
    asked: dict[str, Any] = {"question": question, "by": dana, "key": key}
    one = shared.add_comment(text=" Both fit. ", **asked)
    assert shared.add_comment(text="Both fit.", **asked) == one
    assert one.text == "Both fit."
    assert refusal(shared.add_comment, text="Only one.", **asked).code == "key_used"
    other = asked | {"by": UserFactory(curator=True)}
    assert refusal(shared.add_comment, text="Both fit.", **other).code == "key_used"
    new = asked | {"key": uuid.uuid4()}
    assert refusal(shared.add_comment, text=" \n", **new).code == "text_missing"
    assert refusal(shared.add_comment, text="a" * 2001, **new).code == "too_long"
    assert QuestionComment.objects.count() == 1


def test_only_the_author_deletes_a_comment(campaign: Campaign, dana: User) -> None:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    one = shared.add_comment(question=question, text="Both fit.", key=uuid.uuid4(), by=dana)
    asked: dict[str, Any] = {"comment_id": one.public_id, "campaign": campaign}
    other = UserFactory(curator=True)
    assert refusal(shared.delete_comment, by=other, **asked).code == "not_found"
    elsewhere = asked | {"campaign": CampaignFactory()}
    assert refusal(shared.delete_comment, by=dana, **elsewhere).code == "not_found"
    assert shared.delete_comment(by=dana, **asked) == question
    assert not QuestionComment.objects.exists()
