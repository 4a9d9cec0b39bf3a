"""What visitors without an account read: releases, their rows and cards, and reports of them."""

import json
import re
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from psycopg.errors import QueryCanceled

from collection.models import Twin
from corpora import services
from corpora.core.bundle.layout import INDEX
from corpora.models import Release
from evaluation.selectors import difficulty_of
from tests.factories import (
    ArtifactFactory,
    EvaluationFactory,
    ReleaseFactory,
    SubmissionFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import source, words
from tests.frontend.published import lines, published
from validation.models import Case, VisitorReport
from validation.services.review import visitors
from winoplatform.errors import DomainError
from winoplatform.http import throttle

ALL, NONE = slice(None), slice(0)
HOSTILE: list[tuple[dict[str, str], slice, str]] = [
    # What is listed of the first split, and what the page says.
    ({"from": "-1"}, ALL, ""),
    ({"from": "9" * 12}, NONE, "No further question."),
    ({"from": "9" * 13}, ALL, ""),
    ({"from": "٣"}, ALL, ""),
    ({"from": "17"}, slice(1, None), ""),  # within the first line
    ({"q": "a" * 201}, ALL, "at most 200 characters"),
    ({"q": "\x00"}, ALL, "Null characters are not allowed"),
    ({"split": "../manifest"}, ALL, "Select a valid choice"),
    ({"split": "test"}, ALL, "Select a valid choice"),
    ({"domain": "'"}, ALL, "Select a valid choice"),
]
QUERIES = 14
"""The most that a public page asks."""


@pytest.fixture(scope="module")
def release_key(kept: str) -> int:
    return published().pk


@pytest.fixture
def release(db: None, release_key: int) -> Release:
    return Release.objects.get(pk=release_key)


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


def test_without_a_public_release_the_first_page_is_the_sign_in(
    stranger: Client, release: Release
) -> None:
    Release.objects.update(is_public=False)
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


def test_lines_for_files_that_a_release_does_not_have_are_left_out(
    stranger: Client, release: Release
) -> None:
    page = reverse("release", args=[release.name])
    needing = (
        "inspect eval kitchen-1/inspect/answers.py --model MODEL",
        "--include_path kitchen-1/harness --tasks kitchen-1_answers --apply_chat_template",
    )
    text = words(stranger.get(page))
    assert [line in text for line in needing] == [True, True]
    release.files.filter(name__in=["inspect/answers.py", "harness/kitchen-1_answers.yaml"]).delete()
    text = words(stranger.get(page))
    assert [line in text for line in needing] == [False, False]
    assert "--include_path kitchen-1/harness --tasks kitchen-1 " in text


def test_the_head_has_the_json_ld_of_croissant(stranger: Client, release: Release) -> None:
    page = source(stranger.get(reverse("release", args=[release.name])))
    [packed] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    described = stranger.get(reverse("release-metadata", args=[release.name])).json()
    assert json.loads(packed) == described
    assert described["distribution"][0]["contentUrl"].startswith("http://testserver/")
    assert "<" not in packed


def test_members_see_rows_and_card_of_a_release_that_is_not_public(
    as_dana: Client, release: Release
) -> None:
    Release.objects.update(is_public=False)
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


def test_hostile_filters_are_refused_or_ignored(stranger: Client, release: Release) -> None:
    first = [row["qID"] for row in lines(release, "train_xl.jsonl")]
    assert len(first) > 1
    for query, listed, said in HOSTILE:
        page = stranger.get(rows_of(release), query)
        assert page.status_code == 200, query
        assert re.findall(r"/questions/([\w-]+)/", source(page)) == first[listed], query
        assert said in words(page), query


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


def test_of_a_large_file_of_predictions_few_lines_are_read(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [{"qID": f"{n:05}-1", "prediction": 1 + n % 2} for n in range(20_000)]
    content = b"".join(json.dumps(line).encode() + b"\n" for line in made)
    EvaluationFactory(
        release=release, finished=True, method="causal", variant="partial", model="a",
        predictions=ArtifactFactory(content=content),
    )  # fmt: skip
    read: list[bytes] = []

    def counted(line: bytes) -> Any:
        read.append(line)
        return json.loads(line)

    monkeypatch.setattr("corpora.selectors.browsing.json", SimpleNamespace(loads=counted))
    found = difficulty_of(release, qid="12345-1", answer=2)
    assert (found.systems, found.systems_right) == (1, 1)
    assert len(read) < 40
    assert difficulty_of(release, qid="none", answer=2).systems == 0


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


def test_a_form_that_is_sent_twice_at_once_is_stored_once(
    stranger: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = visitors.locked_question

    def after_the_other(question_id: str) -> Any:
        question = locked(question_id)
        VisitorReport.objects.create(
            question=question, kind="wrong", client_key=sent()["client_key"]
        )
        return question

    monkeypatch.setattr(visitors, "locked_question", after_the_other)
    assert stranger.post(question_of(release, some_qid(release)), sent()).status_code == 302
    assert VisitorReport.objects.count() == 1


def test_reports_are_bounded_by_question_address_and_campaign(
    stranger: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = question_of(release, some_qid(release))
    for number in range(5):
        key = f"8f6dbb3a-3c1a-4f0e-9d58-0f5f0d0c0b0{number}"
        answer = stranger.post(address, sent(client_key=key))
        assert answer.status_code == 302
        page = words(stranger.get(answer["Location"]))
        is_stored = number < visitors.UNSEEN
        assert ("Thank you." in page, "yours was not stored" in page) == (is_stored, not is_stored)
    assert VisitorReport.objects.count() == visitors.UNSEEN
    monkeypatch.setattr(visitors, "PER_DAY", visitors.UNSEEN)
    other = question_of(release, some_qid(release, "train_xl"))
    answer = stranger.post(other, sent())
    assert answer.status_code == 400
    assert "within a short time" in words(answer)
    monkeypatch.setattr(throttle, "count", lambda *_, **__: 60)
    assert "try again in a minute." in words(stranger.post(other, sent()))
    assert VisitorReport.objects.count() == visitors.UNSEEN


def test_a_report_that_the_model_refuses_is_said_in_the_form(
    stranger: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**asked: Any) -> bool:
        raise ValidationError("It is stored already.")

    monkeypatch.setattr("frontend.releases.browsing.report_question", refused)
    answer = stranger.post(question_of(release, some_qid(release)), sent())
    assert answer.status_code == 400
    assert "It is stored already." in words(answer)


def test_a_question_that_is_missing_in_the_index_takes_no_report(
    stranger: Client, release: Release
) -> None:
    release.files.get(name=INDEX).delete()
    address = question_of(release, some_qid(release))
    assert "Send the report" not in words(stranger.get(address))
    assert stranger.post(address, sent()).status_code == 404


def test_a_question_on_which_nobody_decides_names_the_contact_instead_of_a_form(
    stranger: Client, release: Release
) -> None:
    address = question_of(release, some_qid(release))
    assert "Send the report" in words(stranger.get(address))
    Twin.objects.update(withdrawn_at=timezone.now())
    assert "The release states no contact." in words(stranger.get(address))
    Release.objects.update(contact="Ada <ada@example.org>")
    text = words(stranger.get(address))
    assert "Please write to the contact of the release: Ada <ada@example.org>" in text
    assert "Send the report" not in text
    refused = stranger.post(address, sent())
    assert refused.status_code == 400
    assert "so it takes no reports" in words(refused)
    assert not VisitorReport.objects.exists()


def test_a_question_that_was_validated_elsewhere_takes_no_reports(db: None) -> None:
    imported = TwinFactory(published=True).questions.get(number=1)
    asked = {"kind": "wrong", "text": "", "client_key": uuid.uuid4(), "address": None}
    with pytest.raises(DomainError, match="takes no reports"):
        visitors.report_question(question_id=imported.public_id, **asked)
    assert not visitors.takes_reports(imported.public_id)


def test_refusals_on_public_pages_are_pages(
    stranger: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    def being_made(*args: Any, **more: Any) -> None:
        raise DomainError("being_made", "This file is being made.", status=503)

    def slow(*args: Any, **more: Any) -> None:
        raise OperationalError("statement timeout") from QueryCanceled()

    places = (
        (rows_of(release), "frontend.releases.browsing.services.split_as"),
        (reverse("release", args=[release.name]), "frontend.releases.views.first_rows"),
        (reverse("leaderboard", args=[release.name]), "frontend.leaderboard.views._show"),
        (
            reverse("release-metadata", args=[release.name]),
            "frontend.releases.views.json_ld",
        ),
    )
    for address, name in places:
        for failing, said in ((being_made, "is being made"), (slow, "took too long")):
            with monkeypatch.context() as patched:
                patched.setattr(name, failing)
                answer = stranger.get(address)
            assert answer.status_code == 503, address
            assert said in words(answer)
            assert "Not possible now" in words(answer)
            assert answer.get("Retry-After") == ("5" if failing is slow else None)


def test_the_proxy_may_keep_pages_without_a_form_and_no_others(
    stranger: Client, release: Release, as_dana: Client
) -> None:
    at = reverse("release", args=[release.name])
    kept = (reverse("public-releases"), at, rows_of(release), f"{at}croissant-tasks.json")
    question = question_of(release, some_qid(release))
    for address in kept:
        answer = stranger.get(address)
        assert {*answer["Cache-Control"].split(", ")} == {"public", "max-age=10"}, address
        assert not answer.cookies, address
        assert as_dana.get(address)["Cache-Control"] == "private, no-store"
    refused = (question, f"{at}rows/?from=x&split=test", reverse("release", args=["no-such"]))
    assert [stranger.get(one).get("Cache-Control", "") for one in refused] == ["", "", ""]
    # A visitor with a form's cookie gets what nobody else does.
    assert "csrftoken" in stranger.cookies
    assert not stranger.get(at).has_header("Cache-Control")


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
