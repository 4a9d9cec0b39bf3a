"""Validating: numbered seats, votes, verdicts, gold questions and appeals."""

from validation.models.abstract import AbstractSeat, AbstractSeatQuerySet
from validation.models.cases import BulkAction, BulkItem, Case, CaseQuerySet, QuestionFacts
from validation.models.quality import (
    Appeal,
    GoldQuerySet,
    GoldQuestion,
    PublishedSentence,
    QualityNotice,
    is_public,
)
from validation.models.reports import QualityReport, ValidatorFigures
from validation.models.seats import PassedSeat, Seat, SeatQuerySet
from validation.models.shared import QuestionComment, SavedView
from validation.models.verdicts import TwinReturn, Verdict, VerdictEvent
from validation.models.visitors import VisitorReport
from validation.models.votes import Vote
