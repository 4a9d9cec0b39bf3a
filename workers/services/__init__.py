"""What people and programs can do with accounts, tokens and pay."""

from workers.services.accounts import create_token, create_user, revoke_token, worker_named
from workers.services.ledger import accrue, accruing, take_back, write_extra
from workers.services.pauses import (
    open_pause,
    pause_worker,
    paused,
    refuse_while_paused,
    resume_worker,
)
from workers.services.payouts import cancel_payout, export_payout, mark_paid, payout_named
from workers.services.qualifications import (
    begin_qualification,
    decide_qualification,
    locked_qualification,
    note_reward,
    note_training,
    store_attempt,
)
from workers.services.settlements import approve_entries, one_at_a_time, void_entry

__all__ = [
    "accrue",
    "accruing",
    "approve_entries",
    "begin_qualification",
    "cancel_payout",
    "create_token",
    "create_user",
    "decide_qualification",
    "export_payout",
    "locked_qualification",
    "mark_paid",
    "note_reward",
    "note_training",
    "one_at_a_time",
    "open_pause",
    "pause_worker",
    "paused",
    "payout_named",
    "refuse_while_paused",
    "resume_worker",
    "revoke_token",
    "store_attempt",
    "take_back",
    "void_entry",
    "worker_named",
    "write_extra",
]
