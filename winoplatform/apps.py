from django.apps import AppConfig


class WinoplatformConfig(AppConfig):
    name = "winoplatform"
    verbose_name = "Platform"

    def ready(self) -> None:
        from winoplatform import checks  # noqa: F401  (importing registers them)
        from winoplatform.db import connections  # noqa: F401  (importing registers them)
