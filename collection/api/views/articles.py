"""The articles that prime a campaign's writers."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request

from collection.api.filters import ArticleFilter
from collection.api.serializers import authoring as serializers
from collection.api.views.campaigns import visible_campaign
from collection.imports.articles import import_articles
from collection.models import Article
from winoplatform.api.permissions import IsCurator
from winoplatform.api.views import ListView


class Articles(ListView):
    """List a campaign's articles."""

    queryset = Article.objects.defer("text", "anchors")
    serializer_class = serializers.ArticleLineSerializer
    filterset_class = ArticleFilter
    permission_classes = [IsCurator]
    takes = serializers.ArticlesSerializer
    gives = {"POST": serializers.ImportReportSerializer}
    success = 200

    def visible(self, rows: Any) -> QuerySet[Article]:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        found: QuerySet[Article] = rows.filter(campaign=campaign)
        return found

    def post(self, request: Request, slug: str) -> Any:
        """Import articles; existing ones stay, and each rejected one has a reason."""
        campaign = visible_campaign(request, slug)
        rows = self.asked()["articles"]
        return import_articles(campaign=campaign, rows=rows)
