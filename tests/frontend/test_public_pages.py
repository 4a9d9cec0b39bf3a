"""What visitors without an account read: releases, their rows and cards, and reports of them."""

import json
import re
import uuid
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpora import services
from corpora.models import Release
from tests.factories import (
    ArtifactFactory,
    EvaluationFactory,
    ReleaseFactory,
    SubmissionFactory,
    UserFactory,
)
from tests.frontend.pages import source, words
from tests.frontend.published import lines, published
from validation.models import Case, VisitorReport
from validation.services.review import visitors
from winoplatform.http import throttle

HOSTILE: list[dict[str, str]] = [
    {"from": "-1"}, {"from": "9" * 12}, {"from": "٣"}, {"from": "17"}, {"q": "a" * 201},
    {"q": "\x00"}, {"split": "../manifest"}, {"split": "test"}, {"domain": "'"},
]  # fmt: skip
QUERIES = 14
"""The most that a public page asks."""


@pytest.fixture
def release(db: None) -> Release:
    return published()


@pytest.fixture
def stranger() -> Client:
    return Client()


def rows_of(release: Release) -> str:
    return reverse("release-rows", args=[release.name])


def question_of(release: Release, qid: str) -> str:
    return reverse("release-question", args=[release.name, qid])


def some_qid(release: Release, split: str = "dev") -> str:
    return str(lines(release, f"{split}.jsonl")[0]["qID"])


def sent(**changes: Any) -> dict[str, Any]:
    key = "8f6dbb3a-3c1a-4f0e-9d58-0f5f0d0c0a01"
    return {"kind": "wrong", "text": "It is the cup.", "client_key": key} | changes


def test_the_first_page_lists_public_releases_and_no_other(
    stranger: Client, release: Release
) -> None:
    ReleaseFactory(finished=True, name="members-only", title="Members only")
    ReleaseFactory(name="being-built", title="Being built", is_public=True)
    assert stranger.get("/")["Location"] == reverse("public-releases")
    text = words(stranger.get(reverse("public-releases")))
    assert "Kitchen <b>things</b>" in text
    assert "Members only" not in text
    assert "Being built" not in text


def test_without_a_public_release_the_first_page_is_the_sign_in(stranger: Client, db: None) -> None:
    ReleaseFactory(finished=True)
    assert stranger.get("/")["Location"].startswith(reverse("account_login"))
    assert "No release is public yet." in words(stranger.get(reverse("public-releases")))


def test_a_stranger_reads_card_rows_citation_and_how_to_load(
    stranger: Client, release: Release
) -> None:
    page = stranger.get(reverse("release", args=[release.name]))
    text = words(page)
    assert "Ada Example" in text
    assert "cff-version" in text
    assert 'pandas.read_parquet("kitchen-1/data/dev.parquet")' in text
    assert "Collection process" in text  # of the card
    assert lines(release, "train_xl.jsonl")[0]["qID"] in source(page)
    # Neither the card nor the JSON-LD makes markup of a title.
    assert "<b>things" not in source(page)


def test_the_head_has_the_json_ld_of_croissant(stranger: Client, release: Release) -> None:
    page = source(stranger.get(reverse("release", args=[release.name])))
    [packed] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    described = stranger.get(reverse("release-metadata", args=[release.name])).json()
    assert json.loads(packed) == described
    assert described["distribution"][0]["contentUrl"].startswith("http://testserver/")
    assert "<" not in packed


def test_members_see_rows_and_card_of_a_release_that_is_not_public(as_dana: Client) -> None:
    release = published(is_public=False)
    page = as_dana.get(reverse("release", args=[release.name]))
    assert "Collection process" in words(page)
    assert lines(release, "train_xl.jsonl")[0]["qID"] in source(page)
    assert as_dana.get(rows_of(release)).status_code == 200
    stranger = Client()
    for address in (rows_of(release), question_of(release, some_qid(release))):
        assert stranger.get(address).status_code == 302


def test_blind_rows_are_never_shown(stranger: Client, as_dana: Client, release: Release) -> None:
    blind = lines(release, "test.jsonl")
    for client in (stranger, as_dana):
        for row in blind:
            assert client.get(question_of(release, row["qID"])).status_code == 404
            posted = client.post(question_of(release, row["qID"]), sent())
            assert posted.status_code == 404
        listed = source(client.get(rows_of(release), {"split": "test"}))
        assert not [row for row in blind if row["qID"] in listed]
    assert not VisitorReport.objects.exists()


