"""Reads that span tables: which questions are valid, how far a campaign has come."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from collection.models import Campaign, Question, Twin
from filtering.core.questions import FrozenQuestion
from filtering.models import FilterRun, Release, ReleaseFile, Snapshot
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus
from workers.models import User

# Questions found valid by their judges here, or published after judging elsewhere.
VALID = Q(verdict__valid=True) | Q(twin__origin=Twin.Origin.PUBLISHED)
JUDGED = Q(verdict__isnull=False) | Q(twin__origin=Twin.Origin.PUBLISHED)


def valid_questions(campaign: Campaign, *, at: datetime | None = None) -> QuerySet[Question]:
    """A campaign's valid questions: all, or those that were valid at a time.

    A question judged here is valid from its verdict on, one published elsewhere from its import.
    """
    questions = Question.objects.in_campaign(campaign)
    if at is None:
        return questions.filter(VALID)
    judged = Q(verdict__valid=True, verdict__created_at__lte=at)
    return questions.filter(judged | Q(twin__origin=Twin.Origin.PUBLISHED, created_at__lte=at))


def frozen_questions(snapshot: Snapshot) -> Iterator[FrozenQuestion]:
    """Stream what was valid when *snapshot* was asked for, in the order of (random) ids.

    One query, so that one moment of the database answers, however long the reading takes.
    """
    rows = (
        valid_questions(snapshot.campaign, at=snapshot.created_at)
        .order_by("public_id")
        .values_list(
            "public_id",
            "twin__public_id",
            "sentence",
            "twin__option1",
            "twin__option2",
            "answer",
            "twin__domain",
        )
    )
    for id, twin, sentence, option1, option2, answer, domain in rows.iterator(chunk_size=5000):
        yield FrozenQuestion(id, str(twin), sentence, option1, option2, answer, domain)


def load_questions(snapshot: Snapshot) -> list[FrozenQuestion]:
    """Read a snapshot's questions, in the row order of all that is made from it."""
    assert snapshot.questions is not None
    with store.open_artifact(snapshot.questions) as file:
        return [FrozenQuestion.from_line(line.decode()) for line in file]


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many of a campaign's questions came how far."""

    twins: int
    written: int
    judged: int
    valid: int
    filtered: int | None
    kept: int | None

    def as_dict(self) -> dict[str, int | None]:
        return asdict(self)


def funnel(campaign: Campaign) -> Funnel:
    """Count written → valid → kept; the last two by the latest finished filter run."""
    run = latest_filter_run(campaign)
    counts = Question.objects.in_campaign(campaign).aggregate(
        twins=Count("twin", distinct=True),
        written=Count("pk"),
        judged=Count("pk", filter=JUDGED),
        valid=Count("pk", filter=VALID),
    )
    return Funnel(
        **counts,
        filtered=run.encoding.snapshot.n_questions if run else None,
        kept=run.n_kept if run else None,
    )


def latest_filter_run(campaign: Campaign) -> FilterRun | None:
    runs = FilterRun.objects.filter(encoding__snapshot__campaign=campaign, status=RunStatus.DONE)
    return runs.select_related("encoding__snapshot").order_by("-ended_at").first()


def releases_visible_to(user: User, releases: QuerySet[Release]) -> QuerySet[Release]:
    """Curators see every release, everybody else those that are done."""
    return releases if user.is_curator else releases.filter(status=RunStatus.DONE)


def release_files(release: Release, *, user: User) -> QuerySet[ReleaseFile]:
    """The files of a release that *user* may have: blind labels are for curators only."""
    files = release.files.select_related("artifact")
    return files if user.is_curator else files.filter(restricted=False)
