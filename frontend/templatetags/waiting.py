"""How much waits for curators: ``{% load waiting %}{% open_appeals as n %}``."""

from django import template

from collection.models import Campaign
from validation.models import Appeal
from validation.selectors.desk import n_waiting

register = template.Library()


@register.simple_tag
def open_appeals() -> int:
    """Count the appeals that nobody has answered."""
    return Appeal.objects.open().count()


@register.simple_tag
def on_the_desk(campaign: Campaign) -> int:
    """Count the questions of a campaign that want a curator."""
    return n_waiting([campaign]).get(campaign.pk, 0)
