"""Real twins, written and validated to the end through the services by a crowd."""

from decimal import Decimal

import pytest
from django.db.models import Count

from collection.models import Question
from tests.authoring_data import AUTHORING_FILE, read_authoring
from tests.data_dir import data_dir, needs_data
from tests.factories import CampaignFactory
from tests.races.crowd import make_users, tally, work_in_processes
from tests.races.replay import books, make_articles, verdicts, write_all
from validation.models import Verdict
from workers.models import LedgerEntry

TWINS = 40


@pytest.mark.long
@needs_data
def test_real_twins_are_written_validated_and_paid_to_the_cent() -> None:
    every = list(read_authoring(data_dir() / AUTHORING_FILE))
    drafts = every[:: len(every) // TWINS][:TWINS]
    campaign = CampaignFactory()
    people = make_users("worker", 12)
    written = write_all(make_articles(campaign, drafts), campaign, writers=people, processes=2)
    assert written.twins + written.refused.total() == TWINS
    assert written.refused.total() <= 2
    work_in_processes(people, campaign, processes=2)

    counts = tally(campaign)
    assert (counts.questions, counts.over, counts.under) == (2 * written.twins, 0, 0)
    paid = books(campaign)
    assert paid.tie
    assert paid.owed == written.twins * Decimal("0.40") + counts.votes * Decimal("0.03")
    kinds = LedgerEntry.objects.order_by().values_list("kind").annotate(Count("pk"))
    assert dict(kinds) == {"twin": written.twins, "vote": counts.votes}
    assert Verdict.objects.count() == Question.objects.count()
    assert verdicts()["valid"] > 0.7 * counts.questions
