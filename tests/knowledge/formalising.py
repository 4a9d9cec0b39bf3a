"""Workers who formalise the trophies for pay."""

from decimal import Decimal
from typing import Any

from django.utils import timezone

from knowledge import services
from knowledge.core.formalisation import Formalisation as Content
from knowledge.models import Formalisation, Formula, KnowledgeSet
from tests.factories import CampaignFactory, UserFactory
from tests.factories.knowledge import LARGE, TOO_LARGE, trophies
from workers.models import Qualification, User


def paying(**fields: Any) -> KnowledgeSet:
    """A set whose campaign pays 2.00 for a formalised question, with its formula."""
    fields = {"formalisation_reward": Decimal("2.00"), "name": "paid"} | fields
    made = services.create_knowledge_set(
        reference_set=trophies(f"trophies-{fields['name']}"),
        by=None,
        campaign=fields.pop("campaign", None) or CampaignFactory(),
        **fields,
    )
    services.add_formula(knowledge_set=made, name="large", text=LARGE, by=None)
    return made


def qualified(of: KnowledgeSet) -> User:
    worker = UserFactory()
    assert of.campaign is not None
    Qualification.objects.create(
        worker=worker,
        scope=of.campaign.public_id,
        skill="formalise",
        status="passed",
        decided_at=timezone.now(),
    )
    return worker


def formalised(
    of: KnowledgeSet, by: User, *, content: Content = TOO_LARGE, known: bool = True
) -> Formalisation:
    """A version of the first question, verified if the formula is *known*."""
    formulas = list(Formula.objects.filter(knowledge_set=of)) if known else []
    return services.formalise(
        knowledge_set=of, question="t-1", formalisation=content, formulas=formulas, by=by
    )