def test_rows_are_searched_by_words_and_filtered(stranger: Client, release: Release) -> None:
    row = lines(release, "dev.jsonl")[0]
    [word] = [word for word in row["sentence"].split() if word.isdigit()]
    text = words(stranger.get(rows_of(release), {"split": "dev", "q": f"CUP {word}"}))
    assert row["option1"] in text
    assert "No question of this split matches." in words(
        stranger.get(rows_of(release), {"split": "dev", "q": "no such word"})
    )
    assert "matches" in words(stranger.get(rows_of(release), {"split": "dev", "domain": "social"}))


def test_hostile_filters_get_a_page(stranger: Client, release: Release) -> None:
    for query in HOSTILE:
        assert stranger.get(rows_of(release), query).status_code == 200, query


def test_pages_of_rows_have_each_row_once(
    stranger: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.releases.browsing.SIZE", 2)
    address, seen = rows_of(release) + "?split=train_xl", []
    while address:
        page = source(stranger.get(address))
        seen += re.findall(r"/questions/([\w-]+)/", page)
        following = re.search(r'href="(\?[^"]*from=\d+[^"]*)"', page)
        address = rows_of(release) + following[1].replace("&amp;", "&") if following else ""
    assert seen == [row["qID"] for row in lines(release, "train_xl.jsonl")]


def test_a_question_tells_how_people_and_models_answered(
    stranger: Client, release: Release
) -> None:
    row = lines(release, "dev.jsonl")[0]
    wrong = 3 - int(row["answer"])
    for model, answer in (("a", int(row["answer"])), ("b", wrong)):
        line = json.dumps({"qID": row["qID"], "prediction": answer}).encode() + b"\n"
        EvaluationFactory(
            release=release, finished=True, method="causal", variant="partial", model=model,
            predictions=ArtifactFactory(content=line),
        )  # fmt: skip
    text = words(stranger.get(question_of(release, row["qID"])))
    votes = [vote for vote in lines(release, "provenance/votes.jsonl") if vote["qID"] == row["qID"]]
    right = sum(vote["option"] == int(row["answer"]) for vote in votes)
    assert f"People: {right} of {len(votes)} votes are for this answer." in text
    assert "Models: 1 of 2 evaluations gave this answer." in text


def test_a_report_opens_a_case_once(stranger: Client, as_dana: Client, release: Release) -> None:
    address = question_of(release, some_qid(release))
    for _ in range(2):  # a repeated submission is the same one
        assert stranger.post(address, sent()).status_code == 302
    [report] = VisitorReport.objects.all()
    [case] = Case.objects.filter(question=report.question)
    assert (case.reports, case.new_reports, case.closed_at) == (1, 1, None)
    place = [release.campaign.slug, report.question.public_id]
    text = words(as_dana.get(reverse("review-question", args=place)))
    assert "the answer is wrong or unclear by a reader of a public release" in text
    assert "“It is the cup.”" in text


def test_reports_are_bounded_by_question_address_and_campaign(
    stranger: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = question_of(release, some_qid(release))
    for number in range(5):
        key = f"8f6dbb3a-3c1a-4f0e-9d58-0f5f0d0c0b0{number}"
        assert stranger.post(address, sent(client_key=key)).status_code == 302
    assert VisitorReport.objects.count() == visitors.UNSEEN
    monkeypatch.setattr(visitors, "PER_DAY", visitors.UNSEEN)
    other = question_of(release, some_qid(release, "train_xl"))
    answer = stranger.post(other, sent())
    assert answer.status_code == 400
    assert "within a short time" in words(answer)
    monkeypatch.setattr(throttle, "count", lambda *_, **__: 60)
    assert "try again in 1 minutes" in words(stranger.post(other, sent()))
    assert VisitorReport.objects.count() == visitors.UNSEEN


def test_a_hostile_report_is_refused(stranger: Client, release: Release) -> None:
    address = question_of(release, some_qid(release))
    hostile = ({"kind": "praise"}, {"text": "a" * 501}, {"client_key": "1"}, {"kind": "\x00"})
    for changes in hostile:
        assert stranger.post(address, sent(**changes)).status_code == 400
    assert not VisitorReport.objects.exists()


def test_a_retraction_and_an_erratum_are_said_on_each_public_page_and_files_stay(
    stranger: Client, release: Release
) -> None:
    services.retract_release(
        release=release, reason="Two answers are wrong.", by=UserFactory(admin=True)
    )
    services.add_erratum(release=release, text="The title is wrong.", key=uuid.uuid4(), by=None)
    for address in (
        reverse("release", args=[release.name]),
        rows_of(release),
        question_of(release, some_qid(release)),
    ):
        page = words(stranger.get(address))
        assert "Two answers are wrong." in page
        assert "The title is wrong." in page
    assert "retracted" in words(stranger.get(reverse("public-releases")))
    file = stranger.get(reverse("release-file", args=[release.name, "dev.jsonl"]))
    assert (file.status_code, file["X-Robots-Tag"]) == (200, "noindex")


def test_versions_tell_a_stranger_of_public_ones_alone(stranger: Client, release: Release) -> None:
    published("kitchen-2", is_public=False, campaign=release.campaign)
    published("kitchen-3", campaign=release.campaign)
    page = source(stranger.get(reverse("release", args=["kitchen-3"])))
    assert reverse("release", args=["kitchen-1"]) in page
    assert reverse("release", args=["kitchen-2"]) not in page


def test_the_leaderboard_of_a_public_release_is_read_without_an_account(
    stranger: Client, release: Release
) -> None:
    submission = SubmissionFactory(release=release)
    text = words(stranger.get(reverse("leaderboard", args=[release.name])))
    assert submission.system in text
    assert "Submissions that you have left" not in text
    posted = stranger.post(reverse("leaderboard", args=[release.name]))
    assert posted["Location"].startswith(reverse("account_login"))


def test_the_operator_closes_all_of_it_with_one_setting(
    stranger: Client, release: Release, settings: Any
) -> None:
    settings.PUBLIC_PAGES = False
    name = release.name
    pages = [
        "/",
        reverse("public-releases"),
        reverse("release", args=[name]),
        rows_of(release),
        reverse("leaderboard", args=[name]),
        reverse("release-file", args=[name, "dev.jsonl"]),
    ]
    for address in pages:
        assert stranger.get(address)["Location"].startswith(reverse("account_login"))
    assert stranger.get("/api/v1/releases/").json()["results"] == []
    assert stranger.get(f"/api/v1/releases/by-name/{name}/").status_code == 404
    assert "Allow" not in stranger.get("/robots.txt").content.decode()
    worker = Client()
    worker.force_login(UserFactory())
    assert worker.get(reverse("release", args=[name])).status_code == 200


def test_public_pages_ask_little_and_write_no_session(stranger: Client, release: Release) -> None:
    SubmissionFactory(release=release)
    for address in (
        reverse("public-releases"),
        reverse("release", args=[release.name]),
        rows_of(release),
        question_of(release, some_qid(release)),
        reverse("leaderboard", args=[release.name]),
    ):
        with CaptureQueriesContext(connection) as asked:
            answer = stranger.get(address)
        assert answer.status_code == 200
        assert len(asked) <= QUERIES, (address, len(asked))
        assert not [
            one for one in asked if not one["sql"].startswith(("SELECT", "SAVEPOINT", "RELEASE"))
        ]
        assert "sessionid" not in answer.cookies
    assert not Session.objects.exists()


def test_pages_for_strangers_have_no_script_that_runs(stranger: Client, release: Release) -> None:
    for address in (
        reverse("public-releases"),
        reverse("release", args=[release.name]),
        rows_of(release),
        question_of(release, some_qid(release)),
    ):
        page = source(stranger.get(address))
        assert re.findall(r"<script(?! type=.application/ld)", page) == []


def test_search_engines_are_kept_from_files_and_labelled_rows(
    stranger: Client, release: Release
) -> None:
    rules = stranger.get("/robots.txt").content.decode()
    assert "Disallow: /releases/*/files/" in rules
    for address in (rows_of(release), question_of(release, some_qid(release))):
        assert '<meta name="robots" content="noindex">' in source(stranger.get(address))
