from django.apps import AppConfig


class CorporaConfig(AppConfig):
    name = "corpora"

    def ready(self) -> None:
        from corpora import imports, receivers  # noqa: F401  (connects them)

        imports.add_tables()
