"""What each answer pays, where a person is paid for a whole set."""

from decimal import ROUND_DOWN, Decimal

CENT = Decimal("0.01")


def share_of_whole(amount: Decimal, *, n: int, number: int) -> Decimal:
    """Return what one answer pays if the whole set pays an amount.

    Parameters
    ----------
    amount : Decimal, at least 0, in whole cents
        For all answers together.
    n : int, at least 1
        Answers of the set.
    number : int from 1 to n
        How many of them are given with this one.

    Returns
    -------
    Decimal
        The amount ÷ n rounded down to the cent; the last answer pays what remains. So all n shares
        sum to the amount exactly.

    Raises
    ------
    ValueError
        When a number is out of range, or the amount is not in whole cents.

    Source: WinoLogic (EMNLP 2021), appendix: 500 CNY per annotator for 562 problems.

    Examples
    --------
    >>> share_of_whole(Decimal("500.00"), n=562, number=1)
    Decimal('0.88')
    >>> share_of_whole(Decimal("500.00"), n=562, number=562)
    Decimal('6.32')
    """
    if not 1 <= number <= n:
        raise ValueError(f"number must be from 1 to n = {n}, got {number}")
    if amount < 0 or amount != amount.quantize(CENT):
        raise ValueError(f"amount must be at least 0 and in whole cents, got {amount}")
    share = (amount / n).quantize(CENT, rounding=ROUND_DOWN)
    return amount.quantize(CENT) - (n - 1) * share if number == n else share
