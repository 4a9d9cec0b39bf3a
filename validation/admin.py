from validation.models import Appeal, GoldQuestion, Seat, Verdict, VerdictEvent, Vote
from workers.admin import read_only

read_only(Seat, "public_id", "campaign", "question", "number", "worker", "leased_until")
read_only(Vote, "created_at", "worker", "question", "option", "local_option", "ambiguous")
read_only(Verdict, "created_at", "question", "valid", "reasons", "policy", "version")
read_only(VerdictEvent, "created_at", "question", "action", "by", "reason")
read_only(GoldQuestion, "created_at", "campaign", "question", "origin", "created_by", "retired_at")
read_only(Appeal, "created_at", "worker", "subject", "status", "decided_by")
