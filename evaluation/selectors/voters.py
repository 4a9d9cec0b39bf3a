"""Who answered in a human evaluation."""

from collection.core.people import People, people_of
from collection.selectors.people import accounts_of
from evaluation.models import HumanEvaluation
from evaluation.selectors.human import USED
from workers.models import User


def voters_people(evaluation: HumanEvaluation) -> People:
    """Return who cast the votes that count; before any, nobody.

    The campaign whose validators answer states who they are, where their accounts do not tell it.
    """
    used = evaluation.seats.filter(USED).order_by().values("worker")
    voters = accounts_of(User.objects.filter(pk__in=used))
    return people_of(others=voters, chosen=evaluation.campaign.people_chosen)
