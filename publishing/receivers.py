"""Receivers for signals about releases and publications."""

from typing import Any

from django.dispatch import receiver

from corpora.models import Release
from corpora.signals import notice_added
from publishing import services
from publishing.models import Publication
from winoplatform.signals import run_done


@receiver(notice_added, sender=Release, dispatch_uid="publishing.notice")
def tell_notice(sender: type[Release], release: Release, **_: Any) -> None:
    """Tell a retraction or an erratum where copies stand."""
    services.send_notices(release=release)


@receiver(run_done, sender=Publication, dispatch_uid="publishing.late_notice")
def tell_late_notice(sender: type[Publication], run: Publication, **_: Any) -> None:
    """Tell a retraction or an erratum of a release that was being sent."""
    services.send_notices(release=run.release)
