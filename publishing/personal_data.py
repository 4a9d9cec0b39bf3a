"""What the tables of publications hold about people."""

from django.utils.translation import gettext_lazy as _

from publishing.models import Publication, PublicationStep
from winoplatform.personal import no_person
from winoplatform.personal.runs import PUBLISHED, hold_run

hold_run(
    Publication,
    _("copies of releases that were sent outside"),
    stays={
        PUBLISHED: (
            "target", "repository", "endpoint", "told", "address", "revision", "doi",
            "visibility", "sent",
        ),
    },
)  # fmt: skip
no_person(_("steps of publications"), PublicationStep)
