"""The version of a release: proposed from what changed, and checked if it was chosen."""

from collections.abc import Mapping

from corpora import selectors
from corpora.core.changes import FIRST, Difference, level_of, parsed, raised
from corpora.models import Release, ReleasePreview
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus

WHY = {
    "major": "a question of the earlier dev or test is missing or changed",
    "minor": "questions were added, or training changed",
    "patch": "a version is used once",
}


def proposed_version(previous: Release | None, changes: Mapping[str, Difference]) -> str:
    """Return the lowest version that the rule allows."""
    if previous is None:
        return FIRST
    return raised(previous.version, level_of(changes))


def checked_version(release: Release, changes: Mapping[str, Difference]) -> str:
    """Return the chosen version, or the proposed one without a choice; refuse one that is too low.

    Raises
    ------
    DomainError
        When the rule asks for more than the chosen version.
    """
    lowest = proposed_version(release.previous, changes)
    if not release.version:
        return lowest
    if release.previous is not None and parsed(release.version) < parsed(lowest):
        raise _too_low(
            f"Version {release.version} is too low, since {WHY[level_of(changes)]}: after "
            f"{release.previous.version}, choose {lowest} or higher."
        )
    return release.version


def refuse_low_version(release: Release) -> None:
    """Refuse a chosen version that is, or may be, below what the rule asks for.

    What changed is known from a preview of the same questions that was made since the last release.
    Without one, only the next major version is high enough for certain.

    Raises
    ------
    DomainError
        ``version_too_low``.
    """
    last = selectors.newest_release(release.snapshot.campaign)
    if not release.version or last is None:
        return
    if parsed(release.version) <= parsed(last.version):
        raise _too_low(
            f"Version {release.version} is not above {last.version}, that of the campaign's last "
            "release."
        )
    previewed = _previewed(release, last)
    lowest = previewed or raised(last.version, "major")
    if parsed(release.version) < parsed(lowest):
        why = (
            "too much has changed"
            if previewed
            else "a preview since the last release has to show first that it is high enough"
        )
        raise _too_low(
            f"Version {release.version} is too low after {last.version}: {why}. Choose {lowest} or "
            "higher, or none for the lowest one that the rule allows."
        )


def _previewed(release: Release, last: Release) -> str | None:
    """Return the version that the newest preview of the release proposes; None without one."""
    previews = ReleasePreview.objects.filter(
        snapshot=release.snapshot_id,
        selection=release.selection_id,
        near_duplicate=release.near_duplicate,
        status=RunStatus.DONE,
        facts__previous=last.name,
    )
    facts = previews.order_by("-pk").values_list("facts", flat=True).first()
    return None if facts is None else str(facts["version"])


def _too_low(sentence: str) -> DomainError:
    return Conflict("version_too_low", sentence)
