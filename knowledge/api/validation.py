"""The validation of a set's sentences: for curators."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from knowledge import selectors, services
from knowledge.api import serializers
from knowledge.api.bodies import figures_body
from knowledge.api.sets import InSet
from knowledge.models import KnowledgeSet
from panels.api.serializers import PanelSerializer
from panels.selectors import progress_of
from winoplatform.api.permissions import IsCurator
from winoplatform.errors import NotFound
from workers.api.callers import caller


def _begun(name: str) -> KnowledgeSet:
    found = get_object_or_404(KnowledgeSet.objects.select_related("panel__campaign"), name=name)
    if found.panel is None:
        raise NotFound("validation")
    return found


class Validation(InSet):
    queryset = KnowledgeSet.objects.all()
    serializer_class = PanelSerializer
    permission_classes = [IsCurator]
    takes = {"POST": serializers.NewValidationSerializer}
    success = {"POST": 201}
    refuses = 409

    def get(self, request: Request, name: str) -> Any:
        """The panel that validates a set's sentences: who answers, and what it pays."""
        return _begun(name).panel

    def post(self, request: Request, name: str) -> Any:
        """Ask annotators about every sentence, and reserve their pay; sentences are frozen."""
        asked = self.asked()
        return services.begin_validation(
            knowledge_set=self.knowledge_set(), by=caller(request), **asked
        )


class ValidationFigures(InSet):
    queryset = KnowledgeSet.objects.all()
    serializer_class = serializers.ValidationFiguresSerializer
    permission_classes = [IsCurator]

    def get(self, request: Request, name: str) -> Any:
        """The figures of the answers so far: agreement, kappa, valid problems, by kind."""
        found = _begun(name)
        assert found.panel is not None
        body = figures_body(selectors.set_figures(found), progress_of(found.panel))
        body["people"] = selectors.knowledge_people(found)
        return body
