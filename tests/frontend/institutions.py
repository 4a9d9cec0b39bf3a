"""An institution's provider of OpenID Connect, on this machine, for tests."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from oidc_provider_mock import User, run_server_in_thread

# The provider's own library warns of what the provider still uses.
OLD_CALLS = "ignore:get_jwt_config:DeprecationWarning"
PEOPLE = (
    User(sub="erin-at-home", claims={"email": "erin@example.org", "email_verified": True}),
    User(sub="thief", claims={"email": "dana@example.org", "email_verified": False}),
    User(sub="claimant", claims={"email": "dana@example.org", "email_verified": True}),
)


@contextmanager
def provider(settings: Any) -> Iterator[str]:
    """Run a provider that the platform trusts; its address."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with run_server_in_thread(user_claims=PEOPLE) as server:
        address = f"http://localhost:{server.server_port}"
        app = {"provider_id": "institution", "name": "Example University", "client_id": "wino"}
        app |= {"secret": "secret", "settings": {"server_url": address}}
        settings.OIDC_SERVER_URL, settings.OIDC_NAME = address, "Example University"
        providers = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
        settings.SOCIALACCOUNT_PROVIDERS = providers
        yield address
