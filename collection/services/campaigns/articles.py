"""Corrections of articles, and articles that writers get no longer."""

from dataclasses import asdict

from django.db import transaction

from collection.core.anchors import find_anchors
from collection.imports.articles import REASONS, decide
from collection.imports.report import Reject
from collection.models import Article, Campaign
from tabular import Record
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError


@transaction.atomic
def change_article(
    *, article: Article, is_withdrawn: bool | None = None, **changes: str
) -> Article:
    """Correct some fields of an article, withdraw it or give it to writers again, or both.

    Raises
    ------
    DomainError
        As ``correct_article`` and ``withdraw_article``.
    """
    if changes:
        stored = {"title": article.title, "text": article.text, "category": article.category}
        article = correct_article(article=article, **(stored | changes))
    if is_withdrawn is not None:
        article = withdraw_article(article=article, is_withdrawn=is_withdrawn)
    return article


def correct_article(*, article: Article, title: str, text: str, category: str = "") -> Article:
    """Store a corrected article as a new version, which writers get from now on.

    Assignments and twins keep the version that they were written from. The same content again
    changes nothing; other content of a withdrawn article is given to writers.

    Raises
    ------
    DomainError
        ``article_replaced`` if there is a later version, or the code and message of the first
        fault, as an import reports it (``collection.imports.articles.REASONS``).
    """
    fields = {"source_id": article.source_id, "title": title, "text": text, "category": category}
    new = decide(Record(1, fields))
    if isinstance(new, Reject):
        raise DomainError(new.code, new.message)
    anchors = [asdict(anchor) for anchor in find_anchors(new.text)]
    if not anchors:
        raise DomainError("no_anchor", REASONS["no_anchor"])
    with transaction.atomic():
        last = _locked(article)
        if (last.title, last.text, last.category) == (new.title, new.text, new.category):
            return last
        if last.retired_at is None:
            last.retired_at = clock.now()
            last.save(update_fields=["retired_at"])
        return Article.objects.create(
            campaign=last.campaign, version=last.version + 1, anchors=anchors, **asdict(new)
        )


@transaction.atomic
def withdraw_article(*, article: Article, is_withdrawn: bool = True) -> Article:
    """Give an article to no more writers, or again; who holds it may still submit a twin.

    Raises
    ------
    DomainError
        ``article_replaced`` if there is a later version.
    """
    last = _locked(article)
    if is_withdrawn != (last.retired_at is not None):
        last.retired_at = clock.now() if is_withdrawn else None
        last.save(update_fields=["retired_at"])
    return last


def _locked(article: Article) -> Article:
    """Return the row again, which is still the last version until the transaction ends."""
    # As imports do: they, corrections and withdrawals in one campaign are serialized.
    Campaign.objects.select_for_update(no_key=True).get(pk=article.campaign_id)
    last = Article.objects.newest().select_related("campaign").filter(pk=article.pk).first()
    if last is None:
        raise Conflict(
            "article_replaced",
            "This article has been corrected in the meantime. Read its last version first.",
        )
    return last
