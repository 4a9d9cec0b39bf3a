"""campaigns/ and rules/: settings, status, and the checker."""

import uuid
from functools import cache
from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.core.findings import ADVICE, RULES
from collection.models import Article, Campaign
from tests.api.calls import API, assert_error, ok
from tests.api.description import description
from tests.factories import (
    ARTICLE,
    OPTIONS,
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    LedgerEntryFactory,
    TwinFactory,
    VerdictFactory,
)
from workers.models import User

CHECK = {"sentences": SENTENCES, "options": OPTIONS, "answers": [1, 2], "anchor": "suitcase"}


def test_a_new_campaign_is_a_draft_with_the_papers_settings(as_dana: APIClient) -> None:
    made = ok(as_dana.post(f"{API}campaigns/", {"slug": "spring", "name": "Spring"}), 201)
    assert (made["status"], made["reward_twin"], made["votes_per_question"]) == ("draft", "0.40", 3)
    assert ok(as_dana.get(f"{API}campaigns/spring/")) == made


def test_drafts_are_seen_by_curators_only(as_alice: APIClient, as_dana: APIClient) -> None:
    CampaignFactory(slug="secret", status=Campaign.Status.DRAFT)
    assert ok(as_alice.get(f"{API}campaigns/"))["results"] == []
    assert_error(as_alice.get(f"{API}campaigns/secret/"), 404, "not_found")
    assert len(ok(as_dana.get(f"{API}campaigns/"))["results"]) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("min_words", 10**30),
        ("min_words", -1),
        ("max_words", 5),
        ("votes_per_question", 4),
        ("min_overlap", "NaN"),
        ("min_overlap", 1),
        ("reward_twin", "-0.01"),
        ("reward_twin", "1e9"),
        ("currency", "usd"),
        ("name", "a\x00b"),
        ("name", "\ud800"),
        ("name", ""),
        ("slug", "not a slug"),
        ("guidelines", None),
        ("verdict_policy", "coin"),
        ("blocking", ["too_long"]),
        ("blocking", ["no_such_rule"]),
        ("blocking", ["object_animal", "object_animal"]),
        ("blocking", "object_animal"),
        ("blocking", [None]),
        ("blocking", [[]]),
        ("blocking", None),
        ("paste_policy", "burn"),
        ("exercise_attempts", 0),
        ("exercise_pass_share", "1.01"),
        ("min_approval_rate", "1.2"),
        ("min_approvals", -1),
        ("twins_per_day_max", "many"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(as_dana: APIClient, field: str, value: object) -> None:
    body = {"slug": "spring", "name": "Spring", field: value}
    assert_error(as_dana.post(f"{API}campaigns/", body), 400, "invalid")
    assert not Campaign.objects.exists()


def test_a_broken_rule_about_several_settings_is_told_in_its_own_sentence(
    as_dana: APIClient, campaign: Campaign
) -> None:
    response = as_dana.patch(f"{API}campaigns/winter/", {"min_words": 40})
    assert_error(response, 400, "invalid")
    assert "maximum length" in response.json()["error"]["message"]


def test_guidelines_of_a_campaign_are_versions_that_a_change_adds_to(as_dana: APIClient) -> None:
    body = {"slug": "spring", "name": "Spring", "guidelines": "One."}
    assert ok(as_dana.post(f"{API}campaigns/", body), 201)["guidelines"] == "One."
    for text in ("One.", "Two.\n", "Two."):
        changed = ok(as_dana.patch(f"{API}campaigns/spring/", {"guidelines": text}))
        assert changed["guidelines"].strip() == text.strip()
    versions = ok(as_dana.get(f"{API}campaigns/spring/guidelines/"))["results"]
    assert [(row["version"], row["text"]) for row in versions] == [(2, "Two.\n"), (1, "One.")]
    details = assert_error(
        as_dana.patch(f"{API}campaigns/spring/", {"guidelines": ""}), 400, "invalid"
    )
    assert set(details["fields"]) == {"guidelines"}


def test_a_campaign_says_which_warnings_refuse_and_who_may_write(as_dana: APIClient) -> None:
    changes = {
        "blocking": ["object_animal", "people_gender_differs"],
        "twins_per_day_max": 20,
        "min_approval_rate": "0.970",
        "reward_exercise": "0.00",
    }
    body = {"slug": "spring", "name": "Spring"} | changes
    ok(as_dana.post(f"{API}campaigns/", body), 201)
    found = ok(as_dana.get(f"{API}campaigns/spring/"))
    assert {name: found[name] for name in changes} == changes
    changed = ok(as_dana.patch(f"{API}campaigns/spring/", {"twins_per_day_max": None}))
    assert (changed["twins_per_day_max"], changed["blocking"]) == (None, changes["blocking"])


def test_a_slug_is_taken_once(as_dana: APIClient, campaign: Campaign) -> None:
    body = {"slug": "winter", "name": "Winter again"}
    details = assert_error(as_dana.post(f"{API}campaigns/", body), 400, "invalid")
    assert set(details["fields"]) == {"slug"}


def test_the_history_of_settings_is_for_curators(as_dana: APIClient, as_alice: APIClient) -> None:
    ok(as_dana.post(f"{API}campaigns/", {"slug": "winter", "name": "Winter"}), 201)
    ok(as_dana.patch(f"{API}campaigns/winter/", {"votes_per_question": 1}))
    change, begun = ok(as_dana.get(f"{API}campaigns/winter/settings-history/"))["results"]
    assert (change["before"], change["after"]) == (
        {"votes_per_question": 3},
        {"votes_per_question": 1},
    )
    assert (begun["before"], begun["after"]["min_overlap"]) == ({}, "0.70")
    assert change["by"] == begun["by"] == User.objects.get(role="curator").public_id
    CampaignFactory(slug="open")
    assert_error(as_alice.get(f"{API}campaigns/open/settings-history/"), 403, "permission_denied")


def test_a_curator_changes_settings_but_not_slug_or_status(
    as_dana: APIClient, campaign: Campaign
) -> None:
    changes = {"vote_minutes": 5, "slug": "other", "status": "closed"}
    changed = ok(as_dana.patch(f"{API}campaigns/winter/", changes))
    assert (changed["vote_minutes"], changed["slug"], changed["status"]) == (5, "winter", "open")
    campaign.refresh_from_db()
    assert campaign.vote_minutes == 5


def test_a_campaign_moves_along_its_arrows_only(as_dana: APIClient, campaign: Campaign) -> None:
    url = f"{API}campaigns/winter/status/"
    assert ok(as_dana.post(url, {"status": "paused"}))["status"] == "paused"
    assert ok(as_dana.post(url, {"status": "closed"}))["status"] == "closed"
    assert_error(as_dana.post(url, {"status": "open"}), 409, "status_not_reachable")
    assert_error(as_dana.post(url, {"status": "draft"}), 409, "status_not_reachable")
    assert_error(as_dana.post(url, {"status": "gone"}), 400, "invalid")


def test_a_good_twin_is_accepted_with_its_numbers(as_bob: APIClient, campaign: Campaign) -> None:
    report = ok(as_bob.post(f"{API}campaigns/winter/check/", CHECK))
    assert report["accepted"]
    assert report["word_counts"] == [19, 19]
    assert report["overlap"] == pytest.approx(18 / 19)
    assert report["trigger"]["first_words"] == ["large."]
    assert [segment["kind"] for segment in report["trigger"]["segments"]] == ["same", "changed"]


def test_with_an_assignment_the_anchor_must_come_from_its_article(
    as_alice: APIClient, as_bob: APIClient, campaign: Campaign, alice: User
) -> None:
    held = AssignmentFactory(
        campaign=campaign,
        worker=alice,
        article__text="Nothing of it.",
        article__title="How to wait",
    )
    body = CHECK | {"assignment": str(held.public_id)}
    report = ok(as_alice.post(f"{API}campaigns/winter/check/", body))
    assert [finding["code"] for finding in report["findings"]] == ["anchor_not_in_article"]
    assert_error(as_bob.post(f"{API}campaigns/winter/check/", body), 404, "not_found")


def test_a_finding_names_rule_sentence_and_place(as_bob: APIClient, campaign: Campaign) -> None:
    twice = [f"{SENTENCES[0]} _", SENTENCES[1]]
    report = ok(as_bob.post(f"{API}campaigns/winter/check/", CHECK | {"sentences": twice}))
    [finding] = [f for f in report["findings"] if f["code"] == "blank_repeated"]
    assert (finding["level"], finding["sentence"]) == ("error", 1)
    assert twice[0][finding["start"] : finding["end"]] == "_"


def test_an_unfinished_twin_is_checked_as_far_as_it_goes(
    as_bob: APIClient, campaign: Campaign
) -> None:
    body = {"sentences": ["", ""], "options": ["", ""], "answers": [None, None]}
    report = ok(as_bob.post(f"{API}campaigns/winter/check/", body))
    assert not report["accepted"]
    assert {"sentence_empty", "option_empty"} <= {f["code"] for f in report["findings"]}


def test_every_rule_of_the_checker_is_listed(as_bob: APIClient) -> None:
    rules = ok(as_bob.get(f"{API}rules/"))
    assert [rule["code"] for rule in rules] == [*RULES, *ADVICE]
    assert {rule["level"] for rule in rules} == {"error", "warning"}


PRIVATE = {
    "gold_share",
    "gold_pass_share",
    "budget_cap",
    "second_approval_above",
    "hourly_floor",
    "goal_pairs",
    "second_person",
}


def test_what_is_for_curators_is_left_out_of_what_workers_read(
    as_bob: APIClient, as_dana: APIClient, campaign: Campaign
) -> None:
    [listed] = ok(as_bob.get(f"{API}campaigns/"))["results"]
    one = ok(as_bob.get(f"{API}campaigns/winter/"))
    assert listed == one
    for path in ("campaigns/", "campaigns/winter/"):
        shown = ok(as_dana.get(API + path))
        shown = shown["results"][0] if "results" in shown else shown
        assert set(shown) - set(one) == PRIVATE
        assert {name: shown[name] for name in one} == one
    changed = ok(as_dana.patch(f"{API}campaigns/winter/", {"budget_cap": "9.00"}))
    assert changed["budget_cap"] == "9.00"


URL = f"{API}campaigns/winter/articles/"
ROW = {"source_id": "new", "title": "How to Fold", "text": ARTICLE}


def test_articles_come_in_once(as_dana: APIClient, campaign: Campaign) -> None:
    report = ok(as_dana.post(URL, {"articles": [ROW, ROW]}))
    assert (report["imported"], report["already_there"]) == (1, 1)
    assert ok(as_dana.post(URL, {"articles": [ROW]}))["imported"] == 0
    assert Article.objects.get(source_id="new").anchors


def test_a_bad_article_is_left_out_and_says_why(as_dana: APIClient, campaign: Campaign) -> None:
    rows = [{"title": "No text"}, ROW, {**ROW, "text": "a\x00b"}, {**ROW, "title": "\ud800"}]
    report = ok(as_dana.post(URL, {"articles": rows}))
    assert report["imported"] == 1
    assert [reject["line"] for reject in report["first_rejects"]] == [1, 3, 4]


def test_a_body_without_articles_is_refused(as_dana: APIClient, campaign: Campaign) -> None:
    for body in ([], {"articles": "x"}, {"articles": [1]}, {}, {"articles": [{}] * 1001}):
        assert_error(as_dana.post(URL, body), 400, "invalid")


def test_a_campaigns_own_articles_are_listed(as_dana: APIClient, campaign: Campaign) -> None:
    ArticleFactory(title="of another campaign")
    [row] = ok(as_dana.get(URL))["results"]
    assert row["title"] == "How to Pack a Suitcase"
    assert_error(as_dana.get(f"{API}campaigns/none/articles/"), 404, "not_found")


def test_an_article_is_corrected_and_withdrawn(as_dana: APIClient, campaign: Campaign) -> None:
    [row] = ok(as_dana.get(URL))["results"]
    assert (row["version"], row["retired_at"]) == (1, None)
    address = f"{URL}{row['id']}/"
    assert ok(as_dana.get(address))["text"] == Article.objects.get().text
    later = ok(as_dana.patch(address, {"text": f"{ARTICLE} Close the lid."}))
    assert (later["version"], later["title"]) == (2, row["title"])
    assert_error(as_dana.patch(address, {"title": "Late"}), 409, "article_replaced")
    gone = ok(as_dana.patch(f"{URL}{later['id']}/", {"is_withdrawn": True}))
    assert gone["retired_at"]
    assert [each["id"] for each in ok(as_dana.get(URL))["results"]] == [later["id"]]
    assert_error(as_dana.patch(f"{URL}{later['id']}/", {"text": " "}), 400, "invalid")


@cache
def filtered() -> dict[str, dict[str, Any]]:
    """Return the filter by campaign of each address that has one."""
    return {
        path: parameter
        for path, methods in description()["paths"].items()
        for parameter in methods.get("get", {}).get("parameters", ())
        if (parameter["name"], parameter["in"]) == ("campaign", "query")
    }


def test_every_filter_says_that_it_takes_both() -> None:
    assert {f"{API}ledger/check/", f"{API}questions/"} <= filtered().keys()
    for path, parameter in filtered().items():
        assert parameter["description"].startswith("Slug or id of "), path
        assert "pattern" not in parameter["schema"], path


def test_slug_and_id_select_the_same(as_dana: APIClient) -> None:
    for slug in ("winter", "summer"):
        twin = TwinFactory(campaign=CampaignFactory(slug=slug))
        VerdictFactory(question=twin.questions.get(number=1))
        LedgerEntryFactory(budget=twin.campaign.public_id)
    names = ("summer", str(twin.campaign.public_id))
    for path in filtered():
        by_slug, by_id = (ok(as_dana.get(path, {"campaign": name})) for name in names)
        assert by_slug == by_id, path
        nowhere = [as_dana.get(path, {"campaign": name}) for name in ("autumn", str(uuid.uuid4()))]
        assert nowhere[0].status_code == nowhere[1].status_code, path
        assert as_dana.get(f"{path}?campaign=%00").status_code == 400, path


def test_questions_of_a_campaign_named_by_its_id(as_dana: APIClient) -> None:
    mine, other = TwinFactory.create_batch(2)
    for twin in (mine, other):
        VerdictFactory(question=twin.questions.get(number=1))
    found = ok(as_dana.get(f"{API}questions/", {"campaign": str(mine.campaign.public_id)}))
    assert {row["campaign"] for row in found["results"]} <= {mine.campaign.slug}
    assert found["results"]
