from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from django.apps import AppConfig

import frontend


class FrontendConfig(AppConfig):
    name = "frontend"

    def ready(self) -> None:
        load_words()


def load_words() -> None:
    """Import ``words`` of each feature that has it: some register texts about a kind of run."""
    for feature in iter_modules(frontend.__path__, "frontend."):
        if feature.ispkg and find_spec(f"{feature.name}.words"):
            import_module(f"{feature.name}.words")
