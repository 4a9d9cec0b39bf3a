"""System checks that report invalid settings at start, not at the first request that uses them."""

from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

LEAST = {
    "RUN_LEASE_SECONDS": 2,
    "RUN_DISPATCH_SECONDS": 1,
    "DATABASE_POOL_SIZE": 2,  # a run's heartbeat has a connection of its own
    "DATABASE_CONNECTIONS": 0,
    "DATABASE_STATEMENT_SECONDS": 0,
    "DATABASE_IDLE_SECONDS": 0,
    "SLOW_STATEMENT_SECONDS": 0,
    "TOKEN_DAYS": 1,
    "HSTS_SECONDS": 0,
    "CROWD_ARRIVALS_PER_HOUR": 1,
    "PAY_ENTRY_MAX": 1,
    "PAY_DAY_MAX": 1,
    "KEEP_INVITATIONS_DAYS": 0,
    "KEEP_DRAFTS_DAYS": 0,
    "KEEP_TELEMETRY_DAYS": 0,
    "KEEP_PLATFORM_IDS_DAYS": 0,
    "KEEP_BACKUPS_DAYS": 0,
    "KEEP_LOGS_DAYS": 0,
    "ARTIFACTS_CACHE_GB": 0,
}
LEAST_KEPT = {
    "KEEP_SESSIONS_DAYS": 15,  # a session lasts two weeks
    "KEEP_ADDRESSES_DAYS": 30,  # the audit log lets no younger address be emptied
}
PAY_MOST = 1_000_000  # the table of entries holds no larger amount
LEAST_SECRET, LEAST_DIFFERENT = 50, 5
LEAST_TOKEN = 32


@register()
def numbers_are_large_enough(app_configs: Any, **_: Any) -> list[CheckMessage]:
    return [
        Error(f"{name} must be at least {least}.", id="winoplatform.E001")
        for name, least in LEAST.items()
        if getattr(settings, name) < least
    ]


@register()
def periods_are_long_enough(app_configs: Any, **_: Any) -> list[CheckMessage]:
    return [
        Error(f"{name} must be at least {least}, or 0.", id="winoplatform.E007")
        for name, least in LEAST_KEPT.items()
        if getattr(settings, name) and getattr(settings, name) < least
    ]


@register()
def limits_of_pay_fit(app_configs: Any, **_: Any) -> list[CheckMessage]:
    entry_max: int = settings.PAY_ENTRY_MAX
    if entry_max <= min(PAY_MOST, settings.PAY_DAY_MAX):
        return []
    message = f"PAY_ENTRY_MAX must not exceed PAY_DAY_MAX, nor {PAY_MOST}."
    return [Error(message, id="winoplatform.E004")]


@register()
def tokens_last_at_most_the_maximum(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if settings.TOKEN_DAYS <= settings.TOKEN_DAYS_MAX:
        return []
    return [Error("TOKEN_DAYS must not exceed TOKEN_DAYS_MAX.", id="winoplatform.E006")]


@register()
def the_secret_key_is_strong(app_configs: Any, **_: Any) -> list[CheckMessage]:
    fallbacks = [("A key of SECRET_KEY_FALLBACKS", key) for key in settings.SECRET_KEY_FALLBACKS]
    # As in Django's own check, which runs only with --deploy.
    return [
        Error(
            f"{name} must have at least {LEAST_SECRET} characters, {LEAST_DIFFERENT} of them "
            "different. Make one: python -c 'import secrets; print(secrets.token_urlsafe(50))'",
            id="winoplatform.E005",
        )
        for name, key in [("SECRET_KEY", settings.SECRET_KEY), *fallbacks]
        if len(key) < LEAST_SECRET or len(set(key)) < LEAST_DIFFERENT
    ]


@register()
def the_token_of_metrics_is_long(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if not 0 < len(settings.METRICS_TOKEN) < LEAST_TOKEN:
        return []
    message = f"METRICS_TOKEN must have at least {LEAST_TOKEN} characters."
    return [Error(message, id="winoplatform.E010")]


@register()
def redis_has_an_address(app_configs: Any, **_: Any) -> list[CheckMessage]:
    # Celery and redis-py have no common form for a Unix socket.
    if not settings.REDIS_URL or settings.REDIS_URL.startswith(("redis://", "rediss://")):
        return []
    return [Error("REDIS_URL must be a redis:// or rediss:// address.", id="winoplatform.E002")]


@register()
def artifacts_have_an_address(app_configs: Any, **_: Any) -> list[CheckMessage]:
    url, endpoint = urlsplit(settings.ARTIFACTS_URL), urlsplit(settings.ARTIFACTS_ENDPOINT)
    errors = []
    if settings.ARTIFACTS_URL and (url.scheme != "s3" or not url.netloc or "@" in url.netloc):
        errors.append("ARTIFACTS_URL must be s3://bucket or s3://bucket/prefix.")
    if endpoint.scheme not in ("", "http", "https") or bool(endpoint.scheme) != bool(
        endpoint.netloc
    ):
        errors.append("ARTIFACTS_ENDPOINT must be an http:// or https:// address.")
    return [Error(sentence, id="winoplatform.E009") for sentence in errors]


@register()
def tokens_travel_encrypted(app_configs: Any, **_: Any) -> list[CheckMessage]:
    # A token that is sent in plain text can be read on the way; this machine is no way.
    addresses = {name: urlsplit(getattr(settings, name)) for name in ("HF_ENDPOINT", "ZENODO_URL")}
    return [
        Error(
            f"{name} must be an https:// address without user, path and query, or http:// of this "
            "machine.",
            id="winoplatform.E008",
        )
        for name, address in addresses.items()
        if not address.hostname
        or "@" in address.netloc
        or any((address.path, address.query, address.fragment))
        or not (address.scheme == "https" or (address.scheme == "http" and _is_near(address)))
    ]


@register()
def a_crowd_sandbox_is_near(app_configs: Any, **_: Any) -> list[CheckMessage]:
    # The platform sends work to it and embeds pages in its frames: it must not be a remote host.
    if not settings.CROWD_SANDBOX_URL or _is_near(urlsplit(settings.CROWD_SANDBOX_URL)):
        return []
    return [Error("CROWD_SANDBOX_URL must be an address of this machine.", id="winoplatform.E003")]


def _is_near(address: SplitResult) -> bool:
    return address.hostname in {"127.0.0.1", "localhost"}
