"""Questions that workers take to formalise, and the exercise that qualifies for it."""

import uuid
from typing import Any

from rest_framework import serializers as fields
from rest_framework.request import Request

from knowledge import selectors, services
from knowledge.api import filters, serializers
from knowledge.api.bodies import examination_body, words_of
from knowledge.api.formalising import UNREADABLE
from knowledge.api.sets import InSet
from knowledge.models import FormalisingTask, KnowledgeSet
from winoplatform.api.rows import RowSerializer
from winoplatform.api.views import ListView, VisibleRows
from workers.api.callers import caller
from workers.models import Qualification


class QuestionIdSerializer(fields.Serializer[Any]):
    question = fields.CharField(max_length=200, help_text="Id of the question.")


class TaskSerializer(RowSerializer):
    currency = fields.CharField(source="knowledge_set.campaign.currency", read_only=True)

    class Meta:
        model = FormalisingTask
        paths = {"knowledge_set": "knowledge_set.name"}
        fields = (
            "id", "knowledge_set", "question", "reward", "currency", "leased_until", "verified_at",
        )  # fmt: skip


class ExerciseQuestionSerializer(serializers.QuestionSerializer):
    solved = fields.BooleanField()


class FormalisingExerciseSerializer(fields.Serializer[Any]):
    status = fields.ChoiceField(
        choices=Qualification.Status.choices, allow_null=True, help_text="null before an attempt."
    )
    questions = ExerciseQuestionSerializer(many=True)


class NewFormalisingExerciseSerializer(
    serializers.ContentSerializer, serializers.KnowledgeSerializer
):
    question = fields.CharField(max_length=200, help_text="Id of the question.")


class MarkSerializer(fields.Serializer[Any]):
    status = fields.ChoiceField(choices=Qualification.Status.choices)
    examination = serializers.ExaminationSerializer()


class Tasks(ListView):
    """List the questions taken to formalise; workers see their own."""

    queryset = FormalisingTask.objects.select_related("knowledge_set__campaign")
    serializer_class = TaskSerializer
    filterset_class = filters.TaskFilter


class Take(InSet):
    queryset = KnowledgeSet.objects.all()
    takes = QuestionIdSerializer
    gives = TaskSerializer
    refuses = (403, 409)

    def post(self, request: Request, name: str) -> Any:
        """Take a question to formalise, and reserve its pay; again, it renews the lease."""
        data = self.body()
        return services.take_question(
            worker=caller(request), knowledge_set=self.knowledge_set(), **data
        )


class ReturnTask(VisibleRows):
    queryset = FormalisingTask.objects.all()
    gives = None

    def post(self, request: Request, id: uuid.UUID) -> None:
        """Return a question, so that others may take it; twice is the same as once."""
        services.return_question(worker=caller(request), task_id=self.get_object().public_id)


class Exercise(VisibleRows):
    queryset = KnowledgeSet.objects.select_related("campaign")
    serializer_class = FormalisingExerciseSerializer
    lookup_field = lookup_url_kwarg = "name"
    takes = {"POST": NewFormalisingExerciseSerializer}
    gives = {"POST": MarkSerializer}
    success = {"POST": 200}
    refuses = [UNREADABLE, 403, 409]

    def get(self, request: Request, name: str) -> Any:
        """The questions that a worker formalises to qualify, and which the worker has solved."""
        knowledge_set = self.get_object()
        qualification = services.qualification_for(knowledge_set, worker=caller(request))
        solved = services.solved(qualification)
        questions = selectors.questions_for_people(knowledge_set, knowledge_set.exercise)
        rows = [
            {"item": questions[id], "solved": id in solved}
            for id in knowledge_set.exercise
            if id in questions
        ]
        status = qualification.status if qualification else None
        return {"status": status, "questions": rows}

    def post(self, request: Request, name: str) -> Any:
        """Prove a formalisation of one question of the exercise; nothing of it is stored."""
        data = self.body()
        content = serializers.content_of(data)
        mark = services.submit_exercise(
            worker=caller(request),
            knowledge_set=self.get_object(),
            question=data["question"],
            formalisation=content,
            knowledge=data["knowledge"],
        )
        words = words_of(content.as_dict())
        return {
            "status": mark.qualification.status,
            "examination": examination_body(mark.examination, words),
        }
