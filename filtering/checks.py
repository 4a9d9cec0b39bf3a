"""System checks of this app's settings."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from modeling.specs import ModelSpec


@register()
def encoder_can_be_parsed(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Only the name is checked: the web process does not load the encoder."""
    try:
        ModelSpec.parse(settings.ENCODER)
    except ValueError as error:
        return [Error(f"ENCODER cannot be used: {error}.", id="filtering.E001")]
    return []


@register()
def encoder_folders_are_absolute(app_configs: Any, **_: Any) -> list[CheckMessage]:
    # Web processes and workers may have different working directories and must permit the same.
    return [
        Error(f"ENCODER_FOLDERS must hold absolute paths; got {folder!r}.", id="filtering.E002")
        for folder in settings.ENCODER_FOLDERS
        if not Path(folder).is_absolute()
    ]
