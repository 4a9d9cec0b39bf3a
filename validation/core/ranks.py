"""In which order contested questions lie on the review queue."""

from validation.core.verdicts import closeness

APPEALED, REPORTED = 20_000, 1_000
MOST_REPORTS = 9


def case_rank(*, counts: dict[str, int] | None, reports: int, appealed: bool) -> int:
    """Rank a question by how much it wants a curator: 0 for not at all.

    First what its author has appealed with success, then what validators reported, by the number of
    reports, then splits, by how close they were.

    Parameters
    ----------
    counts
        Votes for each part of the verdict; None before there is one.

    >>> case_rank(counts={"votes": 3, "correct": 2, "unambiguous": 3, "local": 0}, reports=0,
    ...           appealed=False)
    333
    """
    rank = APPEALED * appealed + REPORTED * min(reports, MOST_REPORTS)
    return rank + (round(1000 * closeness(counts)) if counts else 0)
