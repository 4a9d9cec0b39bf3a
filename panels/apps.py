from django.apps import AppConfig


class PanelsConfig(AppConfig):
    name = "panels"

    def ready(self) -> None:
        from panels import receivers  # noqa: F401  (connects it)
