"""What the tables of releases hold about people."""

from django.utils.translation import gettext_lazy as _

from corpora.models import (
    BlindSentence,
    Draw,
    DrawTable,
    Erratum,
    ReferenceSet,
    ReferenceSplit,
    Release,
    ReleaseFile,
    ReleasePreview,
    ReleaseReport,
    Selection,
    Snapshot,
    SplitForm,
)
from winoplatform.personal import CAMPAIGN, hold, no_person
from winoplatform.personal.runs import PUBLISHED, RESULTS, hold_run

KEYS = _("keys and codes, which name nobody")

hold_run(Snapshot, _("copies of a campaign’s valid questions"), stays={RESULTS: ("repeats",)})
hold_run(ReleasePreview, _("figures of a release before it is built"), stays={
    RESULTS: ("human", "facts"),
})  # fmt: skip
hold_run(
    Release,
    _("releases, with their authors and contact"),
    did=("retracted_by",),
    stays={
        PUBLISHED: (
            "name", "title", "authors", "licence", "retraction_reason", "key", "content_hash",
            "human", "version", "people", "background", "contact", "population", "consent",
            "ethics_review", "funding", "social_impact",
        ),
    },
)  # fmt: skip
hold(
    ReleaseReport,
    _("files attached to a release, with who attached them"),
    _("what is published stays"),
    CAMPAIGN,
    did=("created_by",),
    stays={KEYS: ("name",)},
)
hold(
    Erratum,
    _("corrections of releases, with who added them"),
    _("what is published stays"),
    CAMPAIGN,
    did=("created_by",),
    stays={PUBLISHED: ("text",)},
)
hold(
    ReferenceSet,
    _("published data sets, with who imported them"),
    _("results are compared with them"),
    CAMPAIGN,
    did=("created_by",),
    stays={PUBLISHED: ("name", "title", "licence", "source", "erratum")},
)
no_person(_("drawn splits"), Draw, DrawTable, BlindSentence)
no_person(_("files of a release"), ReleaseFile, SplitForm)
no_person(_("items of a reference set"), ReferenceSplit)
no_person(_("which questions a run keeps"), Selection)
