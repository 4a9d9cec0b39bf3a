"""The states of a session that a crowd platform reports."""

from enum import StrEnum


class Report(StrEnum):
    """The state of a session on its platform, as far as it concerns places and pay."""

    AWAITING_REVIEW = "awaiting_review"
    APPROVED = "approved"
    PARTIALLY_APPROVED = "partially_approved"
    RETURNED = "returned"
    TIMED_OUT = "timed_out"
    REJECTED = "rejected"
    SCREENED_OUT = "screened_out"


# The reports of a participant who has left without the session's reward.
LEFT = (Report.RETURNED, Report.TIMED_OUT, Report.REJECTED, Report.SCREENED_OUT)
# Reports of a session whose reward the platform pays, or may still pay.
REWARDED = (Report.AWAITING_REVIEW, Report.APPROVED, Report.PARTIALLY_APPROVED)
