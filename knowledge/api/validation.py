"""The validation of a set's sentences: for curators."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers as fields
from rest_framework.request import Request

from collection.api.serializers.authoring import PeopleSerializer
from collection.models import Campaign
from knowledge import selectors, services
from knowledge.api import serializers
from knowledge.api.bodies import figures_body
from knowledge.api.sets import InSet
from knowledge.models import KnowledgeSet
from panels.api.serializers import PanelSerializer
from panels.selectors import progress_of
from validation.api.serializers.quality import PeopleShareSerializer, ShareSerializer
from winoplatform.api.fields import BySlug
from winoplatform.api.permissions import IsCurator
from winoplatform.errors import NotFound
from workers.api.callers import caller


class NewValidationSerializer(fields.Serializer[Any]):
    campaign = BySlug(
        Campaign.objects.all(),
        required=False,
        help_text="Whose validators answer and whose budget pays; by default the set's.",
    )
    whole_set = serializers.money(
        required=False, help_text="Pay of one annotator for the whole set."
    )
    reward = serializers.money(
        required=False, help_text="Pay for each answer, instead of the whole set."
    )
    annotators = fields.IntegerField(min_value=1, max_value=20, default=6)
    needed = fields.IntegerField(min_value=1, max_value=20, default=5)
    seed = fields.IntegerField(min_value=0, max_value=2**63 - 1, default=0)


class AnnotatorFiguresSerializer(fields.Serializer[Any]):
    worker = fields.CharField()
    right = fields.IntegerField()
    n = fields.IntegerField()
    kappa = ShareSerializer(help_text="Cohen's, with the labels.")
    yes = fields.FloatField(help_text="Share of “yes”.")
    seconds = fields.FloatField(allow_null=True, help_text="Median of an answer.")


class KindFiguresSerializer(fields.Serializer[Any]):
    raw = PeopleShareSerializer()
    n_valid = fields.IntegerField()
    n_complete = fields.IntegerField()


class ValidationFiguresSerializer(fields.Serializer[Any]):
    people = PeopleSerializer(help_text="Who worked on the set and on its questions.")
    n_problems = fields.IntegerField()
    n_complete = fields.IntegerField(help_text="Problems that have all their answers.")
    n_valid = fields.IntegerField()
    n_enrolled = fields.IntegerField()
    n_answers = fields.IntegerField()
    n_wanted = fields.IntegerField()
    raw = PeopleShareSerializer(
        help_text="Answers that equal the label; its intervals are over pairs."
    )
    mean_kappa = PeopleShareSerializer(
        help_text="Of the annotators with 20 answers or more, whom n counts."
    )
    fleiss = PeopleShareSerializer()
    alpha = PeopleShareSerializer(help_text="Krippendorff's.")
    by_kind = fields.DictField(child=KindFiguresSerializer())
    annotators = AnnotatorFiguresSerializer(many=True)


def _begun(request: Request, name: str) -> KnowledgeSet:
    sets = KnowledgeSet.objects.curated_by(request.user).select_related("panel__campaign")
    row = get_object_or_404(sets, name=name)
    if row.panel is None:
        raise NotFound("validation")
    return row


class Validation(InSet):
    queryset = KnowledgeSet.objects.all()
    serializer_class = PanelSerializer
    permission_classes = [IsCurator]
    takes = {"POST": NewValidationSerializer}
    success = {"POST": 201}
    refuses = 409

    def get(self, request: Request, name: str) -> Any:
        """The panel that validates a set's sentences: who answers, and what it pays."""
        return _begun(request, name).panel

    def post(self, request: Request, name: str) -> Any:
        """Ask annotators about every sentence, and reserve their pay; sentences are frozen."""
        data = self.body()
        return services.begin_validation(
            knowledge_set=self.knowledge_set(), by=caller(request), **data
        )


class ValidationFigures(InSet):
    queryset = KnowledgeSet.objects.all()
    serializer_class = ValidationFiguresSerializer
    permission_classes = [IsCurator]

    def get(self, request: Request, name: str) -> Any:
        """The figures of the answers so far: agreement, kappa, valid problems, by kind."""
        knowledge_set = _begun(request, name)
        assert knowledge_set.panel is not None
        body = figures_body(selectors.set_figures(knowledge_set), progress_of(knowledge_set.panel))
        body["people"] = selectors.knowledge_people(knowledge_set)
        return body
