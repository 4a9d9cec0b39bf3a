"""Suspects asked about, keys revised, the erratum, and scores on both versions, over HTTP."""

from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from corpora.models import ReferenceSet, Release
from evaluation.models import KeyAudit, KeyPanel
from tests.api.calls import API, assert_error, ok
from tests.corpora.sets import imported
from tests.corpora.test_release_provenance import validated
from tests.evaluation.done import evaluated
from tests.evaluation.key_panels import against, answered_panel, audit_of, first_group
from tests.evaluation.test_key_panels import release_of
from tests.factories import CampaignFactory, UserFactory
from tests.panels.people import answer_all
from validation.models import Vote


@pytest.fixture
def audit(db: None) -> KeyAudit:
    CampaignFactory(slug="kitchen", reward_vote=Decimal("0.10"))
    return audit_of({"a-1"}, reference_set=imported("tiny", is_public=True))


def test_the_cost_of_each_found_key_is_told_and_nothing_is_stored(
    as_dana: APIClient, audit: KeyAudit
) -> None:
    path = f"{API}key-audits/{audit.public_id}/panels/cost/"
    plan = ok(as_dana.post(path, {"campaign": "kitchen"}))
    assert (plan["n_suspects"], plan["n_fillers"], plan["n_items"], plan["n_votes"]) == (
        1,
        1,
        4,
        20,
    )
    assert (plan["cost"], plan["reward"], plan["currency"]) == ("2.00", "0.10", "USD")
    assert plan["cost_per_found"] == "2.51"  # 2.00 / (.9 × .884)
    assert plan["n_wrong"] == 0.9
    assert not KeyPanel.objects.exists()
    assert_error(as_dana.post(path), 400, "no_campaign")
    assert_error(as_dana.post(path, {"fillers": 0.95}), 400, "invalid")


@pytest.mark.long
def test_suspects_are_asked_about_and_the_set_gets_its_next_version(
    as_dana: APIClient, audit: KeyAudit
) -> None:
    evaluated(audit.reference_set, "majority")
    panels = f"{API}key-audits/{audit.public_id}/panels/"
    made = ok(as_dana.post(panels, {"campaign": "kitchen", "votes_per_item": 3}), 201)
    assert ok(as_dana.get(panels)) == [made]
    keys = f"{API}human-evaluations/{made['evaluation']}/keys/"
    assert {one["decision"] for one in ok(as_dana.get(keys))["keys"]} == {None}
    assert_error(as_dana.post(f"{keys}revise/", {"name": "tiny-2"}), 409, "votes_missing")
    answer_all(KeyPanel.objects.get().panel, UserFactory.create_batch(6), against({"a-1"}))
    first, twin = ok(as_dana.get(keys))["keys"]
    assert (first["source_id"], first["is_suspected"], first["votes"]) == ("a-1", True, [0, 3])
    assert (first["decision"], twin["decision"]) == ("wrong", "right")
    assert_error(as_dana.post(f"{keys}revise/"), 400, "invalid")  # a version has a name
    revised = ok(as_dana.post(f"{keys}revise/", {"name": "tiny-2"}))
    assert revised["reference_set"] == "tiny-2"
    assert [one["act"] for one in revised["keys"]] == ["corrected", "kept"]
    both = ok(as_dana.get(f"{API}comparisons/reference-set/tiny/test/versions/"))
    assert (both["later"], both["after"], both["n"], both["n_changed"]) == (
        ["tiny-2"], "tiny-2", 6, 1
    )  # fmt: skip
    (row,) = both["rows"]
    assert row["change"] == pytest.approx(row["after"]["value"] - row["before"]["value"])
    assert_error(as_dana.post(f"{keys}erratum/"), 409, "not_revised")


@pytest.fixture
def release(db: None) -> Release:
    campaign = validated(8, dev_share="0.5", test_share="0.25")
    Vote.objects.update(local_option=None)  # `validated` changes it after the verdicts
    return release_of(campaign, "one", is_public=True)


@pytest.mark.long
def test_keys_of_a_campaign_are_revised_and_the_next_release_tells_an_erratum(
    as_dana: APIClient, release: Release
) -> None:
    evaluated(None, "majority", reference_set=None, release=release, split="dev")
    ids = {item.id for item in first_group(release, "dev")}
    row = answered_panel(audit_of(ids, release=release, split="dev"), against(ids))
    keys = f"{API}human-evaluations/{row.panel.public_id}/keys/"
    assert_error(as_dana.post(f"{keys}erratum/"), 409, "not_revised")
    revised = ok(as_dana.post(f"{keys}revise/"))
    assert {one["act"] for one in revised["keys"]} == {"corrected"}
    assert_error(as_dana.post(f"{keys}revise/"), 409, "revised_already")
    assert_error(as_dana.post(f"{keys}erratum/"), 409, "not_published")
    release_of(release.campaign, "two", is_public=True)
    assert_error(as_dana.post(f"{keys}erratum/", {"credit": "Ada"}), 400, "not_agreed")
    told = ok(as_dana.post(f"{keys}erratum/", {"credit": "Ada", "agreed": True}), 201)
    assert told["text"].endswith("Found by Ada.")
    assert ok(as_dana.get(f"{API}releases/{release.public_id}/errata/")) == [told]
    both = ok(as_dana.get(f"{API}comparisons/release/one/dev/versions/?after=two"))
    assert (both["n_changed"], both["n_missing"]) == (len(ids), 0)
    missing = as_dana.get(f"{API}comparisons/release/one/dev/versions/?after=three")
    assert_error(missing, 404, "not_found")


def test_an_audit_without_suspects_asks_nobody(as_dana: APIClient, db: None) -> None:
    audit = audit_of((), reference_set=imported("tiny"))
    for path in ("panels/", "panels/cost/"):
        refused: Any = as_dana.post(f"{API}key-audits/{audit.public_id}/{path}")
        assert_error(refused, 409, "no_suspects")
    assert ReferenceSet.objects.count() == 1
