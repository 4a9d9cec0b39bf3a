"""Names of facets, states, columns and orders."""

from django.utils.translation import gettext_lazy as later

from validation.selectors import QuestionState

State = QuestionState
STATE_NAMES = {
    State.VALID: later("valid"),
    State.INVALID: later("not valid"),
    State.AWAITING_VOTES: later("waiting for votes"),
    State.NOT_USED: later("excluded"),
    State.RETURNED: later("returned for revision"),
    State.PUBLISHED: later("validated elsewhere"),
    State.WITHDRAWN: later("withdrawn"),
}
STATE_LOOKS = {
    State.VALID: "good",
    State.INVALID: "bad",
    State.AWAITING_VOTES: "todo",
    State.NOT_USED: "closed",
    State.RETURNED: "queued",
    State.PUBLISHED: "good",
    State.WITHDRAWN: "cancelled",
}
FACET_NAMES = {
    "verdict": later("Verdict"),
    "reason": later("Why not valid"),
    "agreement": later("Votes for the author’s answer"),
    "domain": later("Domain"),
    "run": later("Kept by filter run"),
    "release": later("In release"),
    "writer": later("Writer"),
    "validator": later("Validator"),
    "anchor": later("Anchor"),
}
COLUMNS = {
    "verdict": later("Verdict"),
    "reasons": later("Why not valid"),
    "agreement": later("Votes"),
    "domain": later("Domain"),
    "anchor": later("Anchor"),
    "options": later("Options"),
    "answer": later("Answer"),
    "writer": later("Writer"),
    "gold": later("Control question"),
    "created": later("Written"),
    "id": later("Id"),
}
SORT_NAMES = {
    "newest": later("newest first"),
    "oldest": later("oldest first"),
    "least_agreement": later("least agreement first"),
    "most_agreement": later("most agreement first"),
    "verdict": later("by verdict"),
    "domain": later("by domain"),
    "anchor": later("by anchor"),
    "writer": later("by writer"),
}
