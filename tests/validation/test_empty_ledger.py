"""A platform on which nothing was done yet."""

from validation.selectors.reconciliation import check_ledger


def test_an_empty_ledger_is_reconciled() -> None:
    assert check_ledger().reconciled
    assert check_ledger().entries == 0
