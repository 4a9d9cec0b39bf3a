"""The order of contested questions in the review queue."""

from validation.core.verdicts import closeness

APPEALED, REPORTED = 20_000, 1_000
MOST_REPORTS = 9


def case_rank(*, counts: dict[str, int] | None, reports: int, appealed: bool) -> int:
    """Return the priority of a question in the review queue; 0 if it is not contested.

    Questions with an upheld appeal come first, then reported ones, by the number of reports, then
    split votes, by how close they were.

    Parameters
    ----------
    counts
        Votes for each part of the verdict; None if there is no verdict.

    >>> case_rank(counts={"votes": 3, "correct": 2, "unambiguous": 3, "local": 0}, reports=0,
    ...           appealed=False)
    333
    """
    rank = APPEALED * appealed + REPORTED * min(reports, MOST_REPORTS)
    return rank + (round(1000 * closeness(counts)) if counts else 0)
