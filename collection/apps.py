from django.apps import AppConfig


class CollectionConfig(AppConfig):
    name = "collection"

    def ready(self) -> None:
        from collection.models import Campaign
        from winoplatform.api.filters import campaigns_are

        campaigns_are(Campaign.objects.all)
