"""System checks: wrong settings are named at start, not at the first request that needs them."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def settings_are_sound(app_configs: Any, **_: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if settings.RUN_LEASE_SECONDS < 2:
        found.append(Error("RUN_LEASE_SECONDS must be at least 2.", id="winoplatform.E001"))
    if settings.REDIS_URL and not settings.REDIS_URL.startswith(
        ("redis://", "rediss://", "redis+socket://", "unix://")
    ):
        found.append(
            Error("REDIS_URL must be a redis:// or rediss:// address.", id="winoplatform.E002")
        )
    if not settings.VAR_DIR.parent.is_dir():
        found.append(Error(f"VAR_DIR has no parent: {settings.VAR_DIR}", id="winoplatform.E003"))
    return found
