"""Formulas, formalisations and their proofs."""

import uuid
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers as fields
from rest_framework.request import Request

from knowledge import proving, services
from knowledge.api import filters, serializers
from knowledge.api.bodies import examination_body, proof_body, words_of
from knowledge.api.sets import ListInSet
from knowledge.models import Formalisation, Formula, KnowledgeSet
from knowledge.selectors import with_proof
from winoplatform.api.permissions import IsCurator
from winoplatform.api.results import result_serializer
from winoplatform.api.schema import Refusal
from winoplatform.api.views import VisibleRows
from winoplatform.errors import DomainError
from workers.api.callers import caller
from workers.models import AuditEvent

UNREADABLE = Refusal("unreadable", status=400)


class Formulas(ListInSet):
    """List the set's formulas of knowledge; workers see their own, and those in use."""

    audits = AuditEvent.Kind.LABELS

    queryset = Formula.objects.select_related("author")
    serializer_class = serializers.FormulaSerializer
    filterset_class = filters.FormulaFilter
    takes = serializers.NewFormulaSerializer
    refuses = [UNREADABLE]

    def post(self, request: Request, name: str) -> Any:
        """Add a formula of knowledge, which never changes."""
        data = self.body()
        return services.add_formula(knowledge_set=self.knowledge_set(), by=caller(request), **data)


class Check(VisibleRows):
    queryset = KnowledgeSet.objects.all()
    lookup_field = lookup_url_kwarg = "name"
    takes = serializers.CheckSerializer
    gives = result_serializer(services.Checked)

    def post(self, request: Request, name: str) -> Any:
        """Read a formula, or a formalisation with its knowledge; nothing is stored or proved."""
        knowledge_set = self.get_object()
        data = self.body()
        if "formula" in data:
            return services.check_formula(text=data["formula"])
        formulas = named_formulas(request, knowledge_set, data["formulas"])
        return services.check_formalisation(
            formalisation=serializers.content_of(data["formalisation"]),
            knowledge={formula.name: formula.text for formula in formulas} | data["knowledge"],
        )


def named_formulas(request: Request, of: KnowledgeSet, names: list[str]) -> list[Formula]:
    """Return the formulas of a set with these names that the user may see."""
    visible = Formula.objects.visible_to(request.user).filter(knowledge_set=of)
    by_name = {row.name: row for row in visible.filter(name__in=names)}
    unknown = [name for name in dict.fromkeys(names) if name not in by_name]
    if unknown:
        sentence = f"This set has no formula “{unknown[0]}”."
        raise fields.ValidationError({"formulas": sentence}, code="does_not_exist")
    return list(by_name.values())


class Formalisations(ListInSet):
    """List the versions of the set's formalisations; workers see their own."""

    audits = AuditEvent.Kind.LABELS

    queryset = with_proof(
        Formalisation.objects.select_related("knowledge_set", "author").prefetch_related("formulas")
    )
    serializer_class = serializers.FormalisationSerializer
    filterset_class = filters.FormalisationFilter
    takes = serializers.NewFormalisationSerializer
    refuses = [UNREADABLE, 409]

    def post(self, request: Request, name: str) -> Any:
        """Store a version of a question's formalisation; the same again returns the newest.

        Workers take the question first. Prove it with a request of its own.
        """
        knowledge_set = self.knowledge_set()
        data = self.body()
        made = services.formalise(
            knowledge_set=knowledge_set,
            question=data["question"],
            formalisation=serializers.content_of(data),
            formulas=named_formulas(request, knowledge_set, data["formulas"]),
            by=caller(request),
        )
        return self.queryset.get(pk=made.pk)


class WithProof(VisibleRows):
    """A view of one version with its proof."""

    queryset = Formalisations.queryset
    serializer_class = serializers.FormalisationDetailSerializer

    def proof_response(self, row: Formalisation) -> Formalisation:
        proof = proving.stored_proof(row)
        row.proof = None if proof is None else proof_body(row, proof)  # type: ignore[attr-defined]
        return row


class OneFormalisation(WithProof):
    audits = AuditEvent.Kind.LABELS

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """One version with what the prover found: every obligation as a sentence."""
        return self.proof_response(self.get_object())


class Prove(WithProof):
    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Prove a formalisation, normally within a second; a stored proof is used again.

        Limits end it after seconds: then it is undecided, and the limit is named. A worker who
        has taken the question is paid once its newest version is verified.
        """
        services.prove(formalisation=self.get_object())
        return self.proof_response(self.get_object())


class Pairs(VisibleRows):
    queryset = Formalisation.objects.prefetch_related("formulas")
    permission_classes = [IsCurator]
    takes = serializers.PairSerializer
    gives = serializers.PairResultSerializer

    def post(self, request: Request, name: str) -> Any:
        """Prove two twins with the formulas of either, normally within a second."""
        data = self.body()
        rows = self.get_queryset().filter(knowledge_set__name=name)
        first, second = (get_object_or_404(rows, public_id=data[at]) for at in ("first", "second"))
        proof = services.prove_pair(first=first, second=second)
        return {"resolved": proof.resolved} | {
            at: examination_body(examination, words_of(row.content))
            for at, examination, row in (
                ("first", proof.first, first),
                ("second", proof.second, second),
            )
        }


def formula_of(formalisation: Formalisation, name: str) -> Formula:
    """Return one of a formalisation's formulas by its name."""
    formula = formalisation.formulas.filter(name=name).first()
    if formula is None:
        raise DomainError("formula_unknown", f"The formalisation has no formula “{name}”.")
    return formula
