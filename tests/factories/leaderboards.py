"""Factories of leaderboards and submissions."""

import factory

from evaluation.models import Leaderboard, Submission
from tests.factories.runs import ReleaseFactory
from tests.factories.work import CampaignFactory, Factory, UserFactory


class LeaderboardFactory(Factory):
    class Meta:
        model = Leaderboard
        django_get_or_create = ("campaign",)

    campaign = factory.SubFactory(CampaignFactory)


class SubmissionFactory(Factory):
    class Meta:
        model = Submission

    release = factory.SubFactory(ReleaseFactory, finished=True)
    leaderboard = factory.SubFactory(
        LeaderboardFactory, campaign=factory.SelfAttribute("..release.snapshot.campaign")
    )
    submitter = factory.SubFactory(UserFactory)
    system = factory.Sequence(lambda n: f"System {n}")
    predictions_sha256 = factory.Sequence(lambda n: f"{n:064}")
    accuracy = 0.7
    accuracy_noise = 0.02
    share_told = 0.001
