"""Articles are corrected as new versions and withdrawn; texts already used stay as they were."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from collection.imports.articles import import_articles
from collection.models import Article
from collection.selectors.articles import uses_of_articles
from collection.services import (
    another_article,
    change_article,
    correct_article,
    request_assignment,
    return_assignment,
    withdraw_article,
)
from tests.factories import (
    ARTICLE,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    TwinFactory,
    UserFactory,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db
BETTER = f"{ARTICLE} Close the lid."


def corrected(article: Article, text: str = BETTER) -> Article:
    return correct_article(article=article, title="Packing", text=text, category="Travel")


def test_twins_keep_the_text_that_they_were_written_from() -> None:
    article = ArticleFactory()
    assignment = AssignmentFactory(campaign=article.campaign, article=article, status="submitted")
    twin = TwinFactory(campaign=article.campaign, assignment=assignment)
    writer = UserFactory()
    held = request_assignment(worker=writer, campaign=article.campaign)
    later = corrected(article)
    assert (later.version, later.source_id, later.text) == (2, article.source_id, BETTER)
    assert later.anchors[0]["text"] in BETTER
    for row in (twin.assignment, held):
        row.refresh_from_db()
        assert row.article.text == ARTICLE
    assert request_assignment(worker=UserFactory(), campaign=article.campaign).article == later
    assert uses_of_articles(article.campaign, [article.source_id])[article.source_id].n_twins == 1


def test_the_same_content_changes_nothing() -> None:
    article = corrected(ArticleFactory())
    assert corrected(article) == article
    assert Article.objects.count() == 2


def test_uses_of_all_versions_count_to_the_cap_and_for_a_writer() -> None:
    campaign = CampaignFactory(article_uses_max=1)
    article = ArticleFactory(campaign=campaign)
    writer = UserFactory()
    held = request_assignment(worker=writer, campaign=campaign)
    corrected(article)
    with refused("articles_used_up"):
        request_assignment(worker=UserFactory(), campaign=campaign)
    other = ArticleFactory(campaign=campaign)
    exchanged = another_article(worker=writer, assignment_id=held.public_id, reason="unclear")
    assert exchanged.article == other
    return_assignment(worker=writer, assignment_id=exchanged.public_id, reason="unclear")
    ArticleFactory(campaign=campaign, source_id="new")
    assert request_assignment(worker=writer, campaign=campaign).article.source_id == "new"
    assert uses_of_articles(campaign, [article.source_id])[article.source_id].n_returned == 1


@pytest.mark.long
def test_articles_are_drawn_at_random_among_those_least_used() -> None:
    campaign = CampaignFactory()
    ArticleFactory.create_batch(5, campaign=campaign)
    firsts = set()
    for _ in range(40):
        assignment = request_assignment(worker=UserFactory(), campaign=campaign)
        firsts.add(assignment.article)
        return_assignment(worker=assignment.worker, assignment_id=assignment.public_id)
    assert len(firsts) > 1


def test_a_correction_that_is_withdrawn_at_once_is_given_to_nobody() -> None:
    article = ArticleFactory()
    later = change_article(article=article, text=BETTER, is_withdrawn=True)
    assert (later.version, later.title) == (2, article.title)
    assert not Article.objects.current().exists()


def test_a_withdrawn_article_is_given_to_nobody_until_it_is_put_back() -> None:
    article = ArticleFactory()
    held = request_assignment(worker=UserFactory(), campaign=article.campaign)
    withdraw_article(article=article)
    withdraw_article(article=article)
    with refused("no_articles"):
        request_assignment(worker=UserFactory(), campaign=article.campaign)
    held.refresh_from_db()
    assert held.status == "open"
    withdraw_article(article=article, is_withdrawn=False)
    assert request_assignment(worker=UserFactory(), campaign=article.campaign).article == article


def test_a_correction_brings_a_withdrawn_article_back() -> None:
    article = withdraw_article(article=ArticleFactory())
    later = corrected(article)
    assert list(Article.objects.current()) == [later]


def test_only_the_last_version_changes() -> None:
    article = ArticleFactory()
    corrected(article)
    with refused("article_replaced"):
        corrected(article, f"{BETTER} Again.")
    with refused("article_replaced"):
        withdraw_article(article=article, is_withdrawn=False)


@pytest.mark.parametrize(
    ("title", "text", "code"),
    [
        ("", BETTER, "field_missing"),
        ("How to", " ", "field_missing"),
        ("How to", "a\x00b", "field_has_nul"),
        ("x" * 301, BETTER, "field_too_long"),
        ("How to", "And so on, as it was.", "no_anchor"),
    ],
)
def test_what_an_import_would_reject_is_refused(title: str, text: str, code: str) -> None:
    article = ArticleFactory()
    with refused(code):
        correct_article(article=article, title=title, text=text)
    assert Article.objects.get() == article


def test_an_import_knows_all_versions_and_rejects_another_text() -> None:
    article = ArticleFactory()
    corrected(article)
    row = {"source_id": article.source_id, "title": "x"}
    rows = [{**row, "text": text} for text in (ARTICLE, BETTER, f"{ARTICLE} Then rest.")]
    report = import_articles(campaign=article.campaign, rows=rows)
    assert (report.imported, report.already_there, report.rejected) == (0, 2, {"id_taken": 1})


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_two_corrections_at_once_one_is_stored() -> None:
    article = ArticleFactory()

    def correct(number: int) -> str:
        try:
            return str(corrected(article, f"{BETTER} {number}.").version)
        except Exception as error:
            return getattr(error, "code", repr(error))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        results = sorted(threads.map(correct, range(4)))
    assert results == ["2", *["article_replaced"] * 3]
    assert Article.objects.current().count() == 1
