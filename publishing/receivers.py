"""Receivers for signals about releases and publications."""

from typing import Any

from django.dispatch import receiver

from corpora.models import Release
from corpora.signals import erratum_added, release_retracted
from publishing import services
from publishing.models import Publication
from publishing.signals import publication_done


@receiver(release_retracted, sender=Release, dispatch_uid="publishing.retraction")
def tell_retraction(sender: type[Release], release: Release, **_: Any) -> None:
    """Tell the retraction where copies stand."""
    services.send_notices(release=release)


@receiver(erratum_added, sender=Release, dispatch_uid="publishing.erratum")
def tell_erratum(sender: type[Release], release: Release, **_: Any) -> None:
    """Tell the erratum where copies stand."""
    services.send_notices(release=release)


@receiver(publication_done, dispatch_uid="publishing.late_retraction")
def tell_late_retraction(sender: type[Publication], publication: Publication, **_: Any) -> None:
    """Tell a retraction of a release that was being sent."""
    services.send_notices(release=publication.release)
