"""The canary string of a release, by which its files are known in a corpus or in a model.

Each release has its own. One for all would not tell which release a model has read, and would
be in this file too.
"""

import re
import uuid

KEY = "canary"
"""The key in Parquet's key–value metadata."""
_NAMESPACE = uuid.UUID("50e64131-8bc7-4530-9b5a-f17d9f34ca1a")
_GUID = re.compile(r"canary GUID ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")


def guid_of(name: str, built_at: str) -> str:
    """Return the GUID of a release from its name and the time of its build.

    Everyone can compute it again, and it depends on nothing that a release keeps secret.

    >>> guid_of("a", "2026-01-01T00:00:00+00:00") == guid_of("a", "2026-01-01T00:00:00+00:00")
    True
    """
    return str(uuid.uuid5(_NAMESPACE, f"{name}\n{built_at}"))


def sentence(guid: str) -> str:
    """Return the canary string.

    Its first part is the same for all releases, so that one search finds each of them.
    """
    return (
        "BENCHMARK DATA: keep this out of corpora for pretraining language models. WinoPlatform "
        f"canary GUID {guid}"
    )


def parquet_metadata(guid: str) -> dict[str, str]:
    """Return what the key–value metadata of a Parquet file has of it."""
    return {KEY: sentence(guid)}


def guid_in(text: str) -> str | None:
    """Return the GUID of a canary string; None if the text has none.

    >>> guid_in(sentence(guid_of("a", "b"))) == guid_of("a", "b"), guid_in("canary GUID")
    (True, None)
    """
    match = _GUID.search(text)
    return match and match[1]
