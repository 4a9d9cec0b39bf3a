"""Gold questions: listed, chosen and retired by curators, hidden from other users."""

import uuid
from typing import Any

from rest_framework.request import Request

from collection.api.views.campaigns import visible_campaign
from collection.models import of_member
from validation.api.filters import GoldFilter
from validation.api.serializers import golds as serializers
from validation.models import GoldQuestion
from validation.selectors.golds import with_answers
from validation.services.golds import add_gold, retire_gold
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView
from winoplatform.errors import existing
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import AuditEvent

TAG = "review"


def _gold(gold: GoldQuestion) -> Any:
    return with_answers(GoldQuestion.objects.filter(pk=gold.pk)).get()


class Golds(CuratorRows, ListView):
    """List a campaign's control questions with their counts of correct answers."""

    changes = Right.DECIDE
    audits = AuditEvent.Kind.LABELS

    queryset = GoldQuestion.objects.all()
    serializer_class = serializers.GoldSerializer
    filterset_class = GoldFilter
    takes = serializers.NewGoldSerializer
    refuses = Refusal("not_valid")

    def visible(self, rows: Any) -> Any:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        return with_answers(rows.filter(campaign=campaign))

    def post(self, request: Request, slug: str) -> Any:
        """Use a valid question as a control question; repeating it changes nothing."""
        campaign = visible_campaign(request, slug)
        question = self.body()["question"]
        gold = add_gold(campaign=campaign, question_id=question, by=caller(request))
        return _gold(gold)


class RetireGold(CuratorView):
    changes = Right.DECIDE
    gives = serializers.GoldSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Retire a control question; the answers given to it stay."""
        rows = GoldQuestion.objects.filter(of_member(caller(request)))
        gold = existing(rows.filter(public_id=id).first(), "control question")
        return _gold(retire_gold(gold_id=gold.public_id))
