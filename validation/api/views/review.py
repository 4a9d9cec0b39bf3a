"""The review queue, and excluded votes."""

import uuid
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.views.campaigns import visible_campaign
from collection.models import Question, of_member
from collection.selectors.known_people import known_worker
from validation.api.filters import CaseFilter
from validation.api.serializers import golds, review
from validation.api.serializers import review as serializers
from validation.models import Case, QualityNotice, VerdictEvent, Vote
from validation.selectors.case_detail import WITH_ALL, CaseDetail, case_detail
from validation.selectors.review_queue import ALL, queue_rows, review_queue
from validation.services.quality import see_to_report
from validation.services.review.adjudication import (
    ask_one_more,
    decide_question,
    look_at_reports,
    reopen,
)
from validation.services.review.exclusions import exclude, exclude_all, restore
from validation.services.review.returns import return_for_revision
from validation.services.review.swaps import swap_answers
from winoplatform.api.pagination import KeysetPagination
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView
from winoplatform.errors import NotFound
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import AuditEvent

TAG = "review"


class ReviewPages(KeysetPagination):
    ordering = "-place"


class ReviewQueue(CuratorRows, ListView):
    audits = AuditEvent.Kind.LABELS
    queryset = Case.objects.all()
    serializer_class = serializers.CaseSerializer
    pagination_class = ReviewPages
    filterset_class = CaseFilter

    def visible(self, rows: Any) -> Any:
        return review_queue(visible_campaign(self.request, self.kwargs["slug"]), state=ALL)

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List contested questions: upheld appeals, then reports, then the closest splits.

        Posteriors use the campaign's last quality report; before the first one they are null, and
        its computation is started.
        """
        report = see_to_report(campaign=visible_campaign(request, self.kwargs["slug"]))
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        rows = queue_rows(list(page or []), report=report)
        return self.get_paginated_response(serializers.CaseSerializer(rows, many=True).data)


def visible_question(request: Request, question_id: str) -> Question:
    """Return a question of the user's campaigns with all that its case shows."""
    rows = WITH_ALL.filter(of_member(caller(request), "twin__campaign"))
    return get_object_or_404(rows, public_id=question_id)


def _case_detail(request: Request, question_id: str) -> CaseDetail:
    question = visible_question(request, question_id)
    return case_detail(question, report=see_to_report(campaign=question.twin.campaign))


class OneCase(CuratorView):
    audits = AuditEvent.Kind.LABELS
    gives = serializers.CaseDetailSerializer

    def get(self, request: Request, id: str) -> Any:
        """Return one question with its votes, the posterior as advice, and its revision.

        The posteriors are null until the campaign has its first quality report, whose computation
        is started.
        """
        return _case_detail(request, id)


class AuditLog(CuratorRows, ListView):
    """List every event that made or changed a question's verdict, newest first."""

    audits = AuditEvent.Kind.LABELS

    queryset = VerdictEvent.objects.select_related("by")
    serializer_class = serializers.EventSerializer

    def visible(self, rows: Any) -> Any:
        return rows.filter(question=visible_question(self.request, self.kwargs["id"]))


class _Change(CuratorView):
    """Does something to a question for a reason, and answers with its case_detail."""

    changes = Right.DECIDE
    takes: Any = serializers.ChangeSerializer
    gives = serializers.CaseDetailSerializer
    refuses = Refusal("changed_meanwhile")
    change: Any

    def post(self, request: Request, id: str) -> Any:
        visible_question(request, id)
        self.change(question_id=id, by=caller(request), **self.body())
        return _case_detail(request, id)


class Decide(_Change):
    """Decide a question, overriding its votes; they stay paid."""

    takes = serializers.DecisionSerializer
    change = staticmethod(decide_question)


class OneMore(_Change):
    """Request one more vote; until it is cast the question has no verdict."""

    change = staticmethod(ask_one_more)


class ReturnForRevision(_Change):
    """Return a question's twin to its author, who may revise it once."""

    takes = serializers.ReturnForRevisionSerializer
    change = staticmethod(return_for_revision)


class Reopen(_Change):
    """Undo a curator's decision or return: the votes decide again."""

    change = staticmethod(reopen)


class LookAtReports(_Change):
    """Mark a question's reports as seen; the verdict stays as it is."""

    change = staticmethod(look_at_reports)


class SwapAnswers(_Change):
    """Swap the answers of a question's twin; then the votes decide both questions again."""

    change = staticmethod(swap_answers)


class ExcludedVotes(ListView):
    """List the user's excluded votes with the reasons; curators see those of their campaigns."""

    audits = AuditEvent.Kind.LABELS

    queryset = Vote.objects.filter(excluded_at__isnull=False).select_related(
        "question", "seat__campaign", "worker"
    )
    serializer_class = review.ExcludedVoteSerializer


def _visible_vote(request: Request, public_id: uuid.UUID) -> None:
    rows = Vote.objects.filter(of_member(caller(request), "seat__campaign"))
    if not rows.filter(public_id=public_id).exists():
        raise NotFound("vote")


class ExcludeVote(CuratorView):
    changes = Right.DECIDE
    takes = review.WhySerializer
    gives = review.ExcludedVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Exclude a vote: it stays paid, its worker is notified, a replacement is requested."""
        _visible_vote(request, id)
        return exclude(vote_id=id, by=caller(request), **self.body())


class Restore(CuratorView):
    changes = Right.DECIDE
    takes = review.WhySerializer
    gives = review.ExcludedVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Restore an excluded vote."""
        _visible_vote(request, id)
        return restore(vote_id=id, by=caller(request), **self.body())


class ExcludeWork(CuratorView):
    changes = Right.DECIDE
    takes = review.WhySinceSerializer
    gives = review.DoneSerializer

    def post(self, request: Request, id: str) -> Any:
        """Exclude a worker's votes since a time; call again while any are left."""
        body = self.body()
        campaign = visible_campaign(request, body.pop("campaign"))
        return exclude_all(
            worker=known_worker(caller(request), id), campaign=campaign, by=caller(request), **body
        )


class Notices(ListView):
    """List the notices about the user's work: warnings, excluded votes, returned twins."""

    queryset = QualityNotice.objects.select_related("campaign")
    serializer_class = golds.NoticeSerializer

    def visible(self, rows: Any) -> Any:
        return rows.filter(worker=self.request.user)
