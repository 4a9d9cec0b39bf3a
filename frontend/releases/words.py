"""Publications in words."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as later

from frontend.runs.words import RunWords, register
from publishing.models import Publication


class PublicationWords(RunWords[Publication]):
    related = ("release",)
    of_total = later("%s of %s steps")

    def about(self, run: Publication) -> str:
        return f"{run.release.name} · {run.place}"

    def href(self, run: Publication) -> str:
        return reverse("publish-release", args=[run.release.name])


register(Publication, PublicationWords())
