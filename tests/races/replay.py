"""The real crowd's twins written again, by simulated writers through the authoring service."""

import time
import uuid
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial

from django.db import connection

from collection import services
from collection.core.rules import TwinDraft
from collection.models import Article, Campaign
from tests.races.processes import process_pool
from validation.models import Verdict, Vote
from validation.services import submit_twin
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User

Task = tuple[int, TwinDraft]  # the article to be primed by, and what is written then


@dataclass
class Written:
    """What became of some drafts, and the seconds that each took."""

    twins: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, other: "Written") -> None:
        self.twins += other.twins
        self.refused += other.refused
        self.seconds += other.seconds


def make_articles(campaign: Campaign, drafts: Sequence[TwinDraft]) -> list[Task]:
    """Make an article for each draft that holds its anchor: the real ones are not public."""
    articles = Article.objects.bulk_create(
        (
            Article(
                campaign=campaign,
                source_id=f"replay-{number}",
                title=f"Replay {number}",
                text=f"Write two sentences that hold the words {draft.anchor}.",
            )
            for number, draft in enumerate(drafts)
        ),
        batch_size=5_000,
    )
    return [(article.pk, draft) for article, draft in zip(articles, drafts, strict=True)]


def write_all(
    tasks: Sequence[Task], campaign: Campaign, *, writers: Sequence[User], processes: int
) -> Written:
    """Let the writers, a thread each over some processes, write all that *tasks* hold."""
    written = Written()
    with process_pool(processes) as pool:
        parts = [
            pool.submit(
                _write_part,
                [writer.pk for writer in writers[part::processes]],
                campaign.pk,
                tasks[part::processes],
            )
            for part in range(processes)
        ]
        for done in parts:
            written.add(done.result())
    return written


def _write_part(writers: list[int], campaign: int, tasks: Sequence[Task]) -> Written:
    into, written = Campaign.objects.get(pk=campaign), Written()
    users = list(User.objects.filter(pk__in=writers))
    with ThreadPoolExecutor(len(users)) as pool:
        work = [
            pool.submit(_write, user, into, tasks[number :: len(users)])
            for number, user in enumerate(users)
        ]
        for done in work:
            written.add(done.result())
    return written


def _write(writer: User, campaign: Campaign, tasks: Sequence[Task]) -> Written:
    written = Written()
    for article, draft in tasks:
        start = time.perf_counter()
        try:
            _submit(writer, campaign, Article.objects.get(pk=article), draft)
            written.twins += 1
        except DomainError as error:
            written.refused[error.code] += 1
        finally:
            connection.close()
        written.seconds.append(time.perf_counter() - start)
    return written


def _submit(writer: User, campaign: Campaign, article: Article, draft: TwinDraft) -> None:
    ask = partial(services.request_assignment, worker=writer, campaign=campaign, article=article)
    assignment = ask()
    text = services.TwinText(
        sentences=draft.sentences,
        options=draft.options,
        answers=draft.answers,
        anchor=draft.anchor or "",
        domain=str(draft.domain),
    )
    try:
        submit_twin(
            worker=writer,
            assignment_id=assignment.public_id,
            text=text,
            client_key=uuid.uuid4(),
        )
    except DomainError:
        services.return_assignment(worker=writer, assignment_id=assignment.public_id)
        raise


@dataclass(frozen=True)
class Books:
    """Whether the ledger says what was done: units of each kind, and sums to the cent."""

    twins: int
    votes: int
    owed: Decimal
    due: Decimal

    @property
    def tie(self) -> bool:
        return self.owed == self.due


def books(campaign: Campaign) -> Books:
    """Add up the ledger, and what twins and votes are worth by the campaign's rewards."""
    entries = LedgerEntry.objects.filter(budget=campaign.public_id)
    twins = campaign.twins.count()
    votes = Vote.objects.filter(seat__campaign=campaign).count()
    due = twins * campaign.reward_twin + votes * campaign.reward_vote
    return Books(twins=twins, votes=votes, owed=entries.total(), due=due)


def verdicts() -> Counter[str]:
    """Count the verdicts: valid, or each reason why not (a verdict may have several)."""
    counts: Counter[str] = Counter()
    for valid, reasons in Verdict.objects.values_list("valid", "reasons"):
        counts.update(["valid"] if valid else reasons)
    return counts
