"""The REST resource of publications."""

from publishing import services
from publishing.api import serializers
from publishing.models import Publication
from winoplatform.api.filters import RunFilter, of_campaign
from winoplatform.api.runs import register


class PublicationFilter(RunFilter):
    campaign = of_campaign("release__snapshot__campaign")

    class Meta:
        model = Publication
        fields = ("target",)


register(
    name="publications",
    rows=Publication.objects.select_related("release", "created_by"),
    serializer=serializers.PublicationSerializer,
    form=serializers.NewPublicationSerializer,
    start=services.publish_release,
    filters=PublicationFilter,
    creates="Send a copy of a public release to the Hugging Face Hub or to Zenodo. The same "
    "request again gives the publication under way, or the finished one if nothing has changed.",
)
