from django.apps import AppConfig


class FilteringConfig(AppConfig):
    name = "filtering"

    def ready(self) -> None:
        from filtering import checks  # noqa: F401  (registers the system checks)
