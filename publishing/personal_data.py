"""What the tables of publications hold about people."""

from django.utils.translation import gettext_lazy as _

from publishing.models import Erratum, Publication, PublicationStep
from winoplatform.personal import CAMPAIGN, hold, no_person
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
hold(
    Erratum,
    _("corrections of releases, with who added them"),
    _("what is published stays"),
    CAMPAIGN,
    did=("created_by",),
    stays={PUBLISHED: ("text",)},
)
no_person(_("steps of publications"), PublicationStep)
