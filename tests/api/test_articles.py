"""campaigns/{slug}/articles/: what primes writers."""

from rest_framework.test import APIClient

from collection.models import Article, Campaign
from tests.api.calls import API, assert_error, ok
from tests.factories import ARTICLE, ArticleFactory

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
