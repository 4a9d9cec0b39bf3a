"""The order of contested questions in the review queue."""

from validation.core.verdicts import closeness

APPEALED, REPORTED = 20_000, 1_000  # a suspected label error counts as one report

MOST_REPORTS = 9
UNANIMOUS_WEIGHT = 1 / 3  # of dissent about clarity or local context, if all agree on the answer


def case_rank(
    *,
    counts: dict[str, int] | None,
    reports: int,
    appealed: bool,
    suspected: bool = False,
    valid: bool = False,
) -> int:
    """Return the priority of a question in the review queue; 0 if it is not contested.

    Questions with an upheld appeal come first, then reported ones and suspected label errors, by
    the number of reports, then split votes, by how close they were.

    Parameters
    ----------
    counts
        Votes for each part of the verdict; None if there is no verdict.
    valid
        Whether the question is valid. If all votes are also for the author's answer, the other
        differences count a third: they are no reason to doubt it.

    >>> case_rank(counts={"votes": 3, "correct": 2, "unambiguous": 3, "local": 0}, reports=0,
    ...           appealed=False)
    333
    >>> case_rank(counts={"votes": 3, "correct": 3, "unambiguous": 2, "local": 0}, reports=0,
    ...           appealed=False, valid=True)
    111
    """
    rank = APPEALED * appealed + REPORTED * min(reports + suspected, MOST_REPORTS)
    return rank + round(1000 * _doubt(counts, valid=valid)) if counts else rank


def _doubt(counts: dict[str, int], *, valid: bool) -> float:
    agreed = valid and counts["correct"] == counts["votes"]
    return closeness(counts) * (UNANIMOUS_WEIGHT if agreed else 1)
