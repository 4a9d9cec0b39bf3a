"""Tables of copies of releases that are sent to the Hub and to Zenodo."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import Release
from publishing.core.copies import Amendment
from publishing.core.places import LONGEST, Place
from winoplatform.db.columns import reference
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import done_has, recorded_json, recorded_text, value_constraint
from winoplatform.runs.models import Run, RunStatus, Step


class Publication(Run):
    """A copy of a release at a place outside: what is sent, and what stands there at the end.

    The place and the endpoint are those of the request; another endpoint is another place.
    """

    INPUT = "release"

    class Target(models.TextChoices):
        HUB = "hub", _("Hugging Face Hub")
        ZENODO = "zenodo", _("Zenodo")

    release = reference(Release, "publications")
    target = models.CharField(max_length=16, choices=Target)
    repository = models.CharField(
        max_length=LONGEST,
        blank=True,
        help_text=_("Organisation and name on the Hub; empty for Zenodo."),
    )
    endpoint = models.CharField(max_length=200, editable=False)
    told = models.JSONField(
        default=dict,
        editable=False,
        help_text=_("The DOI and the notices that the copy names beside the release’s own text."),
    )
    address = recorded_text(300, _("The page of the copy."))
    revision = recorded_text(100, _("The commit of the Hub, or the record of Zenodo."))
    doi = recorded_text(100)
    visibility = recorded_text(16, _("Whether it is public or private there."))
    sent = recorded_json(_("Name, size in bytes and SHA-256 of each file of the copy."))

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("publication")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            value_constraint("target", "hub", "zenodo"),
            done_has("sent"),
            check(
                "only_the_hub_has_repositories",
                Q(target="hub") ^ Q(repository=""),
                "A copy on the Hub has a repository, and one on Zenodo has none.",
            ),
            unique(
                "is_sent_once_at_a_time",
                ["release", "target", "repository", "endpoint"],
                "This release is being sent there already.",
                condition=Q(status__in=Run.OPEN),
            ),
        ]

    @property
    def place(self) -> Place:
        return Place(self.target, self.repository)

    @property
    def says(self) -> Amendment:
        return Amendment.from_json(self.told)

    @property
    def is_published(self) -> bool:
        """A copy that stands outside is never forgotten."""
        return self.status == RunStatus.DONE

    @property
    def facts(self) -> list[dict[str, Any]]:
        return list(self.sent or ())


class PublicationStep(Step):
    """A recorded step of a publication: the place, a file, or the end."""

    run = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="steps")
    what = models.CharField(max_length=100)
    result = models.JSONField(default=dict)

    class Meta(Step.Meta):
        pass
