"""The group of a campaign's settings that says what two people do together."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from workers.models import Proposal


class SecondPerson(models.Model):
    TITLE = _("A second person")

    second_person = ArrayField(
        models.CharField(max_length=16, choices=Proposal.Kind),
        verbose_name=_("A second person for"),
        default=list,
        db_default=[],
        blank=True,
        help_text=_(
            "One member asks for it, and another one confirms it before it has an effect. A person "
            "who works or worked here is erased when another admin or an owner confirms it. Only "
            "an admin can remove one later."
        ),
    )

    class Meta:
        abstract = True
