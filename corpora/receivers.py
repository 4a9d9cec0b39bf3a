"""Receivers for signals of releases."""

from typing import Any

from django.dispatch import receiver

from corpora import services
from corpora.models import Release
from corpora.signals import release_built


@receiver(release_built, dispatch_uid="corpora.split_forms")
def split_forms(sender: type[Release], release: Release, **_: Any) -> None:
    """Make the files that a public release is asked for; others are made when they are."""
    if release.is_public:
        services.make_forms(release)
