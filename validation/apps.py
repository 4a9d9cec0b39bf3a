from django.apps import AppConfig


class ValidationConfig(AppConfig):
    name = "validation"

    def ready(self) -> None:
        from validation import receivers  # noqa: F401  (connects them)
