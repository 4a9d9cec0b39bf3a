from django.apps import AppConfig


class CollectionConfig(AppConfig):
    name = "collection"

    def ready(self) -> None:
        from collection import receivers  # noqa: F401  (connects them)
        from collection.models import Campaign
        from winoplatform.api.filters import campaigns_are

        campaigns_are(Campaign.objects.all)
