"""The questions of a knowledge set, and imported reasons."""

from typing import Any

from rest_framework import serializers as fields
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from knowledge.api import filters, serializers
from knowledge.api.sets import InSet
from knowledge.models import KnowledgeSet, Reason
from knowledge.selectors import question_list, question_states
from knowledge.selectors.question_states import NOTHING
from winoplatform import clock
from winoplatform.api.permissions import IsCurator
from winoplatform.api.views import ListView, refuse_unknown, validated_query
from workers.api.callers import caller
from workers.models import AuditEvent

PAGE = 50


class QuestionsQuery(fields.Serializer[Any]):
    page_size = fields.IntegerField(min_value=1, max_value=500, default=PAGE)
    cursor = fields.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="From a page's “next”."
    )
    question = fields.CharField(
        max_length=200, required=False, help_text="Id of the only question wanted."
    )


class Questions(InSet):
    audits = AuditEvent.Kind.LABELS
    queryset = KnowledgeSet.objects.all()
    serializer_class = serializers.SetQuestionSerializer
    query = QuestionsQuery
    gives = serializers.QuestionPageSerializer

    def get(self, request: Request, name: str) -> Response:
        """List a set's questions in published order, with their newest formalisation.

        Only curators see those whose label a release holds back, and what others have formalised.
        """
        refuse_unknown(request, {"format", *QuestionsQuery().fields})
        data = validated_query(QuestionsQuery, request)
        knowledge_set, user = self.knowledge_set(), caller(request)
        every = question_list(knowledge_set, user=user)
        rows, start, size = every.rows, data["cursor"], data["page_size"]
        if "question" in data:  # one, whose place says nothing
            rows, start = [row for row in rows if row.id == data["question"]], 0
        page = every.read(rows[start : start + size])
        ids = [row.item.id for row in page]
        states = question_states(knowledge_set, ids, user=user, now=clock.now())
        listing = [
            {
                "item": row.item,
                "is_held_back": row.is_held_back,
                "state": states.get(row.item.id, NOTHING).state,
                "formalisation": states.get(row.item.id, NOTHING).formalisation,
            }
            for row in page
        ]
        has_more = start + size < len(rows)
        is_whole = start == 0 and not has_more
        return Response(
            {
                "count": len(page) if is_whole else len(rows),
                "count_is_exact": is_whole or not every.hides,
                "next": self._link(start + size) if has_more else None,
                "previous": self._link(max(0, start - size)) if start else None,
                "results": self.get_serializer(listing, many=True).data,
            }
        )

    def _link(self, cursor: int) -> str:
        address = self.request.build_absolute_uri()
        return str(replace_query_param(address, "cursor", cursor))


class Reasons(ListView):
    """List the imported reasons, with how many people accepted each."""

    queryset = Reason.objects.all()
    serializer_class = serializers.KnowledgeReasonSerializer
    permission_classes = [IsCurator]
    filterset_class = filters.ReasonFilter
