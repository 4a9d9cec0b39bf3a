"""Every filter ``campaign`` takes the slug and the id of a campaign, and says so."""

import uuid

import pytest
from rest_framework.test import APIClient

from tests.api.calls import API, ok
from tests.api.description import description
from tests.factories import CampaignFactory, LedgerEntryFactory, TwinFactory, VerdictFactory

FILTERED = {
    path: parameter
    for path, methods in description()["paths"].items()
    for parameter in methods.get("get", {}).get("parameters", ())
    if (parameter["name"], parameter["in"]) == ("campaign", "query")
}


def test_every_filter_says_that_it_takes_both() -> None:
    assert f"{API}ledger/check/" in FILTERED
    assert f"{API}questions/" in FILTERED
    for path, parameter in FILTERED.items():
        assert parameter["description"].startswith("Slug or id of "), path
        assert "pattern" not in parameter["schema"], path


@pytest.mark.parametrize("path", FILTERED)
def test_slug_and_id_select_the_same(path: str, as_dana: APIClient) -> None:
    for slug in ("winter", "summer"):
        twin = TwinFactory(campaign=CampaignFactory(slug=slug))
        VerdictFactory(question=twin.questions.get(number=1))
        LedgerEntryFactory(budget=twin.campaign.public_id)
    by_slug, by_id = (
        ok(as_dana.get(path, {"campaign": name}))
        for name in ("summer", str(twin.campaign.public_id))
    )
    assert by_slug == by_id
    nowhere = [as_dana.get(path, {"campaign": name}) for name in ("autumn", str(uuid.uuid4()))]
    assert nowhere[0].status_code == nowhere[1].status_code
    assert as_dana.get(f"{path}?campaign=%00").status_code == 400


def test_questions_of_a_campaign_named_by_its_id(as_dana: APIClient) -> None:
    mine, other = TwinFactory.create_batch(2)
    for twin in (mine, other):
        VerdictFactory(question=twin.questions.get(number=1))
    found = ok(as_dana.get(f"{API}questions/", {"campaign": str(mine.campaign.public_id)}))
    assert {row["campaign"] for row in found["results"]} <= {mine.campaign.slug}
    assert found["results"]
