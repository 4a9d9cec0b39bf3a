"""Questions that workers take to formalise, and the exercise that qualifies for it."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge import selectors, services
from knowledge.api import filters, serializers
from knowledge.api.bodies import examination_body, words_of
from knowledge.api.formalising import UNREADABLE
from knowledge.api.sets import InSet
from knowledge.models import FormalisingTask, KnowledgeSet
from winoplatform.api.views import ListView, VisibleRows, validated
from workers.api.callers import caller


class Tasks(ListView):
    """List the questions taken to formalise; workers see their own."""

    queryset = FormalisingTask.objects.select_related("knowledge_set__campaign")
    serializer_class = serializers.TaskSerializer
    filterset_class = filters.TaskFilter


class Take(InSet):
    queryset = KnowledgeSet.objects.all()
    takes = serializers.QuestionIdSerializer
    gives = serializers.TaskSerializer
    refuses = (403, 409)

    def post(self, request: Request, name: str) -> Response:
        """Take a question to formalise, and reserve its pay; again, it renews the lease."""
        asked = validated(serializers.QuestionIdSerializer, request)
        task = services.take_question(
            worker=caller(request), knowledge_set=self.knowledge_set(), **asked
        )
        return Response(serializers.TaskSerializer(task).data)


class ReturnTask(VisibleRows):
    queryset = FormalisingTask.objects.all()
    gives = None

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Return a question, so that others may take it; twice is the same as once."""
        services.return_question(worker=caller(request), task_id=id)
        return Response(status=204)


class Exercise(VisibleRows):
    queryset = KnowledgeSet.objects.select_related("campaign")
    serializer_class = serializers.FormalisingExerciseSerializer
    lookup_field = lookup_url_kwarg = "name"
    takes = {"POST": serializers.NewFormalisingExerciseSerializer}
    gives = {"POST": serializers.MarkSerializer}
    success = {"POST": 200}
    refuses = [UNREADABLE, 403, 409]

    def get(self, request: Request, name: str) -> Response:
        """The questions that a worker formalises to qualify, and which the worker has solved."""
        knowledge_set = self.get_object()
        qualification = services.qualification_for(knowledge_set, worker=caller(request))
        solved = services.solved(qualification)
        known = selectors.questions_for_people(knowledge_set, knowledge_set.exercise)
        rows = [
            {"item": known[id], "solved": id in solved}
            for id in knowledge_set.exercise
            if id in known
        ]
        status = qualification.status if qualification else None
        return Response(self.get_serializer({"status": status, "questions": rows}).data)

    def post(self, request: Request, name: str) -> Response:
        """Prove a formalisation of one question of the exercise; nothing of it is stored."""
        asked = validated(serializers.NewFormalisingExerciseSerializer, request)
        content = serializers.content_of(asked)
        mark = services.submit_exercise(
            worker=caller(request),
            knowledge_set=self.get_object(),
            question=asked["question"],
            formalisation=content,
            knowledge=asked["knowledge"],
        )
        words = words_of(content.as_dict())
        body: dict[str, Any] = {
            "status": mark.qualification.status,
            "examination": examination_body(mark.examination, words),
        }
        return Response(serializers.MarkSerializer(body).data)
