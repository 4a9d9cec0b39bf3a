"""Executes the load of the starter campaign."""

from evaluation.models import StarterLoad
from evaluation.signals import starter_loaded
from validation import starter
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.pace import at_most_every

REPORT_SECONDS = 0.5


def starter_load(attempt: Attempt[StarterLoad]) -> None:
    def report(done: int, total: int, text: str) -> None:
        attempt.report(done, total=total, activity=text)

    campaign = starter.load(progress=at_most_every(REPORT_SECONDS, report))
    if campaign is None:
        raise ValueError("There is a campaign already, so the starter campaign is not loaded.")
    starter_loaded.send(sender=StarterLoad, campaign=campaign)
    attempt.finish(campaign=campaign, done=attempt.run.total or 0)
