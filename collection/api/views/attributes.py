"""The attribute table that helps writers to find a trigger."""

from rest_framework.request import Request
from rest_framework.response import Response

from collection import services
from collection.api.serializers import joining as serializers
from collection.api.views.campaigns import visible_campaign
from collection.models import Attribute
from collection.selectors.attributes import search_attributes
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.views import ApiView, validated_query


class Attributes(ApiView):
    permission_classes = [CuratorsChange]
    takes = serializers.AttributesSerializer
    gives = serializers.AttributesSerializer
    query = {"GET": serializers.AttributeSearchSerializer}

    def get(self, request: Request, slug: str) -> Response:
        """Search the table by attribute or trigger word, best matches first."""
        campaign = visible_campaign(request, slug)
        query = validated_query(serializers.AttributeSearchSerializer, request)
        attributes = search_attributes(
            campaign, query=query.get("q", ""), domain=query.get("domain", "")
        )
        return self._response(attributes)

    def put(self, request: Request, slug: str) -> Response:
        """Replace the whole table."""
        campaign = visible_campaign(request, slug)
        rows = [
            services.AttributeRow(row["name"], row["domain"], tuple(map(tuple, row["pairs"])))
            for row in self.body()["attributes"]
        ]
        services.set_attributes(campaign=campaign, rows=rows)
        return self._response(search_attributes(campaign))

    def _response(self, attributes: list[Attribute]) -> Response:
        return Response(serializers.AttributesSerializer({"attributes": attributes}).data)
