"""Keep the result of the last check of the ledger where figures and pages read it."""

import json
import time
from contextlib import suppress

from redis.exceptions import RedisError

from validation.selectors.operation import LEDGER_CHECK
from validation.selectors.reconciliation import PROBLEMS, LedgerCheck, check_ledger
from winoplatform.embedded import ServiceError
from winoplatform.processes import broker


def keep_ledger_check() -> LedgerCheck:
    """Check the whole ledger, and keep when it was and how many mismatches of each kind it has."""
    check = check_ledger()
    problems = dict.fromkeys(PROBLEMS, 0) | {one.code: one.count for one in check.problems}
    kept = json.dumps({"checked_at": time.time(), "problems": problems})
    with suppress(RedisError, ServiceError):  # the next check is in an hour
        broker.client().set(broker.key(LEDGER_CHECK), kept)
    return check
