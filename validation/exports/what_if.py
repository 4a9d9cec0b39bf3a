"""The verdicts that would change under another policy, as a file."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from collection.models import Campaign
from validation.selectors.quality import what_if
from winoplatform.spreadsheets import csv_lines, saved_as

COLUMNS = ("question", "becomes_valid", "reasons")


def what_if_csv(campaign: Campaign, *, policy: str, version: int) -> StreamingHttpResponse:
    """Answer with every verdict that would turn, those that would become valid first."""
    lines = csv_lines(COLUMNS, _rows(campaign, policy, version))
    return saved_as(f"what-if-{policy}-{campaign.slug}.csv", lines)


def _rows(campaign: Campaign, policy: str, version: int) -> Iterator[tuple[str, str, str]]:
    found = what_if(campaign, policy=policy, version=version)
    for change in (*found.gained, *found.lost):
        yield change.id, str(change.becomes_valid).lower(), " ".join(change.reasons)
