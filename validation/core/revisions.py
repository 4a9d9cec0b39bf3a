"""The revision of a question: what a curator has seen of it."""


def revision(
    *, event: int | None, vote: int | None, returned: int | None, visitor: int | None
) -> str:
    """Return the revision of a question: each new event, vote or report changes it.

    Parameters
    ----------
    event, vote, returned, visitor : int, or None
        The keys of its last verdict event, its last vote that is no gold answer, its last seat
        that was returned with a report, and its last report by a reader; None without one.

    Examples
    --------
    >>> revision(event=7, vote=None, returned=2, visitor=3)
    '7.0.5'
    """
    return f"{event or 0}.{vote or 0}.{(returned or 0) + (visitor or 0)}"
