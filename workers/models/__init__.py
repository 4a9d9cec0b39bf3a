"""Tables for accounts, qualifications and pay."""

from workers.models.accounts import ApiToken, User, UserManager, new_public_id
from workers.models.audit import AuditEvent
from workers.models.invitations import Invitation
from workers.models.ledger import LedgerEntry
from workers.models.payouts import Payout, PayoutLine, SecondApproval, Settlement
from workers.models.person_labels import PersonLabel
from workers.models.promised_pay import PromisedPay, PromisedPayQuerySet
from workers.models.proposals import Proposal
from workers.models.qualifications import Attempt, Pause, Qualification
