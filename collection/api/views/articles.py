"""The articles that prime a campaign's writers."""

import uuid
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from collection import services
from collection.api.filters import ArticleFilter
from collection.api.serializers import authoring as serializers
from collection.api.views.campaigns import visible_campaign
from collection.imports.articles import import_articles
from collection.models import Article
from winoplatform.api.permissions import IsCurator
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView
from winoplatform.http.rights import Right


class Articles(ListView):
    """List a campaign's articles."""

    reads = Right.SEE
    queryset = Article.objects.newest().defer("text", "anchors")
    serializer_class = serializers.ArticleLineSerializer
    filterset_class = ArticleFilter
    permission_classes = [IsCurator]
    takes = serializers.ArticlesSerializer
    gives = {"POST": serializers.ImportReportSerializer}
    success = 200

    def visible(self, rows: Any) -> QuerySet[Article]:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        matching: QuerySet[Article] = rows.filter(campaign=campaign)
        return matching

    def post(self, request: Request, slug: str) -> Any:
        """Import articles; existing ones stay, and each rejected one has a reason."""
        campaign = visible_campaign(request, slug)
        rows = self.body()["articles"]
        return import_articles(campaign=campaign, rows=rows)


class OneArticle(CuratorView):
    takes = serializers.ArticleChangesSerializer(partial=True)
    gives = serializers.OneArticleSerializer
    refuses = Refusal("article_replaced")

    def get(self, request: Request, slug: str, id: uuid.UUID) -> Any:
        """Return one version of an article."""
        return self._article(request, slug, id)

    def patch(self, request: Request, slug: str, id: uuid.UUID) -> Any:
        """Store a correction as the next version, or withdraw the article from new writers.

        A correction of a withdrawn article is given to writers, unless ``is_withdrawn`` is true.
        """
        article = self._article(request, slug, id)
        return services.change_article(article=article, **self.body())

    def _article(self, request: Request, slug: str, id: uuid.UUID) -> Article:
        campaign = visible_campaign(request, slug)
        return get_object_or_404(campaign.articles, public_id=id)
