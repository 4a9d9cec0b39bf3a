"""The weeks and months of points in time, named by their first days (UTC)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

DAY = 86_400
THURSDAY_TO_MONDAY = 3  # 1970 began on a Thursday

Period = Literal["week", "month"]


def first_days(moments: ArrayLike, period: Period) -> NDArray[np.datetime64]:
    """Return the first day of the week (a Monday) or month of each point in time.

    Parameters
    ----------
    moments : float (n,)
        Seconds since 1970, UTC.
    period : {'week', 'month'}

    Returns
    -------
    datetime64[D] (n,)

    Raises
    ------
    ValueError
        For any other period.

    Examples
    --------
    >>> first_days([1_767_225_600.0], "week").astype(str).tolist()  # Thursday 1 January 2026
    ['2025-12-29']
    >>> first_days([1_769_900_000.0], "month").astype(str).tolist()
    ['2026-01-01']
    """
    days = np.floor(np.asarray(moments, dtype=float) / DAY).astype(np.int64)
    if period == "week":
        days = days - (days + THURSDAY_TO_MONDAY) % 7
        return days.astype("datetime64[D]")
    if period == "month":
        return days.astype("datetime64[D]").astype("datetime64[M]").astype("datetime64[D]")
    raise ValueError(f"period must be 'week' or 'month', got {period!r}")
