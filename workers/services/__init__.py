"""Actions on accounts, tokens and pay."""

from workers.services.accounts import (
    USUAL_SCOPES,
    create_token,
    create_user,
    revoke_all_tokens,
    revoke_token,
    scopes_of,
)
from workers.services.erasure import (
    Erasure,
    erase_again,
    erase_person,
    keep_periods,
    try_erasing,
)
from workers.services.extra_pay import write_extra
from workers.services.invitations import (
    Invited,
    accept_invitation,
    invalid_invitation,
    invite,
    invite_all,
    invites_curators,
    join_by_invitation,
    open_invitation,
    read_invited,
    revoke_invitation,
)
from workers.services.ledger import accrue, accruing, take_back
from workers.services.open_pay import SETTLE, VOID, open_pay
from workers.services.password_links import make_password_link
from workers.services.pauses import (
    open_pause,
    pause_worker,
    paused,
    refuse_while_paused,
    resume_worker,
)
from workers.services.payouts import (
    cancel_payout,
    export_payout,
    mark_paid,
    paid_out,
    payout_named,
    refuse_without_second_approval,
)
from workers.services.person_labels import label_person
from workers.services.proposals import decide, propose, refusal_to_decide
from workers.services.qualifications import (
    begin_qualification,
    decide_qualification,
    locked_qualification,
    note_reward,
    note_training,
    store_attempt,
)
from workers.services.second_approvals import approve_extra, approve_payout
from workers.services.settlements import approve_entries, one_at_a_time, void_entry
