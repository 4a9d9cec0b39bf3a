"""Reads of the pages of articles."""

from typing import Any

from django.db.models import Q

from collection.models import Article, Assignment, Campaign
from collection.selectors.articles import uses_of_articles
from frontend.http import PageRequest
from frontend.marks import marked_article
from frontend.paging import page_of

ARTICLES = 25
RETURNS = 50


def listed_articles(request: PageRequest, campaign: Campaign) -> dict[str, Any]:
    """Return the articles that match the search, newest first, with their twins and returns."""
    query = request.GET.get("q", "").strip()
    articles = campaign.articles.newest().defer("text", "anchors")
    if query:
        articles = articles.filter(Q(title__icontains=query) | Q(category__icontains=query))
    page = page_of(articles, request, parameter="articles", size=ARTICLES)
    uses = uses_of_articles(campaign, [article.source_id for article in page.rows])
    return {
        "n_articles": campaign.articles.current().count(),
        "page": page,
        "query": query,
        "articles": [(article, uses[article.source_id]) for article in page.rows],
    }


def one_article(article: Article) -> dict[str, Any]:
    """Return a version of an article with the others, its uses, and why writers returned it."""
    campaign = article.campaign
    of_source = campaign.articles.filter(source_id=article.source_id).order_by("-version")
    versions = list(of_source.defer("text", "anchors"))
    assignments = Assignment.objects.filter(article__in=[version.pk for version in versions])
    returns = assignments.exclude(return_reason="").only("return_reason", "return_comment")
    return {
        "article": article,
        "text": marked_article(article.text, article.anchors),
        "versions": versions,
        "is_newest": article == versions[0],
        "uses": uses_of_articles(campaign, [article.source_id])[article.source_id],
        "returns": returns[:RETURNS],
    }
