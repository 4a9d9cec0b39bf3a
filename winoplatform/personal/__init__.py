"""What the platform holds about people: declared once, and read by the export, the erasure, the
retention and ``docs/data-map.md``.

Each app declares its tables in ``personal_data.py``; `holdings` finds these modules.
"""

from winoplatform.personal.declarations import (
    ACCOUNT,
    ALL,
    CAMPAIGN,
    DATA_SET,
    ERASED,
    LEDGER,
    Holding,
    Identity,
    Period,
    hold,
    holdings,
    identity,
    no_person,
)

__all__ = [
    "ACCOUNT",
    "ALL",
    "CAMPAIGN",
    "DATA_SET",
    "ERASED",
    "LEDGER",
    "Holding",
    "Identity",
    "Period",
    "hold",
    "holdings",
    "identity",
    "no_person",
]
