from django.apps import AppConfig


class CollectionConfig(AppConfig):
    name = "collection"

    def ready(self) -> None:
        from collection import receivers  # noqa: F401  (connects them)
