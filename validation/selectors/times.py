"""When a judge can have begun to read a question.

The next question is fetched while one is judged, so a seat's age is no measure of reading: reading
begins when the seat was taken or the judge's vote before it was given, whichever is later. The same
over arrays: ``core.votes.first_seconds``.
"""


def begun(claimed_at: str, before: str) -> str:
    """SQL of that moment; null where it was not noted when the seat was taken."""
    return f"CASE WHEN {claimed_at} IS NOT NULL THEN greatest({claimed_at}, {before}) END"
