"""Knowledge sentences, the lexicon that drafts them, and their false versions. For curators."""

import uuid
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from knowledge import services
from knowledge.api import filters, serializers
from knowledge.api.formalising import formula_of
from knowledge.api.sets import ListInSet
from knowledge.models import Formalisation, LexiconEntry, Sentence
from winoplatform.api.permissions import IsCurator
from winoplatform.api.runs import CuratorRows
from winoplatform.api.views import DetailView
from workers.api.callers import caller
from workers.models import AuditEvent


class Lexicon(ListInSet):
    """List the words of the set's predicates and actions."""

    queryset = LexiconEntry.objects.all()
    serializer_class = serializers.LexiconEntrySerializer
    permission_classes = [IsCurator]
    takes = serializers.LexiconEntrySerializer
    success = {"POST": 201}

    def visible(self, rows: Any) -> Any:
        return rows.filter(knowledge_set=self.knowledge_set())

    def post(self, request: Request, name: str) -> Any:
        """Store the words of a predicate or an action, in the place of earlier ones."""
        return services.put_words(knowledge_set=self.knowledge_set(), **self.body())


class Draft(CuratorRows):
    audits = AuditEvent.Kind.LABELS
    queryset = Formalisation.objects.select_related("knowledge_set").prefetch_related("formulas")
    takes = serializers.FormulaNameSerializer
    gives = serializers.SentenceDraftSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Put a formula into words by the lexicon; nothing is stored."""
        row = self.get_object()
        data = self.body()
        text, mentions = services.draft(formalisation=row, formula=formula_of(row, data["formula"]))
        return {"text": text, "mentions": mentions}


class Sentences(ListInSet):
    """List the set's sentences, true ones and false versions."""

    audits = AuditEvent.Kind.LABELS

    queryset = Sentence.objects.select_related("formalisation", "formula", "of", "author")
    serializer_class = serializers.SentenceSerializer
    permission_classes = [IsCurator]
    filterset_class = filters.SentenceFilter
    takes = serializers.NewSentenceSerializer
    refuses = 409

    def post(self, request: Request, name: str) -> Any:
        """Add a true sentence of a question."""
        data = self.body()
        knowledge_set = self.knowledge_set()
        rows = knowledge_set.formalisations.all()
        formalisation = get_object_or_404(rows, public_id=data.pop("formalisation"))
        formula = data.pop("formula", None)
        return services.write_sentence(
            knowledge_set=knowledge_set,
            formalisation=formalisation,
            formula=formula and formula_of(formalisation, formula),
            by=caller(request),
            **data,
        )


class OneSentence(DetailView):
    """One sentence in its three forms."""

    audits = AuditEvent.Kind.LABELS

    queryset = Sentences.queryset.select_related("knowledge_set")
    serializer_class = serializers.SentenceSerializer
    permission_classes = [IsCurator]
    gives = {"DELETE": None}
    refuses = 409

    def delete(self, request: Request, id: uuid.UUID) -> None:
        """Delete a sentence, a true one with its false version."""
        services.delete_sentence(sentence=self.get_object())


class Offers(CuratorRows):
    queryset = OneSentence.queryset
    gives: Any = [serializers.OfferSerializer]
    refuses = 400

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Offer false versions that lose the proof, those that pick the other option first."""
        return services.false_versions(sentence=self.get_object()).offers


class FalseVersion(CuratorRows):
    queryset = OneSentence.queryset
    takes = serializers.NewFalseVersionSerializer
    gives = serializers.SentenceSerializer
    success = 201
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Write or replace the false version of a true sentence; its formula loses the proof."""
        data = self.body()
        return services.write_false_version(of=self.get_object(), by=caller(request), **data)
