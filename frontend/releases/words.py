"""Releases and their previews in words."""

from django.urls import reverse
from django.utils.translation import gettext as _

from corpora.models import Release, ReleasePreview
from frontend.runs.words import RunWords, register


class ReleaseWords(RunWords[Release]):
    stage = 5
    related = ("selection__filter_run",)

    def short(self, run: Release) -> str:
        return run.name

    def about(self, run: Release) -> str:
        return run.name

    def href(self, run: Release) -> str:
        # A release that gave up its name has no page: the address shows its successor.
        return reverse("release", args=[run.name]) if run.holds_name else ""


class ReleasePreviewWords(RunWords[ReleasePreview]):
    is_brief = True

    def about(self, run: ReleasePreview) -> str:
        return _("figures of a release, without files")

    def href(self, run: ReleasePreview) -> str:
        return reverse("release-preview", args=[run.public_id])


register(Release, ReleaseWords())
register(ReleasePreview, ReleasePreviewWords())
