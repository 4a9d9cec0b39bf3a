"""The verdicts that would change under another policy, as a file."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from collection.models import Campaign
from validation.selectors.quality import what_if
from winoplatform.spreadsheets import csv_lines

COLUMNS = ("question", "becomes_valid", "reasons")


def what_if_csv(campaign: Campaign, *, policy: str, version: int) -> StreamingHttpResponse:
    """Return a response with every verdict that would change, new valid ones first."""
    response = StreamingHttpResponse(
        csv_lines(COLUMNS, _rows(campaign, policy, version)),
        content_type="text/csv; charset=utf-8",
    )
    name = f"what-if-{policy}-{campaign.slug}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _rows(campaign: Campaign, policy: str, version: int) -> Iterator[tuple[str, str, str]]:
    found = what_if(campaign, policy=policy, version=version)
    for change in (*found.gained, *found.lost):
        yield change.id, str(change.becomes_valid).lower(), " ".join(change.reasons)
